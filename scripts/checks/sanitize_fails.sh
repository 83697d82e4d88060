#!/usr/bin/env bash
# Checks that tests/gpu/sanitize.sh passes, fails and skips when it should, with a compute-sanitizer that says what it is
# told to: in SAYS, with the exit status ENDS.
set -eu
cd "$(dirname "$0")/../.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/compute-sanitizer" <<'FAKE'
#!/bin/sh
printf '========= COMPUTE-SANITIZER\n%b\n' "$SAYS"
exit "$ENDS"
FAKE
printf '#!/bin/sh\nexit "$ALONE"\n' >"$folder/program"
chmod +x "$folder/compute-sanitizer" "$folder/program"

failures=0
# expect <exit status> <part of the last line> <what the tool says> <the tool's status> <the program's> <arguments ...>
expect() {
  local wanted=$1 part=$2 status=0 last
  export SAYS=$3 ENDS=$4 ALONE=$5
  shift 5
  PATH=$folder:$PATH tests/gpu/sanitize.sh "$@" "$folder/program" >"$folder/out" 2>&1 || status=$?
  last=$(tail -n 1 "$folder/out")
  case $status:$last in
    "$wanted":*"$part"*) ;;
    *)
      failures=$((failures + 1))
      echo "$* after '$SAYS' and $ENDS: exit status $status, '$last'; expected $wanted, '$part'"
      ;;
  esac
}

errors="========= ERROR SUMMARY:"
hazards="========= RACECHECK SUMMARY:"
no_gpu="skipped: there is no device:gpu here"
expect 0 "0 errors" "7 checks, 0 failed\n$errors 0 errors" 0 0 memcheck
expect 0 "0 errors" "$errors 0 errors" 0 0 synccheck
expect 0 "0 hazards" "$hazards 0 hazards displayed (0 errors, 0 warnings)" 0 0 racecheck
expect 1 "reports 1" "$errors 1 error" 1 0 memcheck
expect 1 "reports 12" "$errors 12 errors" 0 0 memcheck
expect 1 "reports 2" "$errors 0 errors\n$errors 2 errors" 0 0 memcheck
expect 1 "reports 1" "$hazards 1 hazard displayed (0 errors, 1 warning)" 0 0 racecheck
expect 1 "without a summary" "$errors 0 errors" 0 0 racecheck
expect 1 "without a summary" "Error: CUDA initialized before the tool" 0 0 memcheck
expect 1 "exit status is 3" "1 checks, 1 failed\n$errors 0 errors" 3 3 memcheck
expect 77 "no device:gpu" "$no_gpu\nError: no CUDA call" 77 77 memcheck
expect 1 "finds it without" "$no_gpu\n$errors 0 errors" 77 0 memcheck
expect 0 "2 hazards" "$hazards 2 hazards displayed (2 errors, 0 warnings)" 1 0 --must-report racecheck
expect 1 "this program is wrong" "$hazards 0 hazards displayed (0 errors, 0 warnings)" 0 0 --must-report racecheck
expect 1 "without a summary" "no device" 1 0 --must-report racecheck
rm "$folder/compute-sanitizer"
if ! command -v compute-sanitizer >/dev/null && [ ! -x "${CUDA_PATH:-${CUDA_HOME:-/usr/local/cuda}}/bin/compute-sanitizer" ]; then
  expect 77 "no compute-sanitizer" "" 0 0 memcheck
fi
echo "$failures failures"
[ $failures = 0 ]
