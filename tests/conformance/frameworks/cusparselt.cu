// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -lcusparseLt -lcusparse
//
// cuSPARSELt: matrices that are half zeros, pruned, checked, compressed and multiplied, in all
// orders and types; what follows the product; and what is refused.
#include "../check.h"

#include <algorithm>
#include <cstdint>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cusparseLt.h>

#define OK(call) CHECK_EQ(int(call), int(CUSPARSE_STATUS_SUCCESS))

namespace {

constexpr auto N = CUSPARSE_OPERATION_NON_TRANSPOSE, T = CUSPARSE_OPERATION_TRANSPOSE;
constexpr auto ROW = CUSPARSE_ORDER_ROW, COL = CUSPARSE_ORDER_COL;

cusparseLtHandle_t handle;

size_t sizeOf(cudaDataType type) {
  switch (type) {
  case CUDA_R_32F:
  case CUDA_R_32I:
    return 4;
  case CUDA_R_16F:
  case CUDA_R_16BF:
    return 2;
  default:
    return 1;
  }
}

void put(cudaDataType type, char *to, double value) {
  const auto set = [&](auto element) { std::memcpy(to, &element, sizeof element); };
  switch (type) {
  case CUDA_R_32F:
    return set(float(value));
  case CUDA_R_32I:
    return set(int32_t(value));
  case CUDA_R_16F:
    return set(__half(float(value)));
  case CUDA_R_16BF:
    return set(__nv_bfloat16(float(value)));
  case CUDA_R_8F_E4M3:
    return set(__nv_fp8_e4m3(float(value)));
  case CUDA_R_8F_E5M2:
    return set(__nv_fp8_e5m2(float(value)));
  default:
    return set(int8_t(value));
  }
}

double get(cudaDataType type, const char *from) {
  const auto as = [&](auto element) {
    std::memcpy(&element, from, sizeof element);
    return double(float(element));
  };
  switch (type) {
  case CUDA_R_32F:
    return as(float());
  case CUDA_R_32I: {
    int32_t value;
    std::memcpy(&value, from, sizeof value);
    return value;
  }
  case CUDA_R_16F:
    return as(__half());
  case CUDA_R_16BF:
    return as(__nv_bfloat16());
  case CUDA_R_8F_E4M3:
    return as(__nv_fp8_e4m3());
  case CUDA_R_8F_E5M2:
    return as(__nv_fp8_e5m2());
  default:
    return as(int8_t());
  }
}

/// A matrix as numbers, and how it lies in memory.
struct Host {
  int64_t rows, cols;
  cudaDataType type;
  cusparseOrder_t order;
  std::vector<double> values; // by rows

  int64_t ld() const { return (order == ROW ? cols : rows) + 32; }
  int64_t lines() const { return order == ROW ? rows : cols; }
  double &at(int64_t r, int64_t c) { return values[size_t(r * cols + c)]; }
  double at(int64_t r, int64_t c) const { return values[size_t(r * cols + c)]; }
  size_t place(int64_t r, int64_t c) const {
    return size_t(order == ROW ? r * ld() + c : r + c * ld()) * sizeOf(type);
  }
  std::vector<char> bytes() const {
    std::vector<char> data(size_t(ld() * lines()) * sizeOf(type));
    for (int64_t r = 0; r < rows; ++r)
      for (int64_t c = 0; c < cols; ++c)
        put(type, data.data() + place(r, c), at(r, c));
    return data;
  }
  void read(const std::vector<char> &data, size_t offset = 0) {
    for (int64_t r = 0; r < rows; ++r)
      for (int64_t c = 0; c < cols; ++c)
        at(r, c) = get(type, data.data() + offset + place(r, c));
  }
};

/// Small whole numbers, which all types hold and whose sums are exact.
Host made(int64_t rows, int64_t cols, cudaDataType type, cusparseOrder_t order, unsigned seed) {
  Host host{rows, cols, type, order, std::vector<double>(size_t(rows * cols))};
  for (double &value : host.values) {
    seed = seed * 1664525u + 1013904223u;
    value = int(seed >> 16) % 7 - 3;
  }
  return host;
}

double element(const Host &x, cusparseOperation_t op, int64_t i, int64_t j) {
  return op == N ? x.at(i, j) : x.at(j, i);
}

cusparseLtMatDescriptor_t describe(const Host &x, bool structured) {
  cusparseLtMatDescriptor_t description;
  if (structured)
    OK(cusparseLtStructuredDescriptorInit(&handle, &description, x.rows, x.cols, x.ld(), 16, x.type,
                                          x.order, CUSPARSELT_SPARSITY_50_PERCENT));
  else
    OK(cusparseLtDenseDescriptorInit(&handle, &description, x.rows, x.cols, x.ld(), 16, x.type,
                                     x.order));
  return description;
}

/// Half of the elements, and two bits for each that stays (of 32 bits: four); NVIDIA's are padded.
void checkSize(size_t size, cudaDataType type, int64_t elements) {
  const size_t half = size_t(elements) / 2;
  const size_t least = half * sizeOf(type) + half / (sizeOf(type) == 4 ? 2 : 4);
#ifdef __HEDDLE_CUSPARSE_TYPES_H__
  CHECK_EQ(size, least);
#else
  CHECK(size >= least);
#endif
}

struct Case {
  cudaDataType in = CUDA_R_16F, out = CUDA_R_16F;
  cusparseComputeType compute = CUSPARSE_COMPUTE_32F;
  cusparseOperation_t opa = N, opb = N;
  cusparseOrder_t orders[3] = {ROW, ROW, ROW};
  bool sparse_b = false;
};

/// All that a product needs.
struct Product {
  static constexpr int64_t m = 64, n = 32, k = 96;
  const Case how;
  Host a, b, c;
  cusparseLtMatDescriptor_t descriptions[3];
  cusparseLtMatmulDescriptor_t matmul;

