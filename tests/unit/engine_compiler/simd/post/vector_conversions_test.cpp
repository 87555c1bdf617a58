// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions of vectors that saturate (vector_conversions.h). That each value becomes what a GPU
// makes of it is shown by tests/conformance, "convert_float_to_int" and "…_to_narrow".
#include "engine/compiler/simd/post/vector_conversions.h"
#include "ir.h"

#include <gtest/gtest.h>

using namespace heddle;
using namespace heddle::engine;

namespace {

std::string expanded(const std::string &sign, const std::string &to, const std::string &from,
                     const std::string &types) {
  const std::string name = "@llvm.fpto" + sign + "i.sat." + types;
  Ir ir("declare " + to + " " + name + "(" + from + ")\ndefine " + to + " @f(" + from +
        " %x) {\n  %r = call " + to + " " + name + "(" + from + " %x)\n  ret " + to + " %r\n}\n");
  expandVectorConversions(ir.function("f"));
  ir.verify();
  return ir.text("f");
}

// NaN becomes 0.
TEST(VectorConversions, OfSignedNumbers) {
  const std::string text = expanded("s", "<8 x i32>", "<8 x float>", "v8i32.v8f32");
  expectInOrder(text, {"fcmp ogt <8 x float> %x, ", "0xC1E0000000000000", "select <8 x i1>",
                       "fptosi <8 x float> %", "fcmp oge <8 x float> %x", "0x41E0000000000000",
                       "i32 2147483647", "fcmp uno <8 x float> %x, %x", "zeroinitializer"});
  expectNone(text, {"call"});
}

TEST(VectorConversions, OfUnsignedNumbers) {
  const std::string text = expanded("u", "<8 x i64>", "<8 x double>", "v8i64.v8f64");
  expectInOrder(text, {"fcmp ogt <8 x double> %x, zeroinitializer", "fptoui <8 x double> %",
                       "fcmp oge <8 x double> %x", "0x43F0000000000000", "i64 -1"});
  expectNone(text, {"call", "uno"});
}

TEST(VectorConversions, OfHalves) {
  expectInOrder(expanded("s", "<8 x i32>", "<8 x half>", "v8i32.v8f16"),
                {"fpext <8 x half> %x to <8 x float>", "fptosi <8 x float>"});
}

// LLVM has good code for one number.
TEST(VectorConversions, ScalarsStay) {
  expectInOrder(expanded("s", "i32", "float", "i32.f32"), {"call i32 @llvm.fptosi.sat.i32.f32"});
}

} // namespace
