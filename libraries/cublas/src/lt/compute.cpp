// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of cublasLt with their epilogues: the sums come from OpenBLAS; then each column is
// scaled, gets its bias and activation, and is rounded once.
#include "../core/elements.h"
#include "matmul.h"

#include <cmath>
#include <type_traits>
#include <vector>

namespace heddle::cublaslt {
namespace {

using namespace heddle::cublas;

template <typename Acc> using Number = typename Blas<Acc>::Number;

/// The type of what lies side by side: of a matrix in planes one part of the numbers.
cudaDataType memoryType(const Layout &l) {
  if (l.plane_offset == 0)
    return cudaDataType(l.type);
  return l.type == CUDA_C_16F ? CUDA_R_16F : l.type == CUDA_C_16BF ? CUDA_R_16BF : CUDA_R_32F;
}

/// A column in two planes, by way of its real and imaginary parts.
template <typename Acc> struct Planes {
  using Real = typename Blas<Acc>::Real;

  static Layout plane(const Layout &l) {
    Layout result = l;
    result.type = memoryType(l), result.plane_offset = 0;
    return result;
  }
  template <typename Data> static Data *imaginary(const Layout &l, Data *data) {
    using Byte = std::conditional_t<std::is_const_v<Data>, const char, char>;
    return static_cast<Byte *>(data) + l.plane_offset;
  }
  static void load(const Layout &l, const void *data, int64_t column, Acc *to);
  static void store(const Layout &l, const Acc *from, int64_t column, void *data);
};

/// A column of a matrix, in whatever order it lies.
template <typename Acc>
void loadColumn(const Layout &l, const void *data, int64_t column, Acc *to) {
  if constexpr (!std::is_floating_point_v<Acc>)
    if (l.plane_offset != 0)
      return Planes<Acc>::load(l, data, column, to);
  const auto type = cudaDataType(l.type);
  if (const int64_t step = l.rowStep())
    return load(type, at(type, data, l.offset(0, column)), step, to, int64_t(l.rows));
  for (int64_t row = 0; row < int64_t(l.rows); ++row)
    load(type, at(type, data, l.offset(row, column)), 1, to + row, 1);
}
template <typename Acc>
void storeColumn(const Layout &l, const Acc *from, int64_t column, void *data) {
  if constexpr (!std::is_floating_point_v<Acc>)
    if (l.plane_offset != 0)
      return Planes<Acc>::store(l, from, column, data);
  const auto type = cudaDataType(l.type);
  if (const int64_t step = l.rowStep())
    return store(type, from, at(type, data, l.offset(0, column)), step, int64_t(l.rows));
  for (int64_t row = 0; row < int64_t(l.rows); ++row)
    store(type, from + row, at(type, data, l.offset(row, column)), 1, 1);
}

template <typename Acc>
void Planes<Acc>::load(const Layout &l, const void *data, int64_t column, Acc *to) {
  std::vector<Real> real(l.rows), imag(l.rows);
  loadColumn(plane(l), data, column, real.data());
  loadColumn(plane(l), imaginary(l, data), column, imag.data());
  for (size_t i = 0; i < l.rows; ++i)
    to[i] = Acc{real[i], imag[i]};
}
template <typename Acc>
void Planes<Acc>::store(const Layout &l, const Acc *from, int64_t column, void *data) {
  std::vector<Real> real(l.rows), imag(l.rows);
  for (size_t i = 0; i < l.rows; ++i)
    real[i] = from[i].x, imag[i] = from[i].y;
  storeColumn(plane(l), real.data(), column, data);
  storeColumn(plane(l), imag.data(), column, imaginary(l, data));
}

/// The scales of a factor's elements (cublasLtMatmulMatrixScale_t); `inner` is the dimension that
/// products sum over.
struct Scales {
  int mode;
  const float *values;
  int64_t inner, outer;

