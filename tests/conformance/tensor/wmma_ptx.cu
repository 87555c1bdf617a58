// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// wmma in PTX text: each shape with each type and both layouts, loaded, multiplied and stored by
// one warp, and compared with the host's product.
// flags: -std=c++17 -lcuda
#include "../driver/driver.h"
#include "tensor_check.h"

#include <cstdint>

using namespace driver;

namespace {

struct Type {
  std::string name;
  int bits;
};

const Type f16{"f16", 16}, bf16{"bf16", 16}, f32{"f32", 32}, f64{"f64", 64}, s32{"s32", 32};

uint64_t encoded(const Type &type, int value) {
  uint64_t bits = 0;
  const auto keep = [&](auto number) { std::memcpy(&bits, &number, sizeof number); };
  if (type.name == "f16")
    keep(__float2half(float(value)));
  else if (type.name == "bf16")
    keep(__float2bfloat16(float(value)));
  else if (type.name == "f32" || type.name == "tf32")
    keep(float(value));
  else if (type.name == "f64")
    keep(double(value));
  else if (type.name == "u8" || type.name == "u4" || type.name == "b1")
    bits = uint64_t(value < 0 ? -value : value);
  else
    bits = uint64_t(int64_t(value));
  return type.bits == 64 ? bits : bits & ((uint64_t(1) << type.bits) - 1);
}

double decoded(const Type &type, uint64_t bits) {
  const auto number = [&](auto like) {
    std::memcpy(&like, &bits, sizeof like);
    return valueOf(like);
  };
  if (type.name == "f16")
    return number(__half());
  if (type.name == "bf16")
    return number(__nv_bfloat16());
  if (type.name == "f32" || type.name == "tf32")
    return number(0.0f);
  if (type.name == "f64")
    return number(0.0);
  if (type.name[0] == 's')
    return double(int64_t(bits << (64 - type.bits)) >> (64 - type.bits));
  return double(bits);
}

/// A matrix as it lies in memory.
struct Matrix {
  Matrix(const Type &type, int rows, int columns, bool by_rows, int pitch, int kind)
      : type(type), by_rows(by_rows), pitch(pitch),
        bytes(size_t((by_rows ? rows : columns) * pitch) * size_t(type.bits) / 8 + 8) {
    for (int row = 0; row < rows; ++row)
      for (int column = 0; column < columns; ++column)
        set(row, column, smallNumber(row, column, kind, type.bits == 1 ? 1 : 6));
  }
  size_t place(int row, int column) const {
    return size_t(by_rows ? row * pitch + column : column * pitch + row) * size_t(type.bits);
  }
  void set(int row, int column, int value) {
    const uint64_t bits = encoded(type, value);
    for (int i = 0; i < type.bits; ++i) {
      const size_t at = place(row, column) + size_t(i);
      if (bits >> i & 1)
        bytes[at / 8] = (unsigned char)(bytes[at / 8] | 1 << at % 8);
    }
  }
  double at(int row, int column) const {
    uint64_t bits = 0;
    for (int i = 0; i < type.bits; ++i) {
      const size_t from = place(row, column) + size_t(i);
      bits |= uint64_t(bytes[from / 8] >> from % 8 & 1) << i;
    }
    return decoded(type, bits);
  }

