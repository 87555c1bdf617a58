#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Makes heddle-VERSION-py3-none-manylinux_2_31_x86_64.whl in FOLDER.
#
#   packaging/wheel/build.sh WORK FOLDER
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source=$(cd "$here/../.." && pwd)
[ $# = 2 ] || { echo "usage: packaging/wheel/build.sh WORK FOLDER" >&2; exit 2; }
mkdir -p "$1" "$2"
version=$(sed -n 's/^project(heddle VERSION \([0-9.]*\).*/\1/p' "$source/CMakeLists.txt")
"$here/../tree.sh" "$1" "$1/tree"
python3 "$here/pack.py" --version "$version" --tree "$1/tree" --packages "$source/python" --readme "$here/README.md" \
  --licence "$source/LICENSE" "$2"
