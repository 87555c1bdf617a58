#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Installs the npm packages that the page is made with (package-lock.json has versions and hashes) in
# FOLDER. Does nothing if they are there already. No package's scripts are run.
#
#   src/cli/profile/page/fetch.sh FOLDER
set -eu

here=$(cd "$(dirname "$0")" && pwd)
folder=$1
wanted=$(cksum <"$here/package-lock.json")
[ "$(cat "$folder/.packages" 2>/dev/null || true)" != "$wanted" ] || exit 0

fail() {
  cat >&2 <<TEXT
heddle: cannot get the npm packages of heddle profile --html: $1
  Heddle is built without the page; everything else works. Once the npm registry can be reached
  (npm's settings apply), run: ./dev setup
TEXT
  exit 1
}

command -v npm >/dev/null 2>&1 || fail "npm is missing (Debian packages nodejs and npm)"
echo "Fetching the packages of heddle profile --html" >&2
rm -rf "$folder"
mkdir -p "$folder"
cp "$here/package.json" "$here/package-lock.json" "$folder"
(cd "$folder" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error >&2) || {
  rm -rf "$folder"
  fail "the installation failed"
}
echo "$wanted" >"$folder/.packages"
