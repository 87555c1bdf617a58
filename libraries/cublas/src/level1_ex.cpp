// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Level 1 with element types as arguments: vectors are converted to the type of execution, OpenBLAS
// computes, and what is written is converted back.
#include "check.h"
#include "core/elements.h"

#include <vector>

namespace heddle::cublas {
namespace {

/// A vector of any type as neighbours in the type of computation; `write` puts them back.
template <typename Acc> class Vector {
public:
  Vector(cudaDataType type, const void *data, int64_t n, int64_t step)
      : type_(type), data_(const_cast<void *>(at(type, data, step < 0 ? (1 - n) * step : 0))),
        step_(step), values_(static_cast<size_t>(n)) {
    load(type_, data_, step_, values_.data(), n);
  }
  Acc *data() { return values_.data(); }
  void write() { store(type_, values_.data(), data_, step_, int64_t(values_.size())); }

private:
  cudaDataType type_;
  void *data_;
  int64_t step_;
  std::vector<Acc> values_;
};

/// Calls f with a value of the type of execution; false if there is none such.
template <typename F> bool inType(cudaDataType type, F f) {
  switch (type) {
  case CUDA_R_32F:
    f(float());
    return true;
  case CUDA_R_64F:
    f(double());
    return true;
  case CUDA_C_32F:
    f(cuComplex());
    return true;
  case CUDA_C_64F:
    f(cuDoubleComplex());
    return true;
  default:
    return false;
  }
}

bool isElement(cudaDataType type) { return elementSize(type) != 0; }

/// A scalar of any type, read at the call in host mode.
class AnyScalar {
public:
  AnyScalar(cublasHandle_t h, cudaDataType type, const void *pointer)
      : type_(type), pointer_(onDevice(h) ? pointer : nullptr) {
    if (!pointer_)
      value_ = loadOne<cuDoubleComplex>(type, pointer);
  }
  template <typename Acc> Acc get() const {
    return pointer_ ? loadOne<Acc>(type_, pointer_) : loadOne<Acc>(CUDA_C_64F, &value_);
  }

private:
  cudaDataType type_;
  const void *pointer_;
  cuDoubleComplex value_ = {};
};

/// Types fit if the execution is in float or double, real as the vectors are or complex.
Check &types(Check &c, cudaDataType execution, std::initializer_list<cudaDataType> all) {
  const bool known = inType(execution, [](auto) {});
  return c.supported(known && std::all_of(all.begin(), all.end(),
                                          [&](cudaDataType t) {
                                            return isElement(t) &&
                                                   (!isComplex(t) || isComplex(execution));
                                          }),
                     "this combination of types is not supported");
}

/// The functions with one result: f(Acc vector..., n) returns it in the type of execution.
template <typename F>
cublasStatus_t norm(const char *name, cublasHandle_t h, int64_t n, const void *x, cudaDataType type,
                    int64_t incx, void *result, cudaDataType result_type, cudaDataType execution,
                    F function) {
  Check c(name, h);
  c.scalars({result}).narrow({n, incx}).data(n > 0 && incx > 0, {x});
  // The result is real; for complex vectors the execution may be given as real, too.
  if (execution == CUDA_R_32F && isComplex(type))
    execution = CUDA_C_32F;
  if (execution == CUDA_R_64F && isComplex(type))
    execution = CUDA_C_64F;
  types(c, execution, {type})
      .supported(isElement(result_type) && !isComplex(result_type),
                 "the type of the result is not supported");
  if (c.bad())
    return c.status();
  return submitResult(name, h, [=] {
    inType(execution, [&]<typename Acc>(Acc) {
      using Real = typename Blas<Acc>::Real;
      Real value = 0;
      if (n > 0 && incx > 0)
        value = function(int(n), Vector<Acc>(type, x, n, incx).data());
      store(result_type, &value, result, 1, 1);
    });
  });
}

cublasStatus_t dot(const char *name, cublasHandle_t h, bool conjugated, int64_t n, const void *x,
                   cudaDataType xtype, int64_t incx, const void *y, cudaDataType ytype,
                   int64_t incy, void *result, cudaDataType result_type, cudaDataType execution) {
  Check c(name, h);
  c.scalars({result}).narrow({n, incx, incy}).data(n > 0, {x, y});
  if (types(c, execution, {xtype, ytype, result_type}).bad())
    return c.status();
  return submitResult(name, h, [=] {
    inType(execution, [&]<typename Acc>(Acc) {
      using Number = typename Blas<Acc>::Number;
      const int64_t count = std::max<int64_t>(n, 0);
      Vector<Acc> a(xtype, x, count, incx), b(ytype, y, count, incy);
      Number sum(0);
      for (int64_t i = 0; i < count; ++i) {
        Number first = numbers(a.data())[i];
        if constexpr (!std::is_floating_point_v<Acc>)
          first = conjugated ? std::conj(first) : first;
        sum += first * numbers(b.data())[i];
      }
      store(result_type, reinterpret_cast<const Acc *>(&sum), result, 1, 1);
    });
  });
}

template <typename I>
cublasStatus_t extreme(const char *name, cublasHandle_t h, bool largest, int64_t n, const void *x,
                       cudaDataType type, int64_t incx, I *result) {
  Check c(name, h);
  c.scalars({result}).narrow({n, incx}).data(n > 0 && incx > 0, {x});
  const cudaDataType execution = isComplex(type) ? CUDA_C_64F : CUDA_R_64F;
  if (types(c, execution, {type}).bad())
    return c.status();
  return submitResult(name, h, [=] {
    inType(execution, [&]<typename Acc>(Acc) {
      if (n <= 0 || incx <= 0) {
        *result = 0;
        return;
      }
      Vector<Acc> values(type, x, n, incx);
      const auto function = largest ? Blas<Acc>::amax : Blas<Acc>::amin;
      *result = I(function(int(n), values.data(), 1)) + 1;
    });
  });
}

/// Submits f(Acc value) in the type of execution, if there is an element.
template <typename F>
cublasStatus_t change(const char *name, cublasHandle_t h, const Check &c, int64_t n,
                      cudaDataType execution, F f) {
  if (c.bad() || n <= 0)
    return c.status();
  return submit(name, h, [=] { inType(execution, f); });
}

cublasStatus_t scal(const char *name, cublasHandle_t h, int64_t n, const void *alpha,
                    cudaDataType alpha_type, void *x, cudaDataType type, int64_t incx,
                    cudaDataType execution) {
  Check c(name, h);
  c.scalars({alpha}).narrow({n, incx}).data(n > 0 && incx > 0, {x});
  if (types(c, execution, {alpha_type, type}).bad() || incx <= 0)
    return c.status();
  return change(name, h, c, n, execution,
                [=, a = AnyScalar(h, alpha_type, alpha)]<typename Acc>(Acc) {
                  Vector<Acc> values(type, x, n, incx);
                  const auto factor = number(a.get<Acc>());
                  for (int64_t i = 0; i < n; ++i)
                    numbers(values.data())[i] *= factor;
                  values.write();
                });
}

cublasStatus_t axpy(const char *name, cublasHandle_t h, int64_t n, const void *alpha,
                    cudaDataType alpha_type, const void *x, cudaDataType xtype, int64_t incx,
                    void *y, cudaDataType ytype, int64_t incy, cudaDataType execution) {
  Check c(name, h);
  c.scalars({alpha}).narrow({n, incx, incy}).data(n > 0, {x, y});
  if (types(c, execution, {alpha_type, xtype, ytype}).bad())
    return c.status();
  return change(name, h, c, n, execution,
                [=, a = AnyScalar(h, alpha_type, alpha)]<typename Acc>(Acc) {
                  Vector<Acc> from(xtype, x, n, incx), to(ytype, y, n, incy);
                  const auto factor = number(a.get<Acc>());
                  for (int64_t i = 0; i < n; ++i)
                    numbers(to.data())[i] += factor * numbers(from.data())[i];
                  to.write();
                });
}

cublasStatus_t copy(const char *name, cublasHandle_t h, int64_t n, const void *x,
                    cudaDataType xtype, int64_t incx, void *y, cudaDataType ytype, int64_t incy,
                    bool exchange) {
  Check c(name, h);
  c.narrow({n, incx, incy}).data(n > 0, {x, y});
  const cudaDataType execution = isComplex(xtype) ? CUDA_C_64F : CUDA_R_64F;
  types(c, execution, {xtype, ytype}).supported(xtype == ytype, "the types of x and y differ");
  return change(name, h, c, n, execution, [=]<typename Acc>(Acc) {
    Vector<Acc> from(xtype, x, n, incx), to(ytype, y, n, incy);
    std::swap_ranges(from.data(), from.data() + n, to.data());
    to.write();
    if (exchange)
      from.write();
  });
}

cublasStatus_t rot(const char *name, cublasHandle_t h, int64_t n, void *x, cudaDataType xtype,
                   int64_t incx, void *y, cudaDataType ytype, int64_t incy, const void *cosine,
                   const void *sine, cudaDataType cs_type, cudaDataType execution) {
  Check c(name, h);
  c.scalars({cosine, sine}).narrow({n, incx, incy}).data(n > 0, {x, y});
  if (types(c, execution, {xtype, ytype, cs_type}).bad())
    return c.status();
  // With a complex sine the cosine still is real, of the same precision.
  const cudaDataType c_type = cs_type == CUDA_C_32F   ? CUDA_R_32F
                              : cs_type == CUDA_C_64F ? CUDA_R_64F
                                                      : cs_type;
  return change(
      name, h, c, n, execution,
      [=, cs = AnyScalar(h, c_type, cosine), sn = AnyScalar(h, cs_type, sine)]<typename Acc>(Acc) {
        Vector<Acc> a(xtype, x, n, incx), b(ytype, y, n, incy);
        const auto k = number(cs.get<Acc>()), s = number(sn.get<Acc>());
        auto conjugate = s;
        if constexpr (!std::is_floating_point_v<Acc>)
          conjugate = std::conj(s);
        for (int64_t i = 0; i < n; ++i) {
          const auto first = numbers(a.data())[i], second = numbers(b.data())[i];
          numbers(a.data())[i] = k * first + s * second;
          numbers(b.data())[i] = k * second - conjugate * first;
        }
        a.write(), b.write();
      });
}

/// Five numbers of any real type.
struct Parameters {
  double values[5];
};

cublasStatus_t rotm(const char *name, cublasHandle_t h, int64_t n, void *x, cudaDataType xtype,
                    int64_t incx, void *y, cudaDataType ytype, int64_t incy, const void *param,
                    cudaDataType param_type, cudaDataType execution) {
  Check c(name, h);
  c.scalars({param}).narrow({n, incx, incy}).data(n > 0, {x, y});
  types(c, execution, {xtype, ytype, param_type}).supported(!isComplex(execution), "rotm is real");
  if (c.bad())
    return c.status();
  Parameters held{};
  const bool on_device = onDevice(h);
  if (!on_device)
    load(param_type, param, 1, held.values, 5);
  return change(name, h, c, n, execution, [=]<typename Acc>(Acc) {
    if constexpr (std::is_floating_point_v<Acc>) {
      Acc values[5];
      if (on_device)
        load(param_type, param, 1, values, 5);
      else
        std::copy_n(held.values, 5, values);
      Vector<Acc> a(xtype, x, n, incx), b(ytype, y, n, incy);
      Blas<Acc>::rotm(int(n), a.data(), 1, b.data(), 1, values);
      a.write(), b.write();
    }
  });
}

/// The arguments of rotg and rotmg as numbers; `write` puts the results back.
cublasStatus_t atOnce(const char *name, cublasHandle_t h, std::function<void()> function) {
  if (onDevice(h))
    return submit(name, h, std::move(function));
  function();
  return CUBLAS_STATUS_SUCCESS;
}

} // namespace
} // namespace heddle::cublas

