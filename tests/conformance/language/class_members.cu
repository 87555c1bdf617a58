// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Classes on the device: constructors, destructors, member functions, static members,
// inheritance and member-function pointers.
#include "check.h"

class Counter {
public:
  __device__ explicit Counter(int *log) : log(log) { ++*log; }
  __device__ Counter(const Counter &other) : log(other.log) { *log += 100; }
  __device__ ~Counter() { *log += 10000; }
  __device__ int read() const { return *log; }
  static __device__ int square(int value) { return value * value; }
  static constexpr int limit = 17;

private:
  int *log;
};

struct Base {
  int a = 1;
  __device__ int first() const { return a; }
};
struct Second {
  int b = 2;
  __device__ int second() const { return b; }
};
struct Derived : Base, Second {
  int c = 3;
  __device__ int sum() const { return first() + second() + c; }
  __device__ int product() const { return 10 * a * b * c; }
};

__device__ int readCopy(Counter counter) { return counter.read(); }

__global__ void useClasses(int *out) {
  int log = 0;
  {
    Counter counter(&log);
    out[0] = readCopy(counter);
    out[1] = log;
  }
  out[2] = log;
  out[3] = Counter::square(5) + Counter::limit;
  Derived derived;
  derived.b = 5;
  out[4] = derived.sum();
  Second &part = derived;
  out[5] = part.second();
  int (Derived::*member)() const = threadIdx.x == 0 ? &Derived::product : &Derived::sum;
  out[6] = (derived.*member)();
  int Derived::*field = &Derived::c;
  out[7] = derived.*field;
}

int main() {
  DeviceBuffer<int> out(8);
  useClasses<<<1, 1>>>(out);
  const int expected[8] = {101, 10101, 20101, 42, 9, 5, 150, 3};
  const std::vector<int> result = out.download();
  for (int i = 0; i < 8; ++i)
    CHECK_EQ(result[i], expected[i]);
  RETURN_RESULT();
}
