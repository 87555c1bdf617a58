#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Makes heddle-VERSION-linux-x86_64.tar.xz in FOLDER: to be unpacked anywhere, bin/heddle runs as it is.
#
#   packaging/tar/build.sh WORK FOLDER
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source=$(cd "$here/../.." && pwd)
[ $# = 2 ] || { echo "usage: packaging/tar/build.sh WORK FOLDER" >&2; exit 2; }
mkdir -p "$1" "$2"
version=$(sed -n 's/^project(heddle VERSION \([0-9.]*\).*/\1/p' "$source/CMakeLists.txt")
name=heddle-$version-linux-x86_64
"$here/../tree.sh" "$1" "$1/$name"
tar -C "$1" -cJf "$2/$name.tar.xz.new" --owner=0 --group=0 --sort=name "$name"
mv "$2/$name.tar.xz.new" "$2/$name.tar.xz"
rm -rf "${1:?}/$name"
echo "$2/$name.tar.xz"
