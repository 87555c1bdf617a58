#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# alone.sh EVERY_H COMPILER ARGUMENTS...: compiles each header that EVERY_H includes as the only one
# of a file. Names every header that fails.
every=$1
shift
failed=0
headers=$(sed -n 's/^#include <\(.*\)>/\1/p' "$every")
[ -n "$headers" ] || { echo "no headers in $every"; exit 1; }
for header in $headers; do
  echo "typedef int NotEmpty;" | "$@" -include "$header" - || { echo "$header does not compile alone"; failed=1; }
done
exit $failed
