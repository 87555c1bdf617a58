// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What nvcc lets pass: narrowing in braces, the register keyword, no #include for assert and
// printf.
__global__ void lenient(int *out, int n) {
  assert(out);
  register int sum = n;
  int corner[] = {threadIdx.x, threadIdx.y};
  float4 v = {n, n, n, n};
  out[0] = sum + corner[0] + corner[1] + (int)v.x + INT_MAX + RAND_MAX;
  printf("%d\n", out[0]);
}

int main() {
  assert(M_PI > 3);
  lenient<<<1, 1>>>(nullptr, 1);
  return (int)strlen("") + abs(-0) + (int)(time(nullptr) == 0);
}