  bool vary() const { return mode != CUBLASLT_MATMUL_MATRIX_SCALE_SCALAR_32F; }
  float at(int64_t along, int64_t across) const {
    switch (mode) {
    case CUBLASLT_MATMUL_MATRIX_SCALE_OUTER_VEC_32F:
      return values[across];
    case CUBLASLT_MATMUL_MATRIX_SCALE_VEC128_32F:
      return values[along / 128 * outer + across];
    default: { // BLK128x128_32F, whose columns of blocks have lengths that are multiples of 4
      const int64_t blocks = (inner + 127) / 128;
      return values[across / 128 * ((blocks + 3) / 4 * 4) + along / 128];
    }
    }
  }
};

/// A factor as BLAS wants it: columns of memory, and what to do with them.
template <typename Acc> class Operand {
public:
  /// `left`: A, whose columns the product sums over, not B.
  Operand(const Layout &l, const void *data, cublasOperation_t op, bool left, const Operation &by)
      : rows(int64_t(op == CUBLAS_OP_N ? l.rows : l.cols)),
        columns(int64_t(op == CUBLAS_OP_N ? l.cols : l.rows)), op_(op),
        panel_(memoryType(l), data, isCopied(l, by) ? 0 : memoryRows(l),
               isCopied(l, by) ? 0 : memoryColumns(l), l.ld) {
    // A matrix of rows is its transpose in columns; what is conjugated as well becomes a copy.
    const bool flip = l.order == CUBLASLT_ORDER_ROW;
    if (flip && op != CUBLAS_OP_C && !isCopied(l, by))
      op_ = op == CUBLAS_OP_N ? CUBLAS_OP_T : CUBLAS_OP_N;
    if (l.rowStep() != 0 && !(flip && op == CUBLAS_OP_C) && !isCopied(l, by))
      return;
    copy_.resize(size_t(l.rows * l.cols));
    for (int64_t j = 0; j < int64_t(l.cols); ++j)
      loadColumn(l, data, j, copy_.data() + j * int64_t(l.rows));
    copy_ld_ = std::max<int64_t>(1, int64_t(l.rows));
    if constexpr (std::is_floating_point_v<Acc>)
      applyScales(left, {left ? by.a_scale_mode : by.b_scale_mode,
                         static_cast<const float *>(left ? by.a_scale : by.b_scale),
                         left ? columns : rows, left ? rows : columns});
  }
  CBLAS_TRANSPOSE operation() const { return toBlas(op_); }
  const Acc *data() const { return copy_ld_ ? copy_.data() : panel_.data(); }
  int ld() const { return int(copy_ld_ ? copy_ld_ : panel_.ld()); }

  /// Sums over columns (`of_rows`) or over rows of the factor.
  std::vector<Acc> sums(bool of_rows) const {
    std::vector<Acc> result(size_t(of_rows ? rows : columns));
    for (int64_t j = 0; j < columns; ++j)
      for (int64_t i = 0; i < rows; ++i) {
        const int64_t place = op_ == CUBLAS_OP_N ? i + j * ld() : j + i * ld();
        *numbers(&result[size_t(of_rows ? i : j)]) += numbers(data())[place];
      }
    return result;
  }

  int64_t rows, columns; // of op(matrix)

private:
  /// What BLAS cannot read where it is, though it lies in columns or rows.
  static bool isCopied(const Layout &l, const Operation &by) {
    return l.plane_offset != 0 || by.a_scale_mode != CUBLASLT_MATMUL_MATRIX_SCALE_SCALAR_32F;
  }
  void applyScales(bool left, const Scales &scales) {
    if (!scales.vary())
      return;
    const int64_t height = op_ == CUBLAS_OP_N ? rows : columns;
    for (int64_t at = 0; at < rows * columns; ++at) {
      const int64_t row = op_ == CUBLAS_OP_N ? at % height : at / height;
      const int64_t column = op_ == CUBLAS_OP_N ? at / height : at % height;
      copy_[size_t(at)] *= Acc(left ? scales.at(column, row) : scales.at(row, column));
    }
  }
  static int64_t memoryRows(const Layout &l) {
    return l.rowStep() == 0 ? 0 : int64_t(l.order == CUBLASLT_ORDER_ROW ? l.cols : l.rows);
  }
  static int64_t memoryColumns(const Layout &l) {
    return l.rowStep() == 0 ? 0 : int64_t(l.order == CUBLASLT_ORDER_ROW ? l.rows : l.cols);
  }
  cublasOperation_t op_;
  Panel<Acc> panel_;
  std::vector<Acc> copy_;
  int64_t copy_ld_ = 0;
};

template <typename Acc>
void product(const Operand<Acc> &a, const Operand<Acc> &b, Acc alpha, Acc beta, Acc *to,
             int64_t ld) {
  Blas<Acc>::gemm(CblasColMajor, a.operation(), b.operation(), int(a.rows), int(b.columns),
                  int(a.columns), Blas<Acc>::pass(alpha), a.data(), a.ld(), b.data(), b.ld(),
                  Blas<Acc>::pass(beta), to, int(ld));
}

double scale(const void *pointer) { return pointer ? *static_cast<const float *>(pointer) : 1; }

/// cublasLt's GELU is the approximation with tanh.
double gelu(double x) {
  return 0.5 * x * (1 + std::tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)));
}
double geluGradient(double x) {
  const double inner = 0.7978845608028654 * (x + 0.044715 * x * x * x);
  const double t = std::tanh(inner);
  return 0.5 * (1 + t) + 0.5 * x * (1 - t * t) * 0.7978845608028654 * (1 + 3 * 0.044715 * x * x);
}

