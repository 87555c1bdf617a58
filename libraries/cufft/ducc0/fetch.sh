#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Fetches DUCC's source package (requirements.txt says which) from PyPI with pip, checks its hash,
# and puts the folders behind its FFT in FOLDER: ducc0/fft, ducc0/infra, ducc0/math. Does nothing if
# they are there already. Of DUCC, only files that may be used under BSD-3-Clause are compiled.
#
#   libraries/cufft/ducc0/fetch.sh FOLDER
set -eu

here=$(cd "$(dirname "$0")" && pwd)
folder=$1
package=$(sed -n 's/^\(ducc0[^ ]*\).*/\1/p' "$here/requirements.txt")
[ "$(cat "$folder/.package" 2>/dev/null || true)" != "$package" ] || exit 0

fail() {
  cat >&2 <<TEXT
heddle: cannot get $package, the FFT behind cuFFT: $1
  libcufft will not be built; everything else works. Once PyPI can be reached
  (pip's options, such as PIP_INDEX_URL and HTTPS_PROXY, apply), run: ./dev setup
TEXT
  exit 1
}

python3 -m pip --version >/dev/null 2>&1 ||
  fail "pip is missing (Debian package python3-pip)"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
echo "Fetching $package" >&2
python3 -m pip download -q --disable-pip-version-check --no-deps --no-binary ducc0 \
  --require-hashes -r "$here/requirements.txt" -d "$scratch" >&2 ||
  fail "the download failed"
tar -xzf "$scratch"/ducc0-*.tar.gz -C "$scratch" || fail "the package is broken"

# Moved into place as a whole, so that an interrupted run leaves nothing that looks complete.
part=$folder.part.$$
rm -rf "$part"
mkdir -p "$part/ducc0"
for name in fft infra math; do
  cp -R "$scratch"/ducc0-*/src/ducc0/$name "$part/ducc0"
done
# The licence is the first part of each file's head.
sed -n '/^Copyright/,/^ADVISED\|^SOFTWARE, EVEN/p' "$part/ducc0/fft/fft.h" >"$part/License.txt"
echo "$package" >"$part/.package"
rm -rf "$folder"
mv "$part" "$folder"
