#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Fetches the numbers behind Sobol' sequences of up to 20,000 dimensions: S. Joe and F. Y. Kuo's
# "new-joe-kuo-6.21201", as SciPy's wheel (requirements.txt says which) carries them. Puts them in
# FOLDER/numbers.bin, from which libcurand makes direction vectors. Does nothing if they are there.
#
#   libraries/curand/joekuo/fetch.sh FOLDER
set -eu

here=$(cd "$(dirname "$0")" && pwd)
folder=$1
package=$(sed -n 's/^\(scipy[^ ]*\).*/\1/p' "$here/requirements.txt")
[ "$(cat "$folder/.package" 2>/dev/null || true)" != "$package" ] || exit 0

fail() {
  cat >&2 <<TEXT
heddle: cannot get $package, whose direction numbers libcurand's Sobol' generators need: $1
  libcurand will be built without those generators; everything else works. Once PyPI can be reached
  (pip's options, such as PIP_INDEX_URL and HTTPS_PROXY, apply), run: ./dev setup
TEXT
  exit 1
}

python3 -m pip --version >/dev/null 2>&1 ||
  fail "pip is missing (Debian package python3-pip)"
scratch=$(mktemp -d)
part=$folder.part.$$
trap 'rm -rf "$scratch" "$part"' EXIT
echo "Fetching $package" >&2
python3 -m pip download -q --disable-pip-version-check --no-deps --only-binary :all: \
  --platform macosx_14_0_arm64 --implementation cp --python-version 3.12 \
  --require-hashes -r "$here/requirements.txt" -d "$scratch" >&2 ||
  fail "the download failed"
mkdir -p "$part"
python3 "$here/extract.py" "$scratch"/scipy-*.whl "$part" || fail "the package is broken"

# Moved into place as a whole, so that an interrupted run leaves nothing that looks complete.
echo "$package" >"$part/.package"
rm -rf "$folder"
mv "$part" "$folder"
