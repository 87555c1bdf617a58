#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Makes FOLDER: Heddle as it runs on any x86-64 Linux with glibc 2.31 or later. It holds everything but a C++
# standard library's headers, can be moved, and knows nothing of where it was built.
#
#   packaging/tree.sh WORK FOLDER
#
# Two builds in WORK, which are kept for the next time:
#   compiler/  heddle-compiler, with Clang, LLVM and lld inside, which needs no library of the system
#   runtime/   what programs load and call; it holds no LLVM, and is built against an old system (sysroot.sh)
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source=$(cd "$here/.." && pwd)
[ $# = 2 ] || { echo "usage: packaging/tree.sh WORK FOLDER" >&2; exit 2; }
mkdir -p "$1"
work=$(cd "$1" && pwd)
folder=$2
clang_version=19
llvm=/usr/lib/llvm-$clang_version
sysroot=$source/.cache/sysroot

die() { echo "packaging/tree.sh: $*" >&2; exit 1; }
for tool in patchelf strip cmake ninja; do
  command -v $tool >/dev/null || die "$tool is missing; run ./dev package, which installs it"
done

configure() {
  local name=$1
  shift
  [ -f "$work/$name/build.ninja" ] || cmake -S "$source" -B "$work/$name" -G Ninja -DCMAKE_BUILD_TYPE=Release -DBUILD_TESTING=OFF \
    "-DCMAKE_CXX_FLAGS_RELEASE=-O2 -DNDEBUG" "-DCMAKE_C_FLAGS_RELEASE=-O2 -DNDEBUG" \
    -DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache "$@" >"$work/$name.log" 2>&1 ||
    { cat "$work/$name.log" >&2; die "configuring $name failed"; }
}

build_compiler() {
  configure compiler -DHEDDLE_STATIC_LLVM=ON -DCMAKE_C_COMPILER=clang-$clang_version -DCMAKE_CXX_COMPILER=clang++-$clang_version
  ninja -C "$work/compiler" heddle-compiler heddlecc heddle-jit devicelib libdevice
  # Clang's own headers, where this compiler looks for them; those of other processors stay behind.
  local headers=lib/clang/$clang_version/include
  mkdir -p "$work/compiler/$headers"
  cp -R "$llvm/$headers/." "$work/compiler/$headers/"
  (cd "$work/compiler/$headers" && rm -rf arm_* arm64intr.h riscv_* hexagon_* hvx_* hlsl* sifive_vector.h ppc_wrappers altivec.h \
    htm*.h s390intrin.h vecintrin.h velintrin* wasm_simd128.h msa.h opencl-c*.h amdgpuintrin.h)
}

build_runtime() {
  "$here/sysroot.sh" "$sysroot"
  # What lies in lib/ finds the rest there; programs in bin/ do, too.
  configure runtime -DCMAKE_TOOLCHAIN_FILE="$here/sysroot.cmake" -DHEDDLE_SYSROOT="$sysroot" \
    -DHEDDLE_COMPILER_FROM="$work/compiler" -DCMAKE_INSTALL_RPATH='$ORIGIN;$ORIGIN/../lib' -DCMAKE_SHARED_LINKER_FLAGS_INIT=-Wl,-z,defs
  HEDDLE_CACHE="$work/cache" ninja -C "$work/runtime"
}

# A library that ours need, as a file of its soname.
bundle() {
  local library=$1 soname
  soname=$(patchelf --print-soname "$library")
  cp -L "$library" "$folder/lib/$soname"
  patchelf --set-rpath '$ORIGIN' "$folder/lib/$soname"
  # CUDA 13's lib64 is a folder of links, which a library loaded from there looks beside itself in.
  ln -s "../../../../lib/$soname" "$folder/share/heddle/toolkit/lib64/$soname"
}

install_files() {
  rm -rf "$folder"
  cmake --install "$work/runtime" --prefix "$folder" >"$work/install.log" || { cat "$work/install.log" >&2; die "cmake --install failed"; }
  install -m 755 "$work/compiler/libexec/heddle/heddle-compiler" "$folder/libexec/heddle/"
  install -m 644 "$work/compiler/lib/heddle/devicelib.bc" "$folder/lib/heddle/"
  install -D -m 644 "$work/compiler/share/heddle/toolkit/nvvm/libdevice/libdevice.10.bc" \
    "$folder/share/heddle/toolkit/nvvm/libdevice/libdevice.10.bc"
  mkdir -p "$folder/lib/clang/$clang_version"
  cp -R "$work/compiler/lib/clang/$clang_version/include" "$folder/lib/clang/$clang_version/"
  cp "$llvm/lib/clang/$clang_version/include/omp.h" "$folder/lib/clang/$clang_version/include/"
  local system=$sysroot/usr/lib/x86_64-linux-gnu own=$sysroot/usr/local/lib library
  for library in "$own"/{libscipy_openblas.so,libdnnl.so,libtbb.so} "$system"/{libboost_context.so.1.74.0,libgomp.so.1,libomp.so.5,libjpeg.so.62}; do
    bundle "$library"
  done
  ln -s libomp.so.5 "$folder/lib/libomp.so" # -fopenmp
  "$here/cccl/free_headers.py" "$folder/lib/heddle/cccl/include"
  "$here/cccl/free_headers.py" "$folder/lib/heddle/cccl-12/include"
  find "$folder" -type f \( -path "$folder/bin/*" -o -path "$folder/libexec/*" -o -name '*.so*' \) -exec sh -c '
    for file; do
      if [ "$(head -c 4 "$file")" = "$(printf "\177ELF")" ]; then strip --strip-unneeded "$file"; fi
    done' sh {} +
}

# Everything that is inside, by the name of its project.
install_licences() {
  local doc=$folder/share/doc/heddle/licences package
  mkdir -p "$doc"
  # LLVM, Clang and lld; glibc and GCC's libraries (inside heddle-compiler, and libgomp); headers.
  for package in llvm-$clang_version-dev libc6 libstdc++6 libfmt-dev libcli11-dev nlohmann-json3-dev libeigen3-dev \
    libxxhash-dev zlib1g libzstd-dev; do
    [ -e "/usr/share/doc/$package/copyright" ] || die "/usr/share/doc/$package/copyright is missing"
    cp -L "/usr/share/doc/$package/copyright" "$doc/$package"
  done
  for package in libomp5-16 libboost1.74-dev libjpeg62-turbo; do
    cp -L "$sysroot/usr/share/doc/$package/copyright" "$doc/$package"
  done
  find "$sysroot/usr/local/share" -type f \( -iname '*licen*' -o -iname '*third-party*' \) -print0 |
    while IFS= read -r -d '' file; do
      cp "$file" "$doc/$(basename "$(dirname "$file")")-$(basename "$file")"
    done
  cp "$here/licences.md" "$doc/README.md"
}

# Nothing may name a place of the machine that built it. (Sources' names in assertions are relative.)
check_places() {
  local found
  found=$(grep -rlaF -e "$source" -e "$work" "$folder" || true)
  [ -z "$found" ] || die "these files name folders of this machine: $found"
}

# Each library finds what it needs, in each folder from which programs load it.
check_libraries() {
  local library missing=
  for library in "$folder"/lib/*.so* "$folder"/share/heddle/toolkit*/lib64/*.so*; do
    if ldd "$library" 2>&1 | grep -q 'not found'; then missing+=" $library"; fi
  done
  [ -z "$missing" ] || die "these libraries lack others:$missing"
}

build_compiler
build_runtime
install_files
install_licences
check_libraries
check_places
