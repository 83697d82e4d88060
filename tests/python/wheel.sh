# Sourced: builds and installs the Python package without network.
#
#   usw_find_python       sets $python: one that has numpy, pip and setuptools of 61 or later, and wheel where setuptools
#                         is older than 70.1; without one the status is 1
#   usw_build_wheel INCLUDE FOLDER [LIBRARY]   a wheel into FOLDER, from the headers in INCLUDE, with LIBRARY inside
#   usw_check_platform FOLDER   fails if the wheel of FOLDER has the extension and is not for manylinux 2.17
#   usw_install_wheel FOLDER SITE              the wheel of FOLDER into the folder SITE
usw_package=$(realpath "$(dirname "${BASH_SOURCE[0]}")/../../lib/python")
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore PYTHONWARNINGS=ignore

usw_find_python() { # setuptools is imported first: Debian's refuses to come after distutils
  local candidate needed="
import setuptools, pip, numpy
assert int(setuptools.__version__.split('.')[0]) >= 61
try: import setuptools.command.bdist_wheel
except ImportError: import wheel"
  for candidate in ${PYTHON-} python3 /usr/bin/python3; do
    if "$candidate" -c "$needed" 2>/dev/null; then
      python=$candidate
      return 0
    fi
  done
  echo "no python3 with numpy, pip, setuptools 61 and wheel: see scripts/dependencies"
  return 1
}

usw_build_wheel() { # in a copy: pip builds inside the source folder
  local source
  source=$(mktemp -d)
  cp -r "$usw_package/." "$source"
  UPSWEEP_INCLUDE=$1 UPSWEEP_BUNDLE=${3-} "$python" -m pip --quiet wheel --no-index --no-deps \
    --no-build-isolation --wheel-dir "$2" "$source"
  rm -rf "$source"
}

usw_install_wheel() {
  "$python" -m pip --quiet install --no-index --no-deps --target "$2" "$1"/upsweep-*.whl
}

usw_check_platform() {
  local auditwheel=$usw_package/../../.tools/python/bin/auditwheel shown
  if [ ! -x "$auditwheel" ]; then
    echo "no auditwheel (scripts/dependencies test installs it): the platform of the wheel is not checked"
  elif ls "$1"/upsweep-*-abi3-*.whl >/dev/null 2>&1; then
    shown=$("$auditwheel" show "$1"/upsweep-*-abi3-*.whl)
    if [[ $shown != *manylinux_2_17_* ]]; then
      echo "$shown"
      return 1
    fi
    echo "the wheel is for manylinux 2.17"
  fi
}