  explicit Product(const Case &how)
      : how(how), a(made(how.opa == N ? m : k, how.opa == N ? k : m, how.in, how.orders[0], 1)),
        b(made(how.opb == N ? k : n, how.opb == N ? n : k, how.in, how.orders[1], 2)),
        c(made(m, n, how.out, how.orders[2], 3)) {
    descriptions[0] = describe(a, !how.sparse_b);
    descriptions[1] = describe(b, how.sparse_b);
    descriptions[2] = describe(c, false);
    OK(cusparseLtMatmulDescriptorInit(&handle, &matmul, how.opa, how.opb, &descriptions[0],
                                      &descriptions[1], &descriptions[2], &descriptions[2],
                                      how.compute));
  }

  Host &sparse() { return how.sparse_b ? b : a; }

  void pruneBy(cusparseLtPruneAlg_t algorithm) {
    Host &x = sparse();
    DeviceBuffer<char> data(x.bytes());
    DeviceBuffer<int> valid(1);
    OK(cusparseLtSpMMAPruneCheck(&handle, &matmul, data, valid, nullptr));
    CHECK_EQ(valid.download()[0], 1); // random numbers are not
    OK(cusparseLtSpMMAPrune(&handle, &matmul, data, data, algorithm, nullptr));
    OK(cusparseLtSpMMAPruneCheck(&handle, &matmul, data, valid, nullptr));
    CHECK_EQ(valid.download()[0], 0);
    x.read(data.download());
  }

  double sum(int64_t i, int64_t j) const {
    double result = 0;
    for (int64_t p = 0; p < k; ++p)
      result += element(a, how.opa, i, p) * element(b, how.opb, p, j);
    return result;
  }

