#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Builds Heddle with the address and undefined-behaviour sanitizers and runs its tests with them.
#
#   tests/sanitize.sh [folder] [ctest options]      (default: build-sanitize, the tests named below)
#
# The sanitizer's runtime is a shared library here, so that programs which heddlecc has linked can
# load a sanitized libcudart; it is preloaded because it must come before the C library.
set -eu

source=$(cd "$(dirname "$0")/.." && pwd)
build=${1:-$source/build-sanitize}
[ $# -gt 0 ] && shift
mkdir -p "$build"
build=$(cd "$build" && pwd)

compiler=${CXX:-clang++-19}
runtime=$("$compiler" -print-file-name=libclang_rt.asan-$(uname -m).so)
[ -e "$runtime" ] || {
  echo "sanitize.sh: $compiler has no shared sanitizer runtime (Debian package libclang-rt-19-dev;" \
    "./dev sanitize installs it)" >&2
  exit 1
}
launcher=$(command -v ccache || true)
flags="-shared-libsan -Wl,-rpath,$(dirname "$runtime")"
cmake -S "$source" -B "$build" -G Ninja -DHEDDLE_SANITIZE=ON -DBUILD_TESTING=ON -DCMAKE_CXX_COMPILER="$compiler" \
  -DCMAKE_C_COMPILER="${CC:-clang-19}" -DCMAKE_EXE_LINKER_FLAGS="$flags" \
  -DCMAKE_SHARED_LINKER_FLAGS="$flags" \
  -DCMAKE_C_COMPILER_LAUNCHER="$launcher" -DCMAKE_CXX_COMPILER_LAUNCHER="$launcher"
cmake --build "$build" --target all heddle_tests

# * Kernels end in the middle of their stacks, so their locals must stay on them.
# * Device memory belongs to a process for as long as it runs, as do cached programs: no leaks.
export ASAN_OPTIONS="detect_stack_use_after_return=0:detect_leaks=0:detect_odr_violation=0:${ASAN_OPTIONS:-}"
export UBSAN_OPTIONS="print_stacktrace=1:${UBSAN_OPTIONS:-}"
export HEDDLE_CACHE="$build/sanitize-cache"
export CTEST_OUTPUT_ON_FAILURE=1
if [ $# -eq 0 ]; then
  set -- -R '^unit\.|^conformance\.' -j "$(nproc)"
fi
cd "$build"
exec env LD_PRELOAD="$runtime" ctest --no-tests=error "$@"
