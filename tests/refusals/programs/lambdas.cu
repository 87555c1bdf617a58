// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lambdas that are device code: CUDA C++ guide, "Extended Lambdas", "Restrictions".
//--- without_flag
template <class F> __global__ void k(F f) { f(); }
int main() {
  k<<<1, 1>>>([] __device__() {});
}
//--- with_flag -extended-lambda
template <class F> __global__ void k(F f) { f(); }
int main() {
  k<<<1, 1>>>([] __device__() {});
}
//--- for_both -extended-lambda
template <class F> __global__ void k(F f) { f(); }
int main() {
  auto f = [] __host__ __device__() {};
  f();
  k<<<1, 1>>>(f);
}
//--- device_called_on_host -extended-lambda
int main() {
  auto f = [] __device__() { return 1; };
  return f();
}
//--- return_type_on_host -extended-lambda
int main() {
  auto f = [] __device__() { return 1; };
  return sizeof(decltype(f()));
}
//--- capture_by_reference -extended-lambda
template <class F> __global__ void k(F f) { f(); }
int main() {
  int x = 1;
  k<<<1, 1>>>([&] __device__() { x = 2; });
}
//--- capture_by_value -extended-lambda
template <class F> __global__ void k(F f) { f(); }
int main() {
  int x = 1;
  k<<<1, 1>>>([=] __device__() {
    int y = x;
    (void)y;
  });
}
//--- init_capture_device -extended-lambda
template <class F> __global__ void k(F f) { f(); }
int main() {
  k<<<1, 1>>>([x = 1] __device__() {
    int y = x;
    (void)y;
  });
}
//--- init_capture_both -extended-lambda
template <class F> __global__ void k(F f) { f(); }
int main() {
  k<<<1, 1>>>([x = 1] __host__ __device__() {
    int y = x;
    (void)y;
  });
}
//--- generic_device -extended-lambda
template <class F> __global__ void k(F f) { f(1); }
int main() {
  k<<<1, 1>>>([] __device__(auto x) {});
}
//--- generic_both -extended-lambda
template <class F> __global__ void k(F f) { f(1); }
int main() {
  k<<<1, 1>>>([] __host__ __device__(auto x) {});
}
//--- mutable_device -extended-lambda
template <class F> __global__ void k(F f) { f(); }
int main() {
  int x = 1;
  k<<<1, 1>>>([=] __device__() mutable { x = 2; });
}
//--- in_private_member -extended-lambda
template <class F> __global__ void k(F f) { f(); }
class C {
  void run() {
    k<<<1, 1>>>([] __device__() {});
  }

public:
  void go() { run(); }
};
int main() { C().go(); }
//--- in_public_member -extended-lambda
template <class F> __global__ void k(F f) { f(); }
struct C {
  void run() {
    k<<<1, 1>>>([] __device__() {});
  }
};
int main() { C().run(); }
//--- in_private_class -extended-lambda
template <class F> __global__ void k(F f) { f(); }
class C {
  struct P {
    void run() {
      k<<<1, 1>>>([] __device__() {});
    }
  };

public:
  void go() { P().run(); }
};
int main() { C().go(); }
//--- in_constructor -extended-lambda
template <class F> __global__ void k(F f) { f(); }
struct C {
  C() {
    k<<<1, 1>>>([] __device__() {});
  }
};
int main() { C c; }
//--- in_lambda -extended-lambda
template <class F> __global__ void k(F f) { f(); }
int main() {
  auto outer = [] { k<<<1, 1>>>([] __device__() {}); };
  outer();
}
//--- in_extended_lambda -extended-lambda
template <class F> __global__ void k(F f) { f(); }
int main() {
  k<<<1, 1>>>([] __device__() {
    auto g = [] __device__() {};
    g();
  });
}
//--- in_deduced_function -extended-lambda
template <class F> __global__ void k(F f) { f(); }
auto run() {
  k<<<1, 1>>>([] __device__() {});
  return 1;
}
int main() { run(); }
//--- in_template -extended-lambda
template <class F> __global__ void k(F f) { f(); }
template <class T> void run(T x) {
  k<<<1, 1>>>([=] __device__() {
    T y = x;
    (void)y;
  });
}
int main() { run(1); }
//--- in_template_unnamed_parameter -extended-lambda
template <class F> __global__ void k(F f) { f(); }
template <class> void run() {
  k<<<1, 1>>>([] __device__() {});
}
int main() { run<int>(); }
//--- in_template_with_local_type -extended-lambda
template <class F> __global__ void k(F f) { f(); }
template <class T> void run(T x) {
  k<<<1, 1>>>([=] __device__() {
    T y = x;
    (void)y;
  });
}
int main() {
  struct L {
    int x;
  };
  run(L{1});
}
//--- in_variadic_template -extended-lambda
template <class F> __global__ void k(F f) { f(); }
template <class... T> void run(T... x) {
  k<<<1, 1>>>([] __device__() {});
}
int main() { run(1, 2); }
//--- captures_pack -extended-lambda
template <class F> __global__ void k(F f) { f(); }
template <class... T> void run(T... x) {
  k<<<1, 1>>>([=] __device__() {
    int y[] = {x...};
    (void)y;
  });
}
int main() { run(1, 2); }
//--- captures_array -extended-lambda
template <class F> __global__ void k(F f) { f(); }
int main() {
  int x[3] = {1, 2, 3};
  k<<<1, 1>>>([=] __device__() {
    int y = x[1];
    (void)y;
  });
}
//--- captures_structured_binding -extended-lambda -std=c++20
template <class F> __global__ void k(F f) { f(); }
struct S {
  int a, b;
};
int main() {
  auto [a, b] = S{1, 2};
  k<<<1, 1>>>([=] __device__() {
    int y = a;
    (void)y;
  });
}
//--- captures_in_if_constexpr -extended-lambda -std=c++17
template <class F> __global__ void k(F f) { f(); }
int main() {
  int x = 1;
  k<<<1, 1>>>([=] __device__() {
    if constexpr (sizeof(int) == 4) {
      int y = x;
      (void)y;
    }
  });
}
//--- captures_this -extended-lambda -std=c++17
template <class F> __global__ void k(F f) { f(); }
struct C {
  int x;
  void run() {
    k<<<1, 1>>>([=] __device__() {
      int y = x;
      (void)y;
    });
  }
};
int main() { C{1}.run(); }
//--- captures_star_this -extended-lambda -std=c++17
template <class F> __global__ void k(F f) { f(); }
struct C {
  int x;
  void run() {
    k<<<1, 1>>>([=, *this] __device__() {
      int y = x;
      (void)y;
    });
  }
};
int main() { C{1}.run(); }
//--- local_type_parameter -extended-lambda
template <class F> __global__ void k(F f) { f({1}); }
int main() {
  struct L {
    int x;
  };
  k<<<1, 1>>>([] __device__(L) {});
}
//--- default_argument -extended-lambda
template <class F> __global__ void k(F f) { f(); }
void run(int x = [] __device__() { return 1; }()) {}
int main() { run(); }
//--- at_namespace_scope -extended-lambda
auto f = [] __device__() { return 1; };
//--- two_in_line -extended-lambda
template <class F> __global__ void k(F f) { f(); }
int main() {
  k<<<1, 1>>>([] __device__() {});
  k<<<1, 1>>>([] __device__() {});
}
//--- in_device_function
__device__ int g() {
  auto f = [] { return 1; };
  return f();
}
//--- in_device_function_marked
__device__ int g() {
  auto f = [] __device__() { return 1; };
  return f();
}
//--- host_lambda_in_both
__host__ __device__ int g() {
  auto f = [] { return 1; };
  return f();
}
__global__ void k(int *p) { *p = g(); }
//--- constexpr_lambda -extended-lambda -std=c++17
int main() {
  auto f = [] __host__ __device__() constexpr { return 1; };
  return f();
}
//--- global_lambda -extended-lambda
int main() {
  auto f = [] __global__() {};
}
