#!/usr/bin/env bash
# Builds Freqstore and runs its tests and checks. See deploy/test.sh --help.
set -euo pipefail

TOP=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
readonly TOP
readonly BUILD="$TOP/build"  # and build-asan, build-tsan, ...: a folder a kind of build
JOBS=${FREQSTORE_JOBS:-$(nproc)}
FUZZ_SECONDS=${FREQSTORE_FUZZ_SECONDS:-60}

# Steps that run without arguments, in this order.
DEFAULT_STEPS=(deps release quickstart asan tsan fuzz clang)

# Folders of tests/ whose tests run under the sanitizers. ThreadSanitizer stays below gRPC, whose own
# synchronisation it cannot see in Debian's build.
ASAN_FOLDERS=(tests/storage tests/gpu/kernels)
TSAN_FOLDERS=(tests/storage/base tests/storage/engine tests/gpu/worker tests/server/exec)

help() {
  cat <<HELP
usage: deploy/test.sh [STEP...]

Without arguments: ${DEFAULT_STEPS[*]}. Stops at the first step that fails.

  deps        install missing Debian packages (as root; otherwise only check)
  release     build everything with g++, optimised, and run all tests but those that need a GPU
  quickstart  run deploy/quickstart.sh on that build
  asan        address and undefined behaviour sanitizers (clang++): ${ASAN_FOLDERS[*]}
  tsan        thread sanitizer (g++): ${TSAN_FOLDERS[*]}
  fuzz        run each fuzz target for FREQSTORE_FUZZ_SECONDS (now $FUZZ_SECONDS)
  clang       compile everything with clang++
  tidy        clang-tidy over all sources (slow, not among the default steps)

Environment: FREQSTORE_TEST_DATA (test material; ../shared/data if that exists), FREQSTORE_JOBS (now $JOBS),
FREQSTORE_FUZZ_SECONDS. Build folders are $BUILD-STEP; delete them to start afresh.
HELP
}

heading() { printf '\n======== %s\n' "$*"; }

# configure STEP CMAKE_ARGUMENT...
configure() {
  local step=$1
  shift
  mkdir -p "$BUILD-$step"
  cmake -S "$TOP" -B "$BUILD-$step" -G Ninja "$@" > "$BUILD-$step/configure.log" 2>&1 || {
    cat "$BUILD-$step/configure.log"
    return 1
  }
}

# build STEP TARGET...
build() {
  local step=$1
  shift
  ninja -C "$BUILD-$step" -j "$JOBS" --quiet "$@"
}

# run_tests STEP FOLDER [CTEST_ARGUMENT...]: the tests of a folder of the tree, all of them for "."
run_tests() {
  local step=$1 folder=$2
  shift 2
  ctest --test-dir "$BUILD-$step/$folder" -j "$JOBS" --output-on-failure --progress --no-tests=error \
    -LE gpu "$@"
}

step_deps() {
  if "$TOP/deploy/install-deps.sh" --check; then return; fi
  [ "$(id -u)" -eq 0 ] || { echo "packages are missing; run deploy/install-deps.sh as root" >&2; return 1; }
  "$TOP/deploy/install-deps.sh"
}

step_release() {
  configure release -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER=g++
  build release
  run_tests release .
}

step_quickstart() {
  local folder
  folder=$(mktemp -d)
  FREQSTORE_BUILD_DIR="$BUILD-release" FREQSTORE_QUICKSTART_DIR="$folder" "$TOP/deploy/quickstart.sh" |
    tee "$folder/output.txt"
  # "accuracy: 387 of 400 right (96.8 %)"
  awk '/^accuracy:/ { good = $2 >= 0.9 * $4 } END { exit !good }' "$folder/output.txt" ||
    { echo "the sample network is right for less than 90 % of its photos"; return 1; }
  rm -rf "$folder"
}

# sanitized STEP FOLDER...: builds the folders' tests and what they need, and runs them
sanitized() {
  local step=$1 folder
  shift
  build "$step" "${@/%//all}"
  for folder in "$@"; do run_tests "$step" "$folder"; done
}

step_asan() {
  configure asan -DCMAKE_BUILD_TYPE=Debug -DFREQSTORE_CUDA=OFF -DCMAKE_CXX_COMPILER=clang++ -DCMAKE_CXX_FLAGS_DEBUG="-O1 -g1" \
    -DFREQSTORE_SANITIZE="address;undefined"
  ASAN_OPTIONS=detect_stack_use_after_return=1:strict_string_checks=1 UBSAN_OPTIONS=print_stacktrace=1 \
    sanitized asan "${ASAN_FOLDERS[@]}"
}

