#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs the commands of a test of passes: run.sh FILE.ll
set -euo pipefail
commands=$(sed -n 's/^; RUN: *//p' "$1")
[ -n "$commands" ] || { echo "$1 has no line '; RUN:'"; exit 1; }
commands=${commands//%s/$1}
commands=${commands//heddle-opt/$HEDDLE_OPT}
eval "set -o pipefail; ${commands//FileCheck/$FILECHECK}"