using namespace heddle::cublas;

#define NORM(name, function, I)                                                                    \
  cublasStatus_t name __HEDDLE_CUBLAS_NRM2_EX(I) {                                                 \
    return norm(__func__, handle, n, x, xType, incx, result, resultType, executionType,            \
                []<typename Acc>(int count, const Acc *values) {                                   \
                  return Blas<Acc>::function(count, values, 1);                                    \
                });                                                                                \
  }
#define DOT(name, conjugated, I)                                                                   \
  cublasStatus_t name __HEDDLE_CUBLAS_DOT_EX(I) {                                                  \
    return dot(__func__, handle, conjugated, n, x, xType, incx, y, yType, incy, result,            \
               resultType, executionType);                                                         \
  }
#define EXTREME(name, largest, I)                                                                  \
  cublasStatus_t name __HEDDLE_CUBLAS_EXTREME_EX(I) {                                              \
    return extreme(__func__, handle, largest, n, x, xType, incx, result);                          \
  }

#define X(I, E)                                                                                    \
  NORM(cublasNrm2Ex##E, nrm2, I)                                                                   \
  NORM(cublasAsumEx##E, asum, I)                                                                   \
  DOT(cublasDotEx##E, false, I)                                                                    \
  DOT(cublasDotcEx##E, true, I)                                                                    \
  EXTREME(cublasIamaxEx##E, true, I)                                                               \
  EXTREME(cublasIaminEx##E, false, I)                                                              \
  cublasStatus_t cublasScalEx##E __HEDDLE_CUBLAS_SCAL_EX(I) {                                      \
    return scal(__func__, handle, n, alpha, alphaType, x, xType, incx, executionType);             \
  }                                                                                                \
  cublasStatus_t cublasAxpyEx##E __HEDDLE_CUBLAS_AXPY_EX(I) {                                      \
    return axpy(__func__, handle, n, alpha, alphaType, x, xType, incx, y, yType, incy,             \
                executiontype);                                                                    \
  }                                                                                                \
  cublasStatus_t cublasCopyEx##E __HEDDLE_CUBLAS_COPY_EX(I) {                                      \
    return heddle::cublas::copy(__func__, handle, n, x, xType, incx, y, yType, incy, false);       \
  }                                                                                                \
  cublasStatus_t cublasSwapEx##E __HEDDLE_CUBLAS_SWAP_EX(I) {                                      \
    return heddle::cublas::copy(__func__, handle, n, x, xType, incx, y, yType, incy, true);        \
  }                                                                                                \
  cublasStatus_t cublasRotEx##E __HEDDLE_CUBLAS_ROT_EX(I) {                                        \
    return rot(__func__, handle, n, x, xType, incx, y, yType, incy, c, s, csType, executiontype);  \
  }                                                                                                \
  cublasStatus_t cublasRotmEx##E __HEDDLE_CUBLAS_ROTM_EX(I) {                                      \
    return rotm(__func__, handle, n, x, xType, incx, y, yType, incy, param, paramType,             \
                executiontype);                                                                    \
  }
