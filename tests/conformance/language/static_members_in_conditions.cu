// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `if constexpr (this->member)` of a static member, an enumerator or a static function, and
// `typename T::name<>` of a dependent T without `template`: nvcc takes them, as cuCollections
// does, while for Clang `this` is no constant and `template` is missing.
#include "../check.h"

template <int Width> struct Storage {
  static constexpr bool is_wide = Width > 1;
  enum { width = Width };
  template <class Type = int> using element = Type;
  template <class Type> struct Cell {
    Type value;
  };
  template <class Type = int> struct Pair {
    Type first, second;
  };
};

struct Key {
  int part[2];
};

template <class Value, int Width> class Table : public Storage<Width> {
public:
  static __host__ __device__ constexpr bool isEven() { return Width % 2 == 0; }

  // What is not taken would not compile: an int has no parts.
  __host__ __device__ int first(const Value &value) const {
    if constexpr (this->is_wide)
      return value.part[0];
    else
      return value;
  }
  __host__ __device__ int last(const Value &value) const {
    if constexpr (this->width == 2 && this->isEven()) {
      return value.part[1];
    } else {
      return value;
    }
  }
};

template <class From> __host__ __device__ int sum(int first, int second) {
  typename From::Pair<> pair = {first, second};
  typename From::Cell<typename From::element<>> cell = {pair.first + pair.second};
  return cell.value;
}

template <class Value, int Width>
__global__ void read(const Table<Value, Width> table, const Value *value, int *out) {
  out[0] = table.first(*value);
  out[1] = table.last(*value);
  out[2] = sum<Storage<Width>>(out[0], out[1]);
}

template <class Value, int Width> void expect(Value value, int first, int last) {
  DeviceBuffer<Value> given(std::vector<Value>(1, value));
  DeviceBuffer<int> out(3);
  const Table<Value, Width> table;
  read<<<1, 1>>>(table, static_cast<const Value *>(given), static_cast<int *>(out));
  const std::vector<int> got = out.download();
  CHECK_EQ(got[0], first);
  CHECK_EQ(got[1], last);
  CHECK_EQ(got[2], first + last);
  CHECK_EQ(table.first(value), first);
  CHECK_EQ(table.last(value), last);
}

int main() {
  expect<Key, 2>(Key{{3, 8}}, 3, 8);
  expect<int, 1>(5, 5, 5);
  RETURN_RESULT();
}
