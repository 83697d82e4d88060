"""Spack's recipe of Upsweep, for Spack 1.0 and newer. It builds the checkout that it stands in:

spack repo add scripts/spack
spack install upsweep offload=x86_64,nvptx cuda_arch=90 +fortran
"""

import os
import pathlib

from spack_repo.builtin.build_systems.cmake import CMakePackage, generator

from spack.package import *

CHECKOUT = pathlib.Path(__file__).resolve().parents[4]


class Upsweep(CMakePackage):
    """Reductions for C, C++, Fortran and Python, on the host's threads and on OpenMP devices."""

    homepage = CHECKOUT.as_uri()
    git = str(CHECKOUT)

    license("Apache-2.0")
    generator("ninja")

    version("main", branch="main")

    variant(
        "offload",
        values=disjoint_sets(("none",), ("x86_64", "nvptx", "amdgcn")).with_default("none"),
        description="Device images: for the CPU (to test with), for GPUs of NVIDIA, of AMD",
    )
    variant(
        "cuda_arch",
        default="90",
        values=("80", "90"),
        multi=True,
        when="offload=nvptx",
        description="NVIDIA architectures",
    )
    variant(
        "amdgpu_target",
        default="gfx90a",
        values=("gfx90a",),
        multi=True,
        when="offload=amdgcn",
        description="AMD architectures",
    )
    variant("tools", default=True, description="The program usw and its benchmarks")
    variant("fortran", default=False, description="The Fortran module")
    variant("mpi", default=False, description="The library for ranks of an MPI program; with +fortran its module")
    variant("python", default=False, description="The Python package")

    depends_on("c", type="build")
    depends_on("fortran", type="build", when="+fortran")
    depends_on("cmake@3.25:", type="build")
    depends_on("python@3.9:", type="build")

    # The runtime that a library with images was built with is the one that it loads.
    for image in ("x86_64", "nvptx", "amdgcn"):
        depends_on("llvm@19 +clang+lld+offload+libomptarget", when=f"offload={image}")
    depends_on("cuda@12:", type="build", when="offload=nvptx")
    depends_on("rocm-device-libs", type="build", when="offload=amdgcn")

    with when("+tools"):
        depends_on("pkgconfig", type="build")
        depends_on("cjson")
        depends_on("libzip")
        depends_on("hdf5")
        depends_on("hwloc@2:")

    depends_on("mpi", when="+mpi")

    with when("+python"):
        extends("python")
        depends_on("py-pip", type="build")
        depends_on("py-setuptools@61:", type="build")
        depends_on("py-wheel", type="build")
        depends_on("py-numpy@1.21:", type=("build", "run"))

    def cmake_args(self):
        spec = self.spec
        archs = []
        if spec.satisfies("offload=nvptx"):
            archs += [f"sm_{arch}" for arch in spec.variants["cuda_arch"].value]
        if spec.satisfies("offload=amdgcn"):
            archs += spec.variants["amdgpu_target"].value
        args = [
            self.define("USW_HOST_DEVICE", "ON" if spec.satisfies("offload=x86_64") else "OFF"),
            self.define("USW_GPU_ARCHS", ";".join(archs)),
            self.define("USW_BUILD_TESTS", self.run_tests),
            self.define_from_variant("USW_BUILD_PERF", "tools"),
            self.define_from_variant("USW_BUILD_TOOLS", "tools"),
            self.define_from_variant("USW_BUILD_FORTRAN", "fortran"),
            self.define_from_variant("USW_BUILD_MPI", "mpi"),
        ]
        # Clang itself: its offload driver and Spack's compiler wrapper do not know each other.
        if not spec.satisfies("offload=none"):
            args.append(self.define("CMAKE_C_COMPILER", spec["llvm"].prefix.bin.clang))
        if spec.satisfies("offload=nvptx"):
            args.append(self.define("USW_CUDA_PATH", spec["cuda"].prefix))
        if spec.satisfies("offload=amdgcn"):
            args.append(
                self.define(
                    "USW_ROCM_DEVICE_LIB_PATH", spec["rocm-device-libs"].prefix.amdgcn.bitcode
                )
            )
        return args

    @run_after("install", when="+python")
    def install_python(self):
        os.environ["UPSWEEP_INCLUDE"] = self.prefix.include.upsweep
        os.environ["UPSWEEP_BUNDLE"] = find_libraries("libupsweep", self.prefix, recursive=True)[0]
        pip = ("-m", "pip", "install", "--no-deps", "--no-build-isolation", "--no-index")
        python(
            *pip, f"--prefix={self.prefix}", os.path.join(self.stage.source_path, "lib", "python")
        )
