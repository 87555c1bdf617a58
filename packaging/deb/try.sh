#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Installs a package in a fresh Debian, uses it as an ordinary user, removes it, and looks for what stays. As
# root; ROOT is a folder that debootstrap has made, of which nothing is expected but apt:
#
#   debootstrap --variant=minbase bookworm ROOT http://deb.debian.org/debian
#   packaging/deb/try.sh ROOT heddle_0.1.0_amd64.deb
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
[ $# = 2 ] || { echo "usage: packaging/deb/try.sh ROOT PACKAGE" >&2; exit 2; }
root=$(cd "$1" && pwd)
package=$(realpath "$2")
[ "$(id -u)" = 0 ] || { echo "try.sh: chroot needs root" >&2; exit 1; }
[ -x "$root/usr/bin/apt-get" ] || { echo "try.sh: $root is no Debian" >&2; exit 1; }

mkdir -p "$root/try"
cp "$package" "$root/try/heddle.deb"
cp "$here/../try_as_user.sh" "$root/try"
# Mounts are this process's own, and end with it.
exec unshare -m bash -euo pipefail -c '
root=$1
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
cp -L /etc/resolv.conf "$root/etc/resolv.conf"
cat >"$root/try/inside.sh" <<"INSIDE"
set -euo pipefail
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8
files() { find / -xdev \( -path /proc -o -path /dev -o -path /sys -o -path /var -o -path /tmp -o -path /home -o -path /try \) -prune -o -print | LC_ALL=C sort; }
apt-get -q update >/dev/null
id user >/dev/null 2>&1 || useradd -m user
# What it depends on first, so that all that appears afterwards is Heddle itself.
apt-get -q -y install /try/heddle.deb >/dev/null
apt-get -q -y remove heddle >/dev/null
files >/try/before
apt-get -q -y install /try/heddle.deb >/dev/null
echo "installed: $(dpkg-query -W -f "\${Version}, \${Installed-Size} kB" heddle)"
su user -c "cd && bash /try/try_as_user.sh /usr/share/doc/heddle/examples"
apt-get -q -y purge heddle >/dev/null
files >/try/after
diff /try/before /try/after || { echo "FAILED: the package leaves files behind"; exit 1; }
echo "removed: nothing stays"
INSIDE
exec chroot "$root" bash /try/inside.sh' sh "$root"