X(int, )
X(int64_t, _64)
#undef X

cublasStatus_t cublasRotgEx(cublasHandle_t handle, void *a, void *b, cudaDataType abType, void *c,
                            void *s, cudaDataType csType, cudaDataType executiontype) {
  Check k(__func__, handle);
  if (types(k.scalars({a, b, c, s}), executiontype, {abType, csType}).bad())
    return k.status();
  const cudaDataType c_type = csType == CUDA_C_32F   ? CUDA_R_32F
                              : csType == CUDA_C_64F ? CUDA_R_64F
                                                     : csType;
  return atOnce(__func__, handle, [=] {
    inType(executiontype, [&]<typename Acc>(Acc) {
      Acc first = loadOne<Acc>(abType, a), second = loadOne<Acc>(abType, b), sine{};
      typename Blas<Acc>::Real cosine{};
      Blas<Acc>::rotg(&first, &second, &cosine, &sine);
      store(abType, &first, a, 1, 1);
      if (!isComplex(executiontype)) // complex rotg leaves b alone
        store(abType, &second, b, 1, 1);
      store(c_type, &cosine, c, 1, 1);
      store(csType, &sine, s, 1, 1);
    });
  });
}

cublasStatus_t cublasRotmgEx(cublasHandle_t handle, void *d1, cudaDataType d1Type, void *d2,
                             cudaDataType d2Type, void *x1, cudaDataType x1Type, const void *y1,
                             cudaDataType y1Type, void *param, cudaDataType paramType,
                             cudaDataType executiontype) {
  Check k(__func__, handle);
  k.scalars({d1, d2, x1, y1, param});
  types(k, executiontype, {d1Type, d2Type, x1Type, y1Type, paramType});
  if (k.supported(!isComplex(executiontype), "rotmg is real").bad())
    return k.status();
  return atOnce(__func__, handle, [=] {
    inType(executiontype, [&]<typename Acc>(Acc) {
      if constexpr (std::is_floating_point_v<Acc>) {
        Acc a = loadOne<Acc>(d1Type, d1), b = loadOne<Acc>(d2Type, d2),
            x = loadOne<Acc>(x1Type, x1), values[5];
        load(paramType, param, 1, values, 5); // some of the five stay as they are
        Blas<Acc>::rotmg(&a, &b, &x, loadOne<Acc>(y1Type, y1), values);
        store(d1Type, &a, d1, 1, 1);
        store(d2Type, &b, d2, 1, 1);
        store(x1Type, &x, x1, 1, 1);
        store(paramType, values, param, 1, 5);
      }
    });
  });
}
