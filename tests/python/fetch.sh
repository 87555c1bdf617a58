#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Makes a Python environment in FOLDER with the packages of requirements.txt, or of another list, from PyPI with pip, which
# checks their hashes. Does nothing if it is there already.
#
#   tests/python/fetch.sh FOLDER [triton.txt | ../torch/requirements.txt]
set -eu

here=$(cd "$(dirname "$0")" && pwd)
folder=$1
list=$here/${2:-requirements.txt}
wanted=$(cksum <"$list")
[ "$(cat "$folder/.requirements" 2>/dev/null || true)" != "$wanted" ] || exit 0

# A list may say that what its packages ask for is not wanted.
dependencies=$(sed -n 's/^# pip: \(--no-deps\)$/\1/p' "$list")

fail() {
  cat >&2 <<TEXT
heddle: cannot get the Python packages that tests need: $1
  These tests are skipped; everything else works. Once PyPI can be reached, run: ./dev setup
TEXT
  exit 1
}

echo "Fetching Python packages for tests/python" >&2
rm -rf "$folder"
python3 -m venv "$folder" || fail "python3 makes no environment (Debian package python3-venv)"
"$folder/bin/python3" -m pip install -q --disable-pip-version-check --only-binary :all: \
  --require-hashes $dependencies -r "$list" >&2 || {
  rm -rf "$folder"
  fail "the installation failed"
}
echo "$wanted" >"$folder/.requirements"