/// What follows the sums, a column at a time.
template <typename Acc> class Epilogue {
public:
  Epilogue(const Matmul &x, const MatmulData &data, int64_t batch)
      : x_(x), data_(data), batch_(batch), old_(size_t(x.m())), alpha_(size_t(x.m())),
        beta_(size_t(x.m())) {
    loadScalars();
    if (x.has(Bias)) {
      bias_.resize(size_t(x.m()));
      load(x.biasType(), at(x.biasType(), x.op.bias, batch * x.op.bias_stride), 1, bias_.data(),
           x.m());
    }
    if (x.has(BiasGradient))
      bias_gradient_.resize(size_t(x.m()));
  }

  void column(int64_t j, Acc *sums) {
    const int64_t m = x_.m();
    for (int64_t i = 0; i < m; ++i)
      numbers(sums)[i] *= *numbers(&alpha_[size_t(i)]);
    if (use_c_) {
      loadColumn(x_.c, at(memoryType(x_.c), data_.C, batch_ * x_.c.batch_stride), j, old_.data());
      for (int64_t i = 0; i < m; ++i)
        if (*numbers(&beta_[size_t(i)]) != Number<Acc>(0))
          numbers(sums)[i] += *numbers(&beta_[size_t(i)]) * numbers(old_.data())[i];
    }
    if constexpr (std::is_floating_point_v<Acc>)
      activate(j, sums);
    storeColumn(x_.d, sums, j, at(memoryType(x_.d), data_.D, batch_ * x_.d.batch_stride));
  }

  void finish(const Operand<Acc> &a, const Operand<Acc> &b) {
    if (x_.has(BiasGradient))
      storeBias(bias_gradient_);
    if (x_.has(GradientA))
      storeBias(a.sums(true));
    if (x_.has(GradientB))
      storeBias(b.sums(false));
    raise(x_.op.amax, amax_);
    raise(x_.op.aux_amax, aux_amax_);
  }

private:
  void loadScalars() {
    const auto type = cudaDataType(x_.op.scale_type);
    const int mode = x_.op.pointer_mode;
    const bool vector = mode >= CUBLASLT_POINTER_MODE_DEVICE_VECTOR;
    const int64_t m = x_.m();
    if (vector)
      load(type, at(type, data_.alpha, batch_ * x_.op.alpha_stride), 1, alpha_.data(), m);
    else
      std::fill_n(alpha_.data(), m, loadOne<Acc>(type, data_.alpha));
    if (mode == CUBLASLT_POINTER_MODE_DEVICE_VECTOR)
      load(type, at(type, data_.beta, batch_ * x_.op.alpha_stride), 1, beta_.data(), m);
    else if (mode != CUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_ZERO)
      std::fill_n(beta_.data(), m, loadOne<Acc>(type, data_.beta));
    using Real = typename Blas<Acc>::Real;
    const bool vary = x_.op.a_scale_mode != CUBLASLT_MATMUL_MATRIX_SCALE_SCALAR_32F;
    const Real product = vary ? Real(1) : Real(scale(x_.op.a_scale) * scale(x_.op.b_scale));
    const Real c = Real(scale(x_.op.c_scale));
    for (int64_t i = 0; i < m; ++i) {
      *numbers(&alpha_[size_t(i)]) *= product;
      *numbers(&beta_[size_t(i)]) *= c;
      use_c_ |= *numbers(&beta_[size_t(i)]) != Number<Acc>(0);
    }
  }

  void activate(int64_t j, Acc *sums) {
    const int64_t m = x_.m();
    if (x_.has(Bias))
      for (int64_t i = 0; i < m; ++i)
        sums[i] += bias_[size_t(i)];
    if (x_.has(Relu | DRelu))
      rectify(j, sums);
    if (x_.has(Gelu | DGelu))
      smooth(j, sums);
    if (x_.has(BiasGradient))
      for (int64_t i = 0; i < m; ++i)
        bias_gradient_[size_t(i)] += sums[i];
    if (x_.op.amax)
      for (int64_t i = 0; i < m; ++i)
        amax_ = std::max(amax_, std::fabs(double(sums[i])));
    if (x_.op.d_scale)
      for (int64_t i = 0; i < m; ++i)
        sums[i] *= Acc(scale(x_.op.d_scale));
  }

  // ReLU's auxiliary matrix has a bit for each element, set where the result is positive.
  void rectify(int64_t j, Acc *sums) {
    auto *bits = static_cast<uint8_t *>(x_.op.aux);
    bits = bits ? bits + (batch_ * x_.op.aux_stride + j * x_.op.aux_ld) / 8 : nullptr;
    for (int64_t i = 0; i < x_.m(); ++i) {
      const uint8_t bit = uint8_t(1 << i % 8);
      if (x_.has(DRelu)) {
        sums[i] = bits[i / 8] & bit ? sums[i] : 0;
        continue;
      }
      const bool positive = sums[i] > 0;
      if (x_.has(Aux))
        bits[i / 8] = uint8_t(positive ? bits[i / 8] | bit : bits[i / 8] & ~bit);
      sums[i] = positive || sums[i] != sums[i] ? sums[i] : 0;
    }
  }

  // GELU's auxiliary matrix has what goes into GELU.
  void smooth(int64_t j, Acc *sums) {
    const cudaDataType type = x_.auxType();
    void *const aux =
        x_.has(Aux) ? at(type, x_.op.aux, batch_ * x_.op.aux_stride + j * x_.op.aux_ld) : nullptr;
    if (x_.has(DGelu)) {
      load(type, aux, 1, old_.data(), x_.m());
      for (int64_t i = 0; i < x_.m(); ++i)
        sums[i] = Acc(sums[i] * geluGradient(old_[size_t(i)] * scale(x_.op.aux_scale)));
      return;
    }
    if (aux) {
      for (int64_t i = 0; i < x_.m(); ++i) {
        aux_amax_ = std::max(aux_amax_, std::fabs(double(sums[i])));
        old_[size_t(i)] = Acc(sums[i] * scale(x_.op.aux_scale));
      }
      store(type, old_.data(), aux, 1, x_.m());
    }
    for (int64_t i = 0; i < x_.m(); ++i)
      sums[i] = Acc(gelu(double(sums[i])));
  }

  void storeBias(const std::vector<Acc> &values) {
    store(x_.biasType(), values.data(), at(x_.biasType(), x_.op.bias, batch_ * x_.op.bias_stride),
          1, int64_t(values.size()));
  }
  // Batches share the largest magnitude.
  void raise(void *pointer, double value) {
    if (pointer)
      *static_cast<float *>(pointer) =
          batch_ == 0 ? float(value) : std::max(*static_cast<float *>(pointer), float(value));
  }

  const Matmul &x_;
  const MatmulData &data_;
  const int64_t batch_;
  bool use_c_ = false;
  double amax_ = 0, aux_amax_ = 0;
  std::vector<Acc> old_, alpha_, beta_, bias_, bias_gradient_;
};

