// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Starts libexec/heddle/heddle-compiler under the name that this file has: heddlecc, nvcc,
// heddle-jit …
//
// So one file holds LLVM, and its many names cost a few kilobytes each, also where there are no
// links (wheels) and where they would mislead: ccache and CMake look at what a link points to.
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define COMPILER "libexec/heddle/heddle-compiler"

int main(int argc, char **argv) {
  (void)argc;
  char self[PATH_MAX], compiler[PATH_MAX + sizeof COMPILER];
  const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
  if (length <= 0) {
    fprintf(stderr, "heddle: /proc is not mounted, so Heddle's files cannot be found\n");
    return 127;
  }
  self[length] = 0;
  char *name = strrchr(self, '/');
  strcpy(compiler, self);
  // This file lies in bin/, in libexec/heddle/, or deeper.
  for (char *end; (end = strrchr(compiler, '/'));) {
    strcpy(end + 1, COMPILER);
    if (access(compiler, F_OK) == 0)
      break;
    *end = 0;
  }
  if (access(compiler, F_OK) == 0) {
    argv[0] = self;
    execv(compiler, argv);
  }
  fprintf(stderr, "%s: cannot run %s: %s\n", name + 1, *compiler ? compiler : COMPILER,
          strerror(errno));
  return 127;
}