step_tsan() {
  configure tsan -DCMAKE_BUILD_TYPE=Debug -DFREQSTORE_CUDA=OFF -DCMAKE_CXX_COMPILER=g++ -DCMAKE_CXX_FLAGS_DEBUG="-O1 -g1" \
    -DFREQSTORE_SANITIZE=thread
  TSAN_OPTIONS="halt_on_error=1:second_deadlock_stack=1:suppressions=$TOP/tests/tsan/suppressions.txt" \
    sanitized tsan "${TSAN_FOLDERS[@]}"
}

# Runs one fuzz target on its corpus and seeds; those that take JPEG files start from the test material's odd ones.
run_fuzzer() {
  local target=$1 name corpora folder
  name=$(basename "$target")
  mkdir -p "$BUILD-fuzz/corpus/$name" "$BUILD-fuzz/artifacts/$name"
  corpora=("$BUILD-fuzz/corpus/$name")
  folder="$TOP/tests/fuzz/seeds/$name"
  [ ! -d "$folder" ] || corpora+=("$folder")
  folder="${FREQSTORE_TEST_DATA:-}/zoo"
  [[ ! $name =~ jpeg|import || ! -d "$folder" ]] || corpora+=("$folder")
  if "$target" -max_total_time="$FUZZ_SECONDS" -timeout=30 -rss_limit_mb=4096 -print_final_stats=1 -verbosity=0 \
    -artifact_prefix="$BUILD-fuzz/artifacts/$name/" "${corpora[@]}" > "$BUILD-fuzz/$name.log" 2>&1; then
    echo "$name: $(awk '/number_of_executed_units/ { print $2 }' "$BUILD-fuzz/$name.log") inputs, no finding"
  else
    tail -n 60 "$BUILD-fuzz/$name.log"
    echo "$name: FAILED; again: $target $BUILD-fuzz/artifacts/$name/*"
    return 1
  fi
}

step_fuzz() {
  configure fuzz -DCMAKE_BUILD_TYPE=Debug -DFREQSTORE_CUDA=OFF -DCMAKE_CXX_COMPILER=clang++ -DCMAKE_CXX_FLAGS_DEBUG="-O1 -g1" \
    -DFREQSTORE_SANITIZE="address;undefined" -DFREQSTORE_FUZZ=ON
  build fuzz tests/fuzz/all
  local target failed=0
  local running=()
  for target in "$BUILD-fuzz"/bin/*fuzz*; do
    run_fuzzer "$target" &
    running+=($!)
    if [ "${#running[@]}" -ge "$JOBS" ]; then
      wait "${running[0]}" || failed=1
      running=("${running[@]:1}")
    fi
  done
  for target in "${running[@]}"; do wait "$target" || failed=1; done
  return "$failed"
}

step_clang() {
  configure clang -DCMAKE_BUILD_TYPE=Debug -DFREQSTORE_CUDA=OFF -DCMAKE_CXX_COMPILER=clang++ -DCMAKE_CXX_FLAGS_DEBUG=-O0
  build clang
}

step_tidy() {
  configure tidy -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_COMPILER=clang++
  build tidy freqstore_storage_proto freqstore_api_proto
  run-clang-tidy -quiet -j "$JOBS" -p "$BUILD-tidy" "$TOP/(storage|gpu|server|client|deploy)/.*\.cc$"
}

run_step() {
  local step=$1 started=$SECONDS
  heading "$step"
  # A shell of its own, so that `set -e` holds inside the step although its failure is looked at here.
  if bash -c 'source "$1"; "step_$2"' run-step "${BASH_SOURCE[0]}" "$step"; then
    SUMMARY+=("$(printf '%-11s passed  %4d s' "$step" $((SECONDS - started)))")
    return
  fi
  SUMMARY+=("$(printf '%-11s FAILED  %4d s' "$step" $((SECONDS - started)))")
  heading "FAILED: $step"
  printf '%s\n' "${SUMMARY[@]}"
  echo "run it again: deploy/test.sh $step"
  exit 1
}

main() {
  local step
  case "${1:-}" in -h | --help) help; exit 0 ;; esac
  for step in "$@"; do
    declare -F "step_$step" > /dev/null || { echo "test.sh: no step '$step'; see --help" >&2; exit 2; }
  done
  [ $# -gt 0 ] || set -- "${DEFAULT_STEPS[@]}"
  if [ -z "${FREQSTORE_TEST_DATA:-}" ] && [ -d "$TOP/../shared/data" ]; then
    FREQSTORE_TEST_DATA=$(realpath "$TOP/../shared/data")
    export FREQSTORE_TEST_DATA
  fi
  echo "test material: ${FREQSTORE_TEST_DATA:-none; tests that need it are skipped (FREQSTORE_TEST_DATA)}"
  SUMMARY=()
  for step in "$@"; do run_step "$step"; done
  heading "all passed in $SECONDS s"
  printf '%s\n' "${SUMMARY[@]}"
}

# Sourced: only the functions, for a single step.
[ "${BASH_SOURCE[0]}" != "$0" ] || main "$@"
