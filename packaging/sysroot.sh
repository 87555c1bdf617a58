#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Makes FOLDER: the headers and libraries against which packages are built that shall run on any Linux
# with glibc 2.31 and libstdc++ of GCC 9 or later.
#
#   packaging/sysroot.sh FOLDER
#
# The C and C++ libraries are Debian 11's, checked by apt; OpenBLAS, oneDNN and TBB are PyPI's builds for
# old systems, checked by pip against requirements.txt; what consists of headers alone (fmt, JSON, CLI11,
# Eigen) is this system's. Does nothing if it is there already.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
folder=$1
packages=(libc6 libc6-dev linux-libc-dev libcrypt1 libcrypt-dev libstdc++6 libstdc++-10-dev libgcc-s1 libgcc-10-dev
  libgomp1 libboost-context1.74-dev libboost-context1.74.0 libboost1.74-dev libxxhash-dev libxxhash0 zlib1g
  zlib1g-dev libzstd1 libzstd-dev libomp5-16 libjpeg62-turbo libjpeg62-turbo-dev)
headers=(fmt nlohmann CLI eigen3)

wanted=$(cat "${BASH_SOURCE[0]}" "$here/requirements.txt" | cksum)
[ "$(cat "$folder/.made" 2>/dev/null || true)" != "$wanted" ] || exit 0

fail() { echo "heddle: $*" >&2; exit 1; }
[ "$(dpkg --print-architecture 2>/dev/null)" = amd64 ] || fail "packages for any Linux are made on Debian for x86-64"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
rm -rf "$folder"
mkdir -p "$folder" "$scratch"/{lists/partial,archives/partial,debs,wheels}

echo "Fetching the libraries of Debian 11" >&2
echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian bullseye main" \
  >"$scratch/sources.list"
: >"$scratch/status"
apt=(apt-get -q -q -o "Dir::Etc::sourcelist=$scratch/sources.list" -o Dir::Etc::sourceparts=/nonexistent
  -o "Dir::State::Lists=$scratch/lists" -o "Dir::Cache::archives=$scratch/archives"
  -o "Dir::State::status=$scratch/status" -o APT::Sandbox::User=root)
"${apt[@]}" update || fail "Debian 11's package list cannot be fetched"
(cd "$scratch/debs" && "${apt[@]}" download "${packages[@]}") || fail "Debian 11's packages cannot be fetched"
for package in "$scratch"/debs/*.deb; do
  dpkg -x "$package" "$folder"
done
# Debian 11's /lib is a link to usr/lib; its packages unpack into both. Links stay within the folder.
cp -a "$folder/lib/." "$folder/usr/lib/"
rm -rf "${folder:?}/lib"
ln -s usr/lib "$folder/lib"
find "$folder" -type l -lname '/*' -printf '%p %l\n' | while read -r link target; do
  ln -sfr "$folder$target" "$link"
done

echo "Fetching OpenBLAS, oneDNN and TBB from PyPI" >&2
python3 -m pip download -q --disable-pip-version-check --no-deps --require-hashes --only-binary :all: \
  -r "$here/requirements.txt" -d "$scratch/wheels" || fail "PyPI's packages cannot be fetched"
local_=$folder/usr/local
mkdir -p "$local_/include" "$local_/lib" "$local_/share/licenses"
for wheel in "$scratch"/wheels/*.whl; do
  python3 -m zipfile -e "$wheel" "$scratch/unpacked"
done
for data in "$scratch"/unpacked/*.data/data; do
  cp -a "$data/." "$local_/"
done
cp -a "$scratch/unpacked/scipy_openblas32/include/." "$local_/include/"
cp "$scratch/unpacked/scipy_openblas32/lib/libscipy_openblas.so" "$local_/lib/"
mkdir -p "$local_/share/licenses/openblas"
find "$scratch/unpacked" -ipath '*scipy_openblas32*' -iname 'licen*' -type f -exec cp {} "$local_/share/licenses/openblas/" \;
for name in "${headers[@]}"; do
  [ -d "/usr/include/$name" ] || fail "/usr/include/$name is missing; run ./dev setup"
  cp -a "/usr/include/$name" "$local_/include/"
done
# Conversions of _Float16, which GCC has since version 12.
cp "$(clang-19 --rtlib=libgcc -print-libgcc-file-name)" "$local_/lib/libgcc_half.a"
mkdir -p "$local_/share/cmake"
for name in nlohmann_json CLI11; do
  found=$(find /usr/share/cmake /usr/lib/cmake "/usr/lib/$(uname -m)-linux-gnu/cmake" -maxdepth 1 -name "$name" -print -quit 2>/dev/null)
  [ -n "$found" ] || fail "CMake's files of $name are missing; run ./dev setup"
  cp -a "$found" "$local_/share/cmake/"
done
echo "$wanted" >"$folder/.made"
