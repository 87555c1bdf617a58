#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Installs a wheel in a fresh Debian as an ordinary user, uses it, misuses it, removes it, and looks for what stays. As
# root; ROOT is a folder that debootstrap has made, in which nothing is expected but Python and a C++ library:
#
#   debootstrap --variant=minbase --include=python3-venv,g++ bullseye ROOT http://deb.debian.org/debian
#   packaging/wheel/try.sh ROOT heddle-0.1.0-py3-none-manylinux_2_31_x86_64.whl
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source=$(cd "$here/../.." && pwd)
[ $# = 2 ] || { echo "usage: packaging/wheel/try.sh ROOT WHEEL" >&2; exit 2; }
root=$(cd "$1" && pwd)
wheel=$(realpath "$2")
[ "$(id -u)" = 0 ] || { echo "try.sh: chroot needs root" >&2; exit 1; }
[ -x "$root/usr/bin/python3" ] || { echo "try.sh: there is no Python in $root" >&2; exit 1; }

rm -rf "$root/try"
mkdir -p "$root/try"
cp "$wheel" "$root/try/"
cp "$here/../try_as_user.sh" "$here/try_inside.sh" "$root/try"
cp -R "$source/examples" "$root/try/examples"
# Mounts are this process's own, and end with it.
exec unshare -m bash -euo pipefail -c '
root=$1
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
cat >"$root/try/inside.sh" <<"INSIDE"
set -euo pipefail
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8
id user >/dev/null 2>&1 || useradd -m user
rm -rf /home/user/* /home/user/.cache
su user -c "cd && bash /try/try_inside.sh install"
echo "== /tmp without programs"
mount -o remount,noexec /tmp
su user -c "cd && bash /try/try_inside.sh noexec"
mount -o remount,exec /tmp
echo "== a read-only installation, another user, no home"
mount --bind "/home/user/a venv" "/home/user/a venv"
mount -o remount,bind,ro "/home/user/a venv"
chmod a+rx /home/user
su nobody -s /bin/bash -c "env -u HOME bash /try/try_inside.sh read_only"
umount "/home/user/a venv"
echo "== no C++ library"
libraries=$(echo /usr/include/c++/*)
mkdir -p /tmp/empty
mount --bind /tmp/empty "$libraries"
su user -c "cd && bash /try/try_inside.sh without_library"
umount "$libraries"
echo "== no linker"
for ld in /usr/bin/{,x86_64-linux-gnu-}ld{,.bfd,.gold}; do mount --bind /dev/null "$(readlink -f "$ld")" 2>/dev/null || true; done
su user -c "cd && bash /try/try_inside.sh without_linker"
su user -c "cd && bash /try/try_inside.sh uninstall"
INSIDE
exec chroot "$root" bash /try/inside.sh' sh "$root"