  Type type;
  bool by_rows;
  int pitch;
  std::vector<unsigned char> bytes;
};

struct Product {
  int m, n, k;
  Type factor, c, d;
  std::string operation; // of single bits
};

/// How many registers a fragment of so many elements has, and their names.
std::string registers(const std::string &prefix, const Type &type, int elements, bool is_factor) {
  const int width = type.bits < 32 ? 32 : type.bits;
  const int count = is_factor && type.name == "f16" ? 8 : elements * type.bits / (32 * width);
  std::string list = "{";
  for (int i = 0; i < count; ++i)
    list += (i ? ", " : "") + prefix + std::to_string(i);
  return list + "}";
}

std::string declared(const std::string &prefix, const Type &type) {
  const std::string kind = type.name == "f32" || type.name == "f64" ? type.name : "b32";
  return "\t.reg ." + kind + " " + prefix + "<16>;\n";
}

std::string textOf(const Product &p, bool a_rows) {
  const std::string shape =
      ".m" + std::to_string(p.m) + "n" + std::to_string(p.n) + "k" + std::to_string(p.k);
  const std::string a_layout = a_rows ? ".row" : ".col", b_layout = a_rows ? ".col" : ".row";
  const std::string sync = ".sync.aligned";
  const std::string a = registers("%a", p.factor, p.m * p.k, true),
                    b = registers("%b", p.factor, p.k * p.n, true),
                    c = registers("%c", p.c, p.m * p.n, false),
                    d = registers("%d", p.d, p.m * p.n, false);
  const std::string types = p.factor.name == "f16" ? "." + p.d.name + "." + p.c.name
                                                   : "." + p.d.name + "." + p.factor.name + "." +
                                                         p.factor.name + "." + p.c.name;
  std::string text = ".version 7.8\n.target sm_80\n.address_size 64\n"
                     ".visible .entry product(.param .u64 a, .param .u64 b, .param .u64 c,\n"
                     "\t.param .u64 d, .param .u32 ap, .param .u32 bp, .param .u32 sp)\n{\n"
                     "\t.reg .b64 %p<4>;\n\t.reg .b32 %s<3>;\n";
  text += declared("%a", p.factor) + declared("%b", p.factor) + declared("%c", p.c) +
          declared("%d", p.d);
  const char *const names[] = {"a", "b", "c", "d"};
  for (int i = 0; i < 4; ++i)
    text += "\tld.param.u64 %p" + std::to_string(i) + ", [" + names[i] + "];\n";
  text += "\tld.param.u32 %s0, [ap];\n\tld.param.u32 %s1, [bp];\n\tld.param.u32 %s2, [sp];\n";
  text += "\twmma.load.a" + sync + a_layout + shape + ".global." + p.factor.name + " " + a +
          ", [%p0], %s0;\n";
  text +=
      "\twmma.load.b" + sync + b_layout + shape + "." + p.factor.name + " " + b + ", [%p1], %s1;\n";
  text += "\twmma.load.c" + sync + a_layout + shape + ".global." + p.c.name + " " + c +
          ", [%p2], %s2;\n";
  text += "\twmma.mma" + p.operation + sync + a_layout + b_layout + shape + types + " " + d + ", " +
          a + ", " + b + ", " + c + ";\n";
  text += "\twmma.store.d" + sync + b_layout + shape + ".global." + p.d.name + " [%p3], " + d +
          ", %s2;\n\tret;\n}\n";
  return text;
}

CUdeviceptr upload(const std::vector<unsigned char> &bytes) {
  CUdeviceptr there = 0;
  CHECK_DRIVER(cuMemAlloc(&there, bytes.size()));
  CHECK_DRIVER(cuMemcpyHtoD(there, bytes.data(), bytes.size()));
  return there;
}

void checkProduct(const Product &p, bool a_rows) {
  // 32 bytes and more from one row to the next; rows of bits are 128 apart.
  const int step = p.factor.bits < 8 ? 128 / p.factor.bits : 16;
  const int longest = std::max(std::max(p.m, p.n), p.k);
  const int pitch = (longest + step - 1) / step * step + step, sum_pitch = 48;
  const Matrix a(p.factor, p.m, p.k, a_rows, pitch, 1), b(p.factor, p.k, p.n, !a_rows, pitch, 2);
  const Matrix c(p.c, p.m, p.n, a_rows, sum_pitch, 3);
  Matrix d(p.d, p.m, p.n, !a_rows, sum_pitch, 4);

  CUmodule module;
  const std::string text = textOf(p, a_rows);
  char log[1024] = "";
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void *values[] = {log, (void *)sizeof log};
  const CUresult loaded = cuModuleLoadDataEx(&module, text.c_str(), 2, options, values);
  CHECK_DRIVER(loaded);
  if (loaded != CUDA_SUCCESS) {
    std::fprintf(stderr, "%s\n%s\n", text.c_str(), log);
    return;
  }
  CUfunction function;
  CHECK_DRIVER(cuModuleGetFunction(&function, module, "product"));
  CUdeviceptr there[] = {upload(a.bytes), upload(b.bytes), upload(c.bytes), upload(d.bytes)};
  int pitches[] = {pitch, pitch, sum_pitch};
  void *parameters[] = {&there[0],   &there[1],   &there[2],  &there[3],
                        &pitches[0], &pitches[1], &pitches[2]};
  CHECK_DRIVER(cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, nullptr, parameters, nullptr));
  CHECK_DRIVER(cuMemcpyDtoH(d.bytes.data(), there[3], d.bytes.size()));
  for (int row = 0; row < p.m; ++row)
    for (int column = 0; column < p.n; ++column) {
      double sum = c.at(row, column);
      for (int k = 0; k < p.k; ++k) {
        const double x = a.at(row, k), y = b.at(k, column);
        sum += p.operation == ".xor.popc" ? double(x != y) : x * y;
      }
      CHECK_EQ(d.at(row, column), sum);
    }
  for (CUdeviceptr pointer : there)
    CHECK_DRIVER(cuMemFree(pointer));
  CHECK_DRIVER(cuModuleUnload(module));
}

} // namespace

int main() {
  begin();
  std::vector<Product> products;
  const int shapes[][3] = {{16, 16, 16}, {32, 8, 16}, {8, 32, 16}};
  for (const auto &s : shapes) {
    for (const Type &c : {f16, f32})
      for (const Type &d : {f16, f32})
        products.push_back({s[0], s[1], s[2], f16, c, d, ""});
    products.push_back({s[0], s[1], s[2], bf16, f32, f32, ""});
    products.push_back({s[0], s[1], s[2], {"s8", 8}, s32, s32, ""});
    products.push_back({s[0], s[1], s[2], {"u8", 8}, s32, s32, ""});
  }
  products.push_back({16, 16, 8, {"tf32", 32}, f32, f32, ""});
  products.push_back({8, 8, 4, f64, f64, f64, ""});
  // Both layouts of square products, else each in turn: every product is a module to compile.
  for (size_t i = 0; i < products.size(); ++i)
    for (bool a_rows : {true, false})
      if (products[i].m == products[i].n || a_rows == (i % 2 == 0))
        checkProduct(products[i], a_rows);
  checkProduct({8, 8, 32, {"s4", 4}, s32, s32, ""}, true);
  checkProduct({8, 8, 32, {"u4", 4}, s32, s32, ""}, true);
  checkProduct({8, 8, 128, {"b1", 1}, s32, s32, ".xor.popc"}, true);
  checkProduct({8, 8, 128, {"b1", 1}, s32, s32, ".and.popc"}, true);
  RETURN_RESULT();
}