  /// D for these factors.
  Host run(const void *alpha, const void *beta, bool search = false) {
    cusparseLtMatmulAlgSelection_t selection;
    cusparseLtMatmulPlan_t plan;
    OK(cusparseLtMatmulAlgSelectionInit(&handle, &selection, &matmul,
                                        CUSPARSELT_MATMUL_ALG_DEFAULT));
    OK(cusparseLtMatmulPlanInit(&handle, &plan, &matmul, &selection));
    size_t compressed_size = 0, buffer_size = 0, workspace = 0;
    OK(cusparseLtSpMMACompressedSize(&handle, &plan, &compressed_size, &buffer_size));
    checkSize(compressed_size, how.in, sparse().rows * sparse().cols);
    OK(cusparseLtMatmulGetWorkspace(&handle, &plan, &workspace));
    DeviceBuffer<char> dense_a(a.bytes()), dense_b(b.bytes()), old(c.bytes()), d(c.bytes()),
        compressed(compressed_size), buffer(buffer_size + 1), work(workspace + 1);
    OK(cusparseLtSpMMACompress(&handle, &plan, how.sparse_b ? dense_b : dense_a, compressed, buffer,
                               nullptr));
    cudaStream_t stream;
    CHECK_CUDA(cudaStreamCreate(&stream));
    CHECK_CUDA(cudaStreamSynchronize(nullptr));
    char *const first = how.sparse_b ? dense_a.data() : compressed.data();
    char *const second = how.sparse_b ? compressed.data() : dense_b.data();
    if (search)
      OK(cusparseLtMatmulSearch(&handle, &plan, alpha, first, second, beta, old, d, work, &stream,
                                1));
    else
      OK(cusparseLtMatmul(&handle, &plan, alpha, first, second, beta, old, d, work, &stream, 1));
    CHECK_CUDA(cudaStreamSynchronize(stream));
    CHECK_CUDA(cudaStreamDestroy(stream));
    OK(cusparseLtMatmulPlanDestroy(&plan));
    OK(cusparseLtMatmulAlgSelectionDestroy(&selection));
    Host result = c;
    result.read(d.download());
    return result;
  }
};

/// What a type makes of a number.
double rounded(cudaDataType type, double value) {
  char bytes[4];
  if (type == CUDA_R_8I)
    value = std::fmin(std::fmax(std::nearbyint(value), -128), 127);
  if (type == CUDA_R_32I)
    value = std::nearbyint(value);
  put(type, bytes, value);
  return get(type, bytes);
}

template <class Function> void compare(const Product &p, const Host &d, Function expected) {
  size_t wrong = 0;
  for (int64_t i = 0; i < p.m; ++i)
    for (int64_t j = 0; j < p.n; ++j) {
      const double want = rounded(p.how.out, expected(i, j));
      if (d.at(i, j) != want && ++wrong == 1)
        std::fprintf(stderr, "  types %d to %d, (%d, %d): %g, expected %g\n", int(p.how.in),
                     int(p.how.out), int(i), int(j), d.at(i, j), want);
    }
  CHECK_EQ(wrong, 0u);
}

void testProducts() {
  struct Types {
    cudaDataType in, out;
    cusparseComputeType compute;
  };
  const Types types[] = {{CUDA_R_16F, CUDA_R_16F, CUSPARSE_COMPUTE_32F},
                         {CUDA_R_16F, CUDA_R_16F, CUSPARSE_COMPUTE_16F},
                         {CUDA_R_16BF, CUDA_R_16BF, CUSPARSE_COMPUTE_32F},
                         {CUDA_R_32F, CUDA_R_32F, CUSPARSE_COMPUTE_32F},
                         {CUDA_R_8I, CUDA_R_8I, CUSPARSE_COMPUTE_32I},
                         {CUDA_R_8I, CUDA_R_32I, CUSPARSE_COMPUTE_32I},
                         {CUDA_R_8I, CUDA_R_16F, CUSPARSE_COMPUTE_32I},
                         {CUDA_R_8I, CUDA_R_16BF, CUSPARSE_COMPUTE_32I},
                         {CUDA_R_8F_E4M3, CUDA_R_16F, CUSPARSE_COMPUTE_32F},
                         {CUDA_R_8F_E5M2, CUDA_R_32F, CUSPARSE_COMPUTE_32F}};
  for (const Types &type : types)
    for (unsigned bits = 0; bits < 64; ++bits) {
      if (type.in != CUDA_R_16F && bits % 5 != 0) // the orders are the same for all
        continue;
      Case how{type.in, type.out, type.compute};
      how.opa = bits & 1 ? T : N, how.opb = bits & 2 ? T : N;
      for (unsigned i = 0; i < 3; ++i)
        how.orders[i] = bits >> (i + 2) & 1 ? COL : ROW;
      how.sparse_b = bits & 32;
      Product product(how);
      product.pruneBy(bits % 2 ? CUSPARSELT_PRUNE_SPMMA_TILE : CUSPARSELT_PRUNE_SPMMA_STRIP);
      const float alpha = 2, beta = -1;
      const Host d = product.run(&alpha, &beta, bits % 3 == 0);
      compare(product, d,
              [&](int64_t i, int64_t j) { return 2 * product.sum(i, j) - product.c.at(i, j); });
    }
}

/// What stays of each group is the largest: compared with all ways to choose.
void testPruning() {
  for (const cudaDataType type : {CUDA_R_16F, CUDA_R_8I, CUDA_R_32F}) {
    const bool wide = type == CUDA_R_32F;
    const int64_t group = wide ? 2 : 4, kept = wide ? 1 : 2;
    for (const bool tiles : {false, true}) {
      Case how{type, type == CUDA_R_8I ? CUDA_R_32I : type,
               type == CUDA_R_8I ? CUSPARSE_COMPUTE_32I : CUSPARSE_COMPUTE_32F};
      Product product(how);
      const Host before = product.a;
      product.pruneBy(tiles ? CUSPARSELT_PRUNE_SPMMA_TILE : CUSPARSELT_PRUNE_SPMMA_STRIP);
      const Host &after = product.a;
      for (int64_t r = 0; r < before.rows; r += tiles ? group : 1)
        for (int64_t c = 0; c < before.cols; c += group) {
          const int64_t height = tiles ? group : 1;
          double most = 0, is = 0;
          const unsigned cells = unsigned(height * group);
          for (unsigned mask = 0; mask < 1u << cells; ++mask) {
            if (__builtin_popcount(mask) != height * kept)
              continue;
            double sum = 0;
            bool fits = true;
            for (int64_t i = 0; i < group && fits; ++i) {
              int in_row = 0, in_column = 0;
              for (int64_t j = 0; j < group; ++j) {
                in_row += i < height ? mask >> (i * group + j) & 1 : 0;
                in_column += j < height ? mask >> (j * group + i) & 1 : 0;
              }
              fits = (i >= height || in_row == kept) && (!tiles || in_column == kept);
            }
            if (!fits)
              continue;
            for (unsigned cell = 0; cell < cells; ++cell)
              if (mask >> cell & 1)
                sum += std::fabs(before.at(r + cell / group, c + cell % group));
            most = std::max(most, sum);
          }
          for (unsigned cell = 0; cell < cells; ++cell) {
            const double now = after.at(r + cell / group, c + cell % group);
            is += std::fabs(now);
            CHECK(now == 0 || now == before.at(r + cell / group, c + cell % group));
          }
          CHECK_EQ(is, most);
        }
    }
  }
}

template <class V>
void set(Product &product, cusparseLtMatmulDescAttribute_t attribute, const V &value) {
  V read{};
  OK(cusparseLtMatmulDescSetAttribute(&handle, &product.matmul, attribute, &value, sizeof value));
  OK(cusparseLtMatmulDescGetAttribute(&handle, &product.matmul, attribute, &read, sizeof read));
  CHECK(read == value);
}

void testEpilogues() {
  const float one = 1, zero = 0, half = 0.5f;
  for (const cudaDataType type : {CUDA_R_16F, CUDA_R_8I}) {
    const bool bytes = type == CUDA_R_8I;
    const Case how{type, bytes ? CUDA_R_32I : CUDA_R_16F,
                   bytes ? CUSPARSE_COMPUTE_32I : CUSPARSE_COMPUTE_32F};
    // The bias of bytes is float, else of D's type.
    Host bias = made(1, Product::m, bytes ? CUDA_R_32F : CUDA_R_16F, ROW, 9);
    DeviceBuffer<char> bias_data(bias.bytes());
    Product product(how);
    product.pruneBy(CUSPARSELT_PRUNE_SPMMA_STRIP);
    set(product, CUSPARSELT_MATMUL_BIAS_POINTER, static_cast<void *>(bias_data.data()));
    compare(product, product.run(&one, &zero),
            [&](int64_t i, int64_t j) { return product.sum(i, j) + bias.at(0, i); });
    set(product, CUSPARSELT_MATMUL_ACTIVATION_RELU, 1);
    set(product, CUSPARSELT_MATMUL_ACTIVATION_RELU_UPPERBOUND, 20.0f);
    set(product, CUSPARSELT_MATMUL_ACTIVATION_RELU_THRESHOLD, 2.0f);
    compare(product, product.run(&half, &one), [&](int64_t i, int64_t j) {
      const double x = 0.5 * product.sum(i, j) + bias.at(0, i) + product.c.at(i, j);
      return x > 2 ? std::min(x, 20.0) : 0;
    });
  }
  Product product(Case{});
  product.pruneBy(CUSPARSELT_PRUNE_SPMMA_STRIP);
  std::vector<float> factors(Product::m);
  for (size_t i = 0; i < factors.size(); ++i)
    factors[i] = 0.25f * float(i % 8);
  DeviceBuffer<float> alpha(factors);
  set(product, CUSPARSELT_MATMUL_ALPHA_VECTOR_SCALING, 1);
  compare(product, product.run(alpha, &one), [&](int64_t i, int64_t j) {
    return factors[size_t(i)] * product.sum(i, j) + product.c.at(i, j);
  });
  set(product, CUSPARSELT_MATMUL_BETA_VECTOR_SCALING, 1);
  compare(product, product.run(alpha, alpha), [&](int64_t i, int64_t j) {
    return factors[size_t(i)] * (product.sum(i, j) + product.c.at(i, j));
  });

  Product smooth(Case{CUDA_R_8I, CUDA_R_8I, CUSPARSE_COMPUTE_32I});
  smooth.pruneBy(CUSPARSELT_PRUNE_SPMMA_TILE);
  set(smooth, CUSPARSELT_MATMUL_ACTIVATION_GELU_SCALING, 3.0f); // implies GELU
  const float tenth = 0.1f;
  const Host d = smooth.run(&tenth, &zero);
  for (int64_t i = 0; i < smooth.m; ++i)
    for (int64_t j = 0; j < smooth.n; ++j) {
      const double x = double(tenth) * smooth.sum(i, j);
      const double expected = 1.5 * x * (1 + std::erf(x / std::sqrt(2.0)));
      CHECK_NEAR(d.at(i, j), expected, 0.51);
    }
}

/// One number for a whole matrix of 8-bit floats.
void testScales() {
  Product product(Case{CUDA_R_8F_E4M3, CUDA_R_16F});
  product.pruneBy(CUSPARSELT_PRUNE_SPMMA_STRIP);
  DeviceBuffer<float> scales(std::vector<float>{2, 0.5f, 4});
  const cusparseLtMatmulMatrixScale_t mode = CUSPARSELT_MATMUL_MATRIX_SCALE_SCALAR_32F;
  set(product, CUSPARSELT_MATMUL_A_SCALE_MODE, mode);
  set(product, CUSPARSELT_MATMUL_D_SCALE_MODE, mode);
  set(product, CUSPARSELT_MATMUL_A_SCALE_POINTER, static_cast<void *>(scales.data()));
  set(product, CUSPARSELT_MATMUL_D_SCALE_POINTER, static_cast<void *>(scales.data() + 1));
  const float one = 1, zero = 0;
  compare(product, product.run(&one, &zero),
          [&](int64_t i, int64_t j) { return product.sum(i, j); });
  set(product, CUSPARSELT_MATMUL_B_SCALE_MODE, mode);
  set(product, CUSPARSELT_MATMUL_B_SCALE_POINTER, static_cast<void *>(scales.data() + 2));
  compare(product, product.run(&one, &zero),
          [&](int64_t i, int64_t j) { return 4 * product.sum(i, j); });
}

/// Two right sides for one structured matrix, which is compressed by its own description.
void testBatches() {
  constexpr int64_t m = 32, n = 16, k = 32;
  Host a = made(m, k, CUDA_R_16F, ROW, 5), b = made(k, n, CUDA_R_16F, ROW, 6),
       d = made(m, n, CUDA_R_16F, ROW, 7);
  const Host second = made(k, n, CUDA_R_16F, ROW, 8);
  cusparseLtMatDescriptor_t da = describe(a, true), db = describe(b, false),
                            dd = describe(d, false);
  const int batches = 2;
  const auto bytes_of_b = b.bytes(), more = second.bytes();
  const int64_t stride_b = b.ld() * k, stride_d = d.ld() * m;
  for (auto *description : {&da, &db, &dd})
    OK(cusparseLtMatDescSetAttribute(&handle, description, CUSPARSELT_MAT_NUM_BATCHES, &batches,
                                     sizeof batches));
  OK(cusparseLtMatDescSetAttribute(&handle, &db, CUSPARSELT_MAT_BATCH_STRIDE, &stride_b,
                                   sizeof stride_b));
  OK(cusparseLtMatDescSetAttribute(&handle, &dd, CUSPARSELT_MAT_BATCH_STRIDE, &stride_d,
                                   sizeof stride_d));
  DeviceBuffer<char> data_a(a.bytes()), data_d(2 * size_t(stride_d) * 2);
  std::vector<char> both(size_t(2 * stride_b) * 2);
  std::copy(bytes_of_b.begin(), bytes_of_b.end(), both.begin());
  std::copy(more.begin(), more.end(), both.begin() + 2 * stride_b);
  DeviceBuffer<char> data_b(both);
  OK(cusparseLtSpMMAPrune2(&handle, &da, 1, N, data_a, data_a, CUSPARSELT_PRUNE_SPMMA_STRIP,
                           nullptr));
  DeviceBuffer<int> valid(std::vector<int>{7});
  OK(cusparseLtSpMMAPruneCheck2(&handle, &da, 1, N, data_a, valid, nullptr));
  CHECK_EQ(valid.download()[0], 0);
  a.read(data_a.download());
  size_t size = 0, buffer = 0;
  OK(cusparseLtSpMMACompressedSize2(&handle, &da, &size, &buffer));
  checkSize(size, CUDA_R_16F, m * k);
  DeviceBuffer<char> compressed(size);
  OK(cusparseLtSpMMACompress2(&handle, &da, 1, N, data_a, compressed, nullptr, nullptr));
  cusparseLtMatmulDescriptor_t matmul;
  cusparseLtMatmulAlgSelection_t selection;
  cusparseLtMatmulPlan_t plan;
  OK(cusparseLtMatmulDescriptorInit(&handle, &matmul, N, N, &da, &db, &dd, &dd,
                                    CUSPARSE_COMPUTE_32F));
  OK(cusparseLtMatmulAlgSelectionInit(&handle, &selection, &matmul, CUSPARSELT_MATMUL_ALG_DEFAULT));
  int most = 0, id = 0, iterations = 3, split = 1;
  OK(cusparseLtMatmulAlgGetAttribute(&handle, &selection, CUSPARSELT_MATMUL_ALG_CONFIG_MAX_ID,
                                     &most, sizeof most));
  CHECK(most > 0);
  OK(cusparseLtMatmulAlgSetAttribute(&handle, &selection, CUSPARSELT_MATMUL_ALG_CONFIG_ID, &id,
                                     sizeof id));
  OK(cusparseLtMatmulAlgSetAttribute(&handle, &selection, CUSPARSELT_MATMUL_SEARCH_ITERATIONS,
                                     &iterations, sizeof iterations));
  OK(cusparseLtMatmulAlgSetAttribute(&handle, &selection, CUSPARSELT_MATMUL_SPLIT_K, &split,
                                     sizeof split));
  CHECK(cusparseLtMatmulAlgSetAttribute(&handle, &selection, CUSPARSELT_MATMUL_ALG_CONFIG_ID, &most,
                                        sizeof most) != CUSPARSE_STATUS_SUCCESS);
  OK(cusparseLtMatmulPlanInit(&handle, &plan, &matmul, &selection));
  const float one = 1, zero = 0;
  OK(cusparseLtMatmul(&handle, &plan, &one, compressed, data_b, &zero, nullptr, data_d, nullptr,
                      nullptr, 0));
  const auto result = data_d.download();
  for (int batch = 0; batch < 2; ++batch) {
    d.read(result, size_t(batch * stride_d * 2));
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < n; ++j) {
        double sum = 0;
        for (int64_t p = 0; p < k; ++p)
          sum += a.at(i, p) * (batch ? second : b).at(p, j);
        CHECK_EQ(d.at(i, j), sum);
      }
  }
  OK(cusparseLtMatDescriptorDestroy(&da));
}

