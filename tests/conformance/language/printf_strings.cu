// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device printf of strings, characters and percent signs, empty strings, text without arguments
// and several lines in one call.
// stdout: plain text
// stdout: alpha||gamma
// stdout: [     right] [left      ] [cu]
// stdout: ABa 100% end
// stdout: one
// stdout: two
// stdout: three
// stdout: no newline, then one
// stdout:
// stdout: tab	here "quoted" \ a%d is not a format here
#include "check.h"

// clang-format off
__global__ void show() {
  const char *words[3] = {"alpha", "", "gamma"};
  printf("plain text\n");
  printf("%s|%s|%s\n", words[0], words[1], words[2]);
  printf("[%10s] [%-10s] [%.2s]\n", "right", "left", "cut");
  printf("%c%c%c 100%% %s\n", 65, (char)66, words[0][0], "end");
  printf("one\ntwo\nthree\n");
  printf("no newline, ");
  printf("then one\n");
  printf("\n");
  printf("tab\there \"quoted\" \\ %s\n", "a%d is not a format here");
}
// clang-format on

int main() {
  show<<<1, 1>>>();
  CHECK_EQ(cudaDeviceSynchronize(), cudaSuccess);
  RETURN_RESULT();
}
