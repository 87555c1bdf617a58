#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Makes heddle_VERSION_ARCHITECTURE.deb in FOLDER from a finished build. It is for the Debian release that it
# was built on. Who makes it is its maintainer: DEBFULLNAME and DEBEMAIL, as for Debian's own tools, or
# git's user.
#
#   packaging/deb/build.sh BUILD FOLDER
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source=$(cd "$here/../.." && pwd)
[ $# = 2 ] || { echo "usage: packaging/deb/build.sh BUILD FOLDER" >&2; exit 2; }
build=$(cd "$1" && pwd)
mkdir -p "$2"
output=$(cd "$2" && pwd)

die() { echo "packaging/deb/build.sh: $*" >&2; exit 1; }
for tool in dpkg-shlibdeps dpkg-deb strip; do
  command -v $tool >/dev/null || die "$tool is missing (Debian packages dpkg-dev, dpkg, binutils)"
done
[ -x "$build/bin/heddlecc" ] || die "$build has no finished build of Heddle: ./dev build"
version=$(sed -n 's/^CMAKE_PROJECT_VERSION:STATIC=//p' "$build/CMakeCache.txt")
name=${DEBFULLNAME:-$(git -C "$source" config user.name 2>/dev/null || true)}
address=${DEBEMAIL:-$(git -C "$source" config user.email 2>/dev/null || true)}
[ -n "$name" ] && [ -n "$address" ] || die "who makes this package? Set DEBFULLNAME and DEBEMAIL"
maintainer="$name <$address>"

# The same sources give the same package: no file in it is younger than they are.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$source" log -1 --format=%ct 2>/dev/null || date +%s)}
export SOURCE_DATE_EPOCH

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
umask 022
stage=$scratch/stage
prefix=$stage/usr/lib/heddle
doc=$stage/usr/share/doc/heddle

# A prefix of its own, with links in /usr/bin (docs/decisions/0019-a-prefix-of-its-own.md).
install_files() {
  DESTDIR=$stage cmake --install "$build" --prefix /usr/lib/heddle >"$scratch/log" || { cat "$scratch/log" >&2; die "cmake --install failed"; }
  mkdir -p "$stage/usr/bin" "$doc"
  ln -s ../lib/heddle/bin/heddle ../lib/heddle/bin/heddlecc "$stage/usr/bin"
  local cccl
  for cccl in cccl cccl-12; do
    if [ -d "$prefix/lib/heddle/$cccl/include" ]; then
      "$source/packaging/cccl/free_headers.py" "$prefix/lib/heddle/$cccl/include"
      # Marks of a Python package.
      rm -f "$prefix/lib/heddle/$cccl/include/__init__.py" "$prefix/lib/heddle/$cccl/lib/__init__.py"
    else
      echo "warning: this package is without Thrust, CUB and libcu++ ($cccl)" >&2
    fi
  done
  [ -e "$prefix/lib/libcufft.so" ] || echo "warning: this package is without cuFFT" >&2
  [ -e "$prefix/lib/libcudnn.so" ] || echo "warning: this package is without cuDNN" >&2
}

# Debian's places for what people read. The copyright file stands for all licences.
install_documents() {
  rm -rf "$prefix/share/doc"
  cp "$source/README.md" "$doc"
  cp -R "$source/examples" "$doc/examples"
  cp "$source"/docs/*.md "$doc"
  cp "$here/copyright" "$doc/copyright"
  sed "s/@MAINTAINER@/$maintainer/; s/@DATE@/$(date -R -d "@$SOURCE_DATE_EPOCH")/" \
    "$here/changelog" | gzip -9n >"$doc/changelog.gz"
  mkdir -p "$stage/usr/share/man/man1" "$stage/usr/share/lintian/overrides"
  "$here/man_page.py" "$version" "run, check and profile CUDA programs on the CPU" "$build/bin/heddle" \
    run check profile expect occupancy toolkit env cache | gzip -9n >"$stage/usr/share/man/man1/heddle.1.gz"
  "$here/man_page.py" "$version" "compile CUDA C++, in the place of nvcc" "$build/bin/heddlecc" |
    gzip -9n >"$stage/usr/share/man/man1/heddlecc.1.gz"
  cp "$here/lintian-overrides" "$stage/usr/share/lintian/overrides/heddle"
}

# The programs and libraries among the files below a folder, NUL behind each.
binaries() {
  find "$1" -type f -size +3c -print0 | while IFS= read -r -d '' path; do
    [ "$(head -c 4 "$path" | tr -d '\0')" != $'\x7fELF' ] || printf '%s\0' "$path"
  done
}

# What is for debuggers goes; what libraries export, and kernels' images, which are data, stay.
strip_binaries() {
  binaries "$prefix" | while IFS= read -r -d '' path; do
    strip --strip-unneeded --remove-section=.comment --remove-section=.note -o "$scratch/stripped" "$path"
    cat "$scratch/stripped" >"$path"
  done
}

# DEBIAN/, with the packages of the libraries that are linked as dependencies.
make_control() {
  mkdir -p "$scratch/debian" "$stage/DEBIAN"
  sed "s/@MAINTAINER@/$maintainer/" "$here/control" >"$scratch/debian/control"
  zcat "$doc/changelog.gz" >"$scratch/debian/changelog"
  local found
  mapfile -d '' -t found < <(binaries "$prefix")
  (cd "$scratch" && dpkg-shlibdeps --warnings=1 -l"$prefix/lib" -xheddle -O"$scratch/debian/substvars" "${found[@]}") ||
    die "dpkg-shlibdeps does not find all libraries"
  (cd "$stage" && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum) >"$stage/DEBIAN/md5sums"
  (cd "$scratch" && dpkg-gencontrol -pheddle -v"$version" -P"$stage" -T"$scratch/debian/substvars" -n"$deb" -f"$scratch/files")
}

deb=heddle_${version}_$(dpkg --print-architecture).deb
install_files
install_documents
chmod -R u+rwX,go+rX,go-w "$stage"
find "$prefix/include" "$stage/usr/share" -type f -exec chmod 644 {} +
strip_binaries
make_control
dpkg-deb --root-owner-group -Zxz --build "$stage" "$scratch/$deb" >/dev/null
mv "$scratch/$deb" "$output"
echo "$output/$deb: $(du -h "$output/$deb" | cut -f 1)"
