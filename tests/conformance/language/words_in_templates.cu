// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Templates that lack `template`, `typename` or `this->`: nvcc, which reads a body when it is
// instantiated, takes them in device code, as cuCollections has them.
#include "../check.h"

enum class Kind { plain, doubled };

struct Scale {
  template <Kind kind> __device__ int operator()(int value) const {
    return kind == Kind::doubled ? 2 * value : value;
  }
};

template <class Derived> struct Applied {
  __device__ int apply(int value, bool twice) {
    Derived &self = static_cast<Derived &>(*this);
    if (twice)
      return self.scaled<Kind::doubled>(value);
    return self.scaled<Kind::plain>(value);
  }
};

template <class Value> class Table {
public:
  class Base {
  protected:
    template <class Key> __device__ int slot(const Key &key, int stride) const {
      return int(key) * stride;
    }
  };
  class View : public Base {
  public:
    template <class Key> __device__ int find(const Key &key, int stride) const;
  };
};

template <class Value>
template <class Key>
__device__ int Table<Value>::View::find(const Key &key, int stride) const {
  const int found = slot(key, stride);
  return found + 1;
}

template <class Value> struct Reference : Applied<Reference<Value>> {
  using value_type = Value;
  Scale scale_;
  template <Kind kind> __device__ int scaled(int value) const {
    return this->scale_.operator()<kind>(value);
  }
};

template <class Ref> __global__ void use(int *out) {
  Ref ref;
  out[0] = ref.apply(7, true);
  out[1] = ref.apply(7, false);
  auto narrowed = Ref::value_type(300);
  out[2] = int(narrowed);
  typename Table<typename Ref::value_type>::View view;
  out[3] = view.find(5L, 10);
}

int main() {
  DeviceBuffer<int> out(4);
  use<Reference<unsigned char>><<<1, 1>>>(static_cast<int *>(out));
  const std::vector<int> got = out.download();
  CHECK_EQ(got[0], 14);
  CHECK_EQ(got[1], 7);
  CHECK_EQ(got[2], 300 % 256);
  CHECK_EQ(got[3], 51);
  RETURN_RESULT();
}
