// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// String handling on the device: literals, global character arrays, comparison and number
// formatting by hand, tables of strings in constant memory.
#include "check.h"

__constant__ char greeting[] = "hello, device";
__device__ char buffer[64];

__device__ int length(const char *text) {
  int n = 0;
  while (text[n])
    ++n;
  return n;
}
__device__ bool equal(const char *a, const char *b) {
  while (*a && *a == *b) {
    ++a;
    ++b;
  }
  return *a == *b;
}
__device__ char *append(char *end, const char *text) {
  while (*text)
    *end++ = *text++;
  *end = 0;
  return end;
}
__device__ char *append(char *end, int number) {
  char digits[12];
  int n = 0;
  do {
    digits[n++] = char('0' + number % 10);
    number /= 10;
  } while (number);
  while (n)
    *end++ = digits[--n];
  *end = 0;
  return end;
}

__global__ void compose(int *out) {
  out[0] = length(greeting);
  out[1] = equal("abc", "abc") + 2 * equal("abc", "abd") + 4 * equal("ab", "abc");
  char *end = append(append(append(buffer, "block "), 12345), " of ");
  append(append(end, int(gridDim.x)), __func__);
}

int main() {
  DeviceBuffer<int> out(2);
  compose<<<1, 1>>>(out);
  CHECK_EQ(out.download()[0], 13);
  CHECK_EQ(out.download()[1], 1);
  char text[64];
  CHECK_CUDA(cudaMemcpyFromSymbol(text, buffer, sizeof text));
  CHECK_EQ(strcmp(text, "block 12345 of 1compose"), 0);
  RETURN_RESULT();
}