/// Whether OpenBLAS can put the result into D: no epilogue, nothing to convert.
template <typename Acc> bool isPlain(const Matmul &x, const MatmulData &data, Acc beta) {
  const Operation &op = x.op;
  return x.d.type == typeOf<Acc> && x.d.plane_offset == 0 && x.d.order == CUBLASLT_ORDER_COL &&
         op.epilogue == CUBLASLT_EPILOGUE_DEFAULT &&
         op.pointer_mode <= CUBLASLT_POINTER_MODE_DEVICE && !op.a_scale && !op.b_scale &&
         !op.c_scale && !op.d_scale && !op.amax &&
         (number(beta) == Number<Acc>(0) ||
          (data.C == data.D && x.c.order == x.d.order && x.c.ld == x.d.ld &&
           x.c.batch_stride == x.d.batch_stride));
}

template <typename Acc> void computeIn(const Matmul &x, const MatmulData &data) {
  const auto type = cudaDataType(x.op.scale_type);
  const bool scalars = x.op.pointer_mode <= CUBLASLT_POINTER_MODE_DEVICE;
  const Acc beta = scalars ? loadOne<Acc>(type, data.beta) : Acc{};
  const Acc one = loadOne<Acc>(CUDA_R_32F, &static_cast<const float &>(1.0f));
  const auto from = [](const Layout &l, const void *base, int64_t batch) {
    return at(memoryType(l), base, batch * l.batch_stride);
  };
  std::vector<Acc> sums;
  for (int64_t i = 0; i < x.d.batch_count; ++i) {
    const Operand<Acc> a(x.a, from(x.a, data.A, i), cublasOperation_t(x.op.transa), true, x.op);
    const Operand<Acc> b(x.b, from(x.b, data.B, i), cublasOperation_t(x.op.transb), false, x.op);
    if (scalars && isPlain(x, data, beta)) {
      product(a, b, loadOne<Acc>(type, data.alpha), beta,
              static_cast<Acc *>(data.D) + i * x.d.batch_stride, x.d.ld);
      continue;
    }
    sums.resize(size_t(x.m() * x.n()));
    product(a, b, one, Acc{}, sums.data(), std::max<int64_t>(1, x.m()));
    Epilogue<Acc> epilogue(x, data, i);
    for (int64_t j = 0; j < x.n(); ++j)
      epilogue.column(j, sums.data() + j * x.m());
    epilogue.finish(a, b);
  }
}

} // namespace

void compute(const Matmul &x, const MatmulData &data) {
  const int scale_type = x.op.scale_type;
  if (scale_type == CUDA_C_32F)
    computeIn<cuComplex>(x, data);
  else if (scale_type == CUDA_C_64F)
    computeIn<cuDoubleComplex>(x, data);
  else if (scale_type == CUDA_R_64F || x.a.type == CUDA_R_8I) // sums of bytes are exact in double
    computeIn<double>(x, data);
  else
    computeIn<float>(x, data);
}

} // namespace heddle::cublaslt
