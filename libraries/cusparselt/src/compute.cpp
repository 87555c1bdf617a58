// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sums come from cuBLAS's products: of bytes exactly, of others in float. What follows them is
// computed in double and rounded once.
#include "compute.h"
#include "structure.h"

#include "product.h"

#include <cmath>
#include <memory>
#include <vector>

namespace heddle::cusparselt {
namespace {

using cublas::at;

/// A factor as columns in memory.
struct Columns {
  const void *data;
  int64_t ld;
  cublasOperation_t op;
};

cublasOperation_t turned(bool transposed) { return transposed ? CUBLAS_OP_T : CUBLAS_OP_N; }

Columns denseColumns(const Matrix &matrix, cusparseOperation_t op, const void *data) {
  const bool transposed = op == CUSPARSE_OPERATION_TRANSPOSE;
  // A matrix of rows is its transpose in columns.
  return {data, matrix.ld, turned(transposed != (matrix.order == CUSPARSE_ORDER_ROW))};
}

cudaDataType biasType(const Matmul &x) {
  if (x.a.type == CUDA_R_8I)
    return CUDA_R_32F;
  return x.d.type == CUDA_R_8F_E4M3 || x.d.type == CUDA_R_8F_E5M2 ? x.c.type : x.d.type;
}

double gelu(double x) {
  return 0.5 * x * (1 + std::tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)));
}

double activate(const Matmul &x, double value) {
  if (x.relu)
    return value > x.relu_threshold || std::isnan(value) ? std::fmin(value, double(x.relu_upper))
                                                         : 0;
  return x.gelu || x.gelu_scale != 1 ? x.gelu_scale * gelu(value) : value;
}

/// The float that all of a matrix is scaled by.
double scale(const Matmul &x, int which) {
  return x.scale_modes[which] && x.scales[which] ? *static_cast<const float *>(x.scales[which]) : 1;
}

/// Turns the sums, m a column, into a matrix of D.
class Epilogue {
public:
  Epilogue(const Matmul &x, const MatmulData &data, int64_t batch)
      : x_(x), data_(data), bias_(size_t(x.m()), 0),
        c_(at(x.c.type, data.c, batch * x.c.batch_stride)),
        d_(at(x.d.type, data.d, batch * x.d.batch_stride)) {
    if (x.bias)
      cublas::load(biasType(x), at(biasType(x), x.bias, batch * x.bias_stride), 1, bias_.data(),
                   x.m());
  }

  template <class Sum> void run(const Sum *sums) const {
    const bool by_rows = x_.d.order == CUSPARSE_ORDER_ROW;
    const double product = scale(x_, 0) * scale(x_, 1), of_c = scale(x_, 2), of_d = scale(x_, 3);
    for (int64_t row = 0; row < x_.m(); ++row) {
      const double alpha = data_.alpha[x_.alpha_vector || x_.beta_vector ? row : 0] * product;
      const double beta = data_.beta[x_.beta_vector ? row : 0] * of_c;
      for (int64_t column = 0; column < x_.n(); ++column) {
        const int64_t place = by_rows ? row * x_.d.ld + column : row + column * x_.d.ld;
        double value = alpha * double(sums[row + column * x_.m()]) + bias_[size_t(row)];
        if (beta != 0)
          value += beta * cublas::loadOne<double>(x_.c.type, at(x_.c.type, c_, place));
        value = activate(x_, value) * of_d;
        cublas::store(x_.d.type, &value, at(x_.d.type, d_, place), 1, 1);
      }
    }
  }

private:
  const Matmul &x_;
  const MatmulData &data_;
  std::vector<double> bias_;
  const void *c_;
  void *d_;
};

template <class Sum> class Multiplier {
public:
  explicit Multiplier(const Matmul &x)
      : x_(x), lines_(linesOf(x.structuredMatrix(), x.sparseIsA(), x.structuredOperation())),
        expanded_(new char[size_t(lines_.count * lines_.length) * lines_.element]),
        sums_(new Sum[size_t(x.m() * x.n())]) {}

  const Sum *run(const MatmulData &data, int64_t batch) {
    const bool is_a = x_.sparseIsA();
    const auto *compressed = static_cast<const char *>(is_a ? data.a : data.b);
    if (batch == 0 || lines_.batch_step)
      expand(lines_, compressed + size_t(lines_.batch_step ? batch : 0) * lines_.compressedBytes(),
             expanded_.get());
    // Lines along the sum are columns: of A's transpose, or of B.
    const Columns sparse{expanded_.get(), lines_.length, turned(is_a)};
    const Matrix &other = is_a ? x_.b : x_.a;
    const Columns dense =
        denseColumns(other, is_a ? x_.opb : x_.opa,
                     at(other.type, is_a ? data.b : data.a, batch * other.batch_stride));
    multiply(is_a ? sparse : dense, is_a ? dense : sparse);
    return sums_.get();
  }

private:
  void multiply(const Columns &a, const Columns &b) {
    constexpr bool whole = std::is_same_v<Sum, int32_t>;
    cublas::Product product;
    product.opa = a.op, product.opb = b.op;
    product.m = x_.m(), product.n = x_.n(), product.k = x_.k();
    product.atype = product.btype = x_.a.type;
    product.lda = a.ld, product.ldb = b.ld, product.ldc = x_.m();
    product.ctype = product.scale_type = whole ? CUDA_R_32I : CUDA_R_32F;
    product.computation = whole ? cublas::Computation::I32 : cublas::Computation::F32;
    const Sum one = 1, zero = 0;
    cublas::multiply(product, &one, a.data, b.data, &zero, sums_.get());
  }

  const Matmul &x_;
  const Lines lines_;
  const std::unique_ptr<char[]> expanded_;
  const std::unique_ptr<Sum[]> sums_;
};

template <class Sum> void computeWith(const Matmul &x, const MatmulData &data) {
  Multiplier<Sum> multiplier(x);
  for (int64_t batch = 0; batch < x.d.batches; ++batch)
    Epilogue(x, data, batch).run(multiplier.run(data, batch));
}

} // namespace

void compute(const Matmul &x, const MatmulData &data) {
  x.a.type == CUDA_R_8I ? computeWith<int32_t>(x, data) : computeWith<float>(x, data);
}

} // namespace heddle::cusparselt
