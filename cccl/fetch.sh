#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Fetches CCCL's headers (REQUIREMENTS, a file beside this one, says which) from PyPI with pip, checks
# their hash, and puts them in FOLDER: include/, lib/cmake/ and License.txt. Does nothing if they are
# there already.
#
#   cccl/fetch.sh FOLDER REQUIREMENTS
set -eu

here=$(cd "$(dirname "$0")" && pwd)
folder=$1
requirements=$here/$2
package=$(sed -n 's/^\(nvidia[^ ]*\).*/\1/p' "$requirements")
[ "$(cat "$folder/.package" 2>/dev/null || true)" != "$package" ] || exit 0

fail() {
  cat >&2 <<TEXT
heddle: cannot get $package, the headers of Thrust, CUB and libcu++: $1
  Programs that include them will not compile; everything else works. Once PyPI can be reached
  (pip's options, such as PIP_INDEX_URL and HTTPS_PROXY, apply), run: ./dev setup
TEXT
  exit 1
}

python3 -m pip --version >/dev/null 2>&1 ||
  fail "pip is missing (Debian package python3-pip)"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
echo "Fetching $package" >&2
python3 -m pip download -q --disable-pip-version-check --no-deps --only-binary :all: \
  --require-hashes -r "$requirements" -d "$scratch" >&2 ||
  fail "the download failed"
python3 -m zipfile -e "$scratch"/*.whl "$scratch/unpacked" || fail "the package is broken"

# Moved into place as a whole, so that an interrupted run leaves nothing that looks complete.
part=$folder.part.$$
rm -rf "$part"
mkdir -p "$part"
# CUDA 13's has them in nvidia/cu13, and there in include/cccl.
headers=$(dirname "$(find "$scratch/unpacked" -type d -path '*/include/*' -name thrust | head -n 1)")
cp -R "$headers" "$part/include"
cp -R "$(find "$scratch/unpacked/nvidia" -type d -name lib | head -n 1)" "$part/lib"
find "$scratch/unpacked" -name License.txt -exec cp {} "$part" ';'
echo "$package" >"$part/.package"
rm -rf "$folder"
mv "$part" "$folder"