void testRefused() {
  cusparseLtHandle_t none = {};
  cusparseLtMatDescriptor_t a, b, c;
  cusparseLtMatmulDescriptor_t matmul;
  const auto structured = [&](int64_t rows, int64_t cols, int64_t ld, cudaDataType type) {
    return cusparseLtStructuredDescriptorInit(&handle, &a, rows, cols, ld, 16, type, ROW,
                                              CUSPARSELT_SPARSITY_50_PERCENT);
  };
  CHECK_EQ(cusparseLtDenseDescriptorInit(&none, &a, 32, 32, 32, 16, CUDA_R_16F, ROW),
           CUSPARSE_STATUS_NOT_INITIALIZED);
  CHECK_EQ(structured(32, 24, 32, CUDA_R_16F), CUSPARSE_STATUS_INVALID_VALUE);
  CHECK_EQ(structured(32, 32, 16, CUDA_R_16F), CUSPARSE_STATUS_INVALID_VALUE);
  CHECK_EQ(structured(0, 32, 32, CUDA_R_16F), CUSPARSE_STATUS_INVALID_VALUE);
  CHECK_EQ(structured(32, 32, 32, CUDA_R_64F), CUSPARSE_STATUS_NOT_SUPPORTED);
  CHECK_EQ(cusparseLtDenseDescriptorInit(&handle, &b, 32, 32, 32, 7, CUDA_R_16F, ROW),
           CUSPARSE_STATUS_INVALID_VALUE);
  OK(structured(32, 32, 32, CUDA_R_16F));
  OK(cusparseLtDenseDescriptorInit(&handle, &b, 32, 16, 16, 16, CUDA_R_16F, ROW));
  OK(cusparseLtDenseDescriptorInit(&handle, &c, 32, 16, 16, 16, CUDA_R_16F, ROW));
  const auto init = [&](cusparseOperation_t opb, cusparseLtMatDescriptor_t *first,
                        cusparseComputeType compute) {
    return cusparseLtMatmulDescriptorInit(&handle, &matmul, N, opb, first, &b, &c, &c, compute);
  };
  CHECK_EQ(init(T, &a, CUSPARSE_COMPUTE_32F), CUSPARSE_STATUS_INVALID_VALUE);
  CHECK_EQ(init(N, &c, CUSPARSE_COMPUTE_32F), CUSPARSE_STATUS_INVALID_VALUE);
  CHECK_EQ(init(N, &a, CUSPARSE_COMPUTE_32I), CUSPARSE_STATUS_NOT_SUPPORTED);
  CHECK_EQ(init(N, nullptr, CUSPARSE_COMPUTE_32F), CUSPARSE_STATUS_INVALID_VALUE);
  OK(init(N, &a, CUSPARSE_COMPUTE_32F));
  int value = 1;
  CHECK_EQ(cusparseLtMatmulDescSetAttribute(&handle, &matmul, CUSPARSELT_MATMUL_ACTIVATION_RELU,
                                            &value, 8),
           CUSPARSE_STATUS_INVALID_VALUE);
  CHECK_EQ(cusparseLtMatmulDescSetAttribute(&handle, &matmul, CUSPARSELT_MATMUL_ACTIVATION_GELU,
                                            &value, sizeof value),
           CUSPARSE_STATUS_INVALID_VALUE); // of halves
  value = CUSPARSELT_MATMUL_MATRIX_SCALE_VEC32_UE4M3;
  CHECK_EQ(
      cusparseLtMatmulDescSetAttribute(&handle, &matmul, CUSPARSELT_MATMUL_A_SCALE_MODE, &value, 4),
      CUSPARSE_STATUS_NOT_SUPPORTED);
  cusparseLtMatmulPlan_t plan = {};
  CHECK(cusparseLtMatmul(&handle, &plan, &value, &value, &value, &value, nullptr, &value, nullptr,
                         nullptr, 0) != CUSPARSE_STATUS_SUCCESS);
  OK(cusparseLtMatDescriptorDestroy(&a));
  CHECK_EQ(init(N, &a, CUSPARSE_COMPUTE_32F), CUSPARSE_STATUS_INVALID_VALUE);
  int version = 0, minor = -1;
  OK(cusparseLtGetVersion(&handle, &version));
  OK(cusparseLtGetProperty(MINOR_VERSION, &minor));
  CHECK_EQ(version, CUSPARSELT_VERSION);
  CHECK_EQ(minor, CUSPARSELT_VER_MINOR);
  CHECK(std::strcmp(cusparseLtGetErrorName(CUSPARSE_STATUS_NOT_SUPPORTED),
                    "CUSPARSE_STATUS_NOT_SUPPORTED") == 0);
  CHECK(cusparseLtGetErrorString(CUSPARSE_STATUS_SUCCESS) != nullptr);
}

} // namespace

int main() {
  OK(cusparseLtInit(&handle));
  testProducts();
  testPruning();
  testEpilogues();
  testScales();
  testBatches();
  testRefused();
  OK(cusparseLtDestroy(&handle));
  RETURN_RESULT();
}
