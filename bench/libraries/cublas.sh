#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Measures cuBLAS against OpenBLAS called directly, with two threads: bench/libraries/cublas.sh [BUILD]
set -e
here=$(dirname "$0")
build=${1:-$here/../../build}
program=$(mktemp)
trap 'rm -f "$program"' EXIT
"$build/bin/heddlecc" -O2 "$here/cublas.cu" -lcublas -lopenblas -o "$program"
OPENBLAS_NUM_THREADS=2 "$program"
