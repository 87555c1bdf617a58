// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MAX_STEPS is defined by the host.
__kernel void countSteps(__global int *steps, int width, int height, float left, float top,
                         float step) {
  const int x = get_global_id(0), y = get_global_id(1);
  if (x >= width || y >= height)
    return;
  const float c_re = left + step * x, c_im = top + step * y;
  float re = 0, im = 0;
  int count = 0;
  while (count < MAX_STEPS && re * re + im * im <= 4.0f) {
    const float next = re * re - im * im + c_re;
    im = 2.0f * re * im + c_im;
    re = next;
    ++count;
  }
  steps[y * width + x] = count;
}
