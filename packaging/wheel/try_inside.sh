# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The steps of try.sh inside the chroot. The first failure ends it.
set -euo pipefail
venv="/home/user/a venv"
heddle="$venv/bin/heddle"
export PATH="$venv/bin:$PATH"

hello() {
  cat >hello.cu <<'TEXT'
#include <cstdio>
__global__ void hello() { printf("Hello from thread %d\n", threadIdx.x); }
int main() { hello<<<1, 2>>>(); return cudaDeviceSynchronize(); }
TEXT
  [ "$(heddle run hello.cu)" = $'Hello from thread 0\nHello from thread 1' ]
}

scratch() { cd "$(mktemp -d "${1:-$HOME}/try XXXX")"; }

install() {
  local begin=$SECONDS
  python3 -m venv "$venv"
  find "$venv" | sort >~/before
  "$venv/bin/pip" install -q --no-index --disable-pip-version-check /try/heddle-*.whl
  scratch
  hello
  echo "hello.cu runs $((SECONDS - begin)) s after the environment was begun; installed: $(du -sm "$venv"/lib/python3*/site-packages/heddle | cut -f1) MB"
  bash /try/try_as_user.sh /try/examples
  python3 -m heddle env >/dev/null
  if python3 -c 'import os, sys; sys.exit(os.confstr("CS_GNU_LIBC_VERSION") == "glibc 2.31")'; then
    python3 -c 'import heddle; heddle.enable(); import ctypes; assert ctypes.CDLL("libcudart.so.12").cudaGetDeviceCount'
  else
    { python3 -c 'import heddle; heddle.enable()' 2>&1 || true; } | grep 'need glibc 2.32'
  fi
  echo "Python's side works"
}

noexec() {
  scratch
  hello && echo "heddle run works"
}

read_only() {
  unset HOME
  scratch /tmp
  hello
  [ "$(stat -c %a "/tmp/heddle-cache-$(id -u)")" = 700 ]
  eval "$(heddle env)"
  nvcc hello.cu -o hello && ./hello >/dev/null
  echo "works"
}

without_library() {
  scratch
  echo 'int main() {}' >empty.cu
  code=0
  heddle run empty.cu >out 2>&1 || code=$?
  cat out
  [ $code != 0 ] && grep -q 'install it: sudo apt-get install g++' out && [ "$(wc -l <out)" -le 2 ]
  code=0
  heddle doctor >out 2>&1 || code=$?
  [ $code != 0 ] && grep -q 'install it: sudo apt-get install g++' out
}

without_linker() {
  scratch
  ! ld --version >/dev/null 2>&1
  hello && heddle doctor | grep '^ok *linker'
}

uninstall() {
  "$venv/bin/pip" uninstall -q -y heddle
  find "$venv" | sort >~/after
  # What Python compiled of the standard packages is not ours.
  diff <(grep -v __pycache__ ~/before) <(grep -v __pycache__ ~/after) && echo "removed: nothing stays but $HOME/.cache/heddle"
}

"$1"
