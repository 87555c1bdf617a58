// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inline PTX: what it becomes, what it computes when it is run on this machine (compared with an
// H200), and what is said about PTX that cannot be translated.
#include "module/passes/define_arithmetic.h"
#include "module/ptx/inline_ptx.h"

#include "inline_ptx_h200.h"
#include "ir.h"

#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"

#include <bit>
#include <cmath>
#include <gtest/gtest.h>

using namespace llvm;

namespace heddle {
namespace {

// ---- Text

// The translation of a function's body.
std::string translated(const std::string &parameters, const std::string &body) {
  Ir ir("define i32 @f(" + parameters + ") {\n" + body + "}\n");
  const std::vector<std::string> messages = translateInlinePtx(ir.module());
  EXPECT_TRUE(messages.empty()) << messages.front();
  ir.verify();
  return ir.text("f");
}

// The one message about `ptx`, with an output and two inputs.
std::string complaint(const std::string &ptx) {
  Ir ir("define i32 @f(i32 %a, i32 %b) {\n  %d = call i32 asm sideeffect \"" + ptx +
        "\", \"=r,r,r\"(i32 %a, i32 %b)\n  ret i32 %d\n}\n");
  const std::vector<std::string> messages = translateInlinePtx(ir.module());
  EXPECT_EQ(messages.size(), 1u);
  return messages.empty() ? "" : messages.front();
}

std::string readRegister(const std::string &name) {
  return translated("", "  %d = call i32 asm \"mov.u32 $0, " + name +
                            ";\", \"=r\"()\n"
                            "  ret i32 %d\n");
}

TEST(InlinePtx, SpecialRegistersBecomeIntrinsics) {
  expectInOrder(readRegister("%tid.x"), {"@llvm.nvvm.read.ptx.sreg.tid.x()"});
  expectInOrder(readRegister("%lanemask_lt"), {"@llvm.nvvm.read.ptx.sreg.lanemask.lt()"});
  expectNone(readRegister("%laneid"), {" asm "});
}

TEST(InlinePtx, SharedAddressesOf32BitsAreExtended) {
  const std::string text =
      translated("i32 %a", "  %d = call i32 asm sideeffect \"ld.shared.u32 $0, [$1+4];\", "
                           "\"=r,r,~{memory}\"(i32 %a)\n  ret i32 %d\n");
  expectInOrder(text, {"zext i32", "to i64", "inttoptr i64", "i64 4", "load volatile i32"});
}

TEST(InlinePtx, VectorsAreOneAlignedAccess) {
  const std::string text = translated(
      "ptr %p", "  %v = call {i32, i32, i32, i32} asm \"ld.global.nc.L1::no_allocate.v4.u32 "
                "{$0,$1,$2,$3}, [$4];\", \"=r,=r,=r,=r,l\"(ptr %p)\n"
                "  %d = extractvalue {i32, i32, i32, i32} %v, 3\n  ret i32 %d\n");
  expectInOrder(text, {"load <4 x i32>", "align 16"});
}

TEST(InlinePtx, VectorsWithAnOrderAreOneAtomicAccess) {
  const std::string text = translated(
      "ptr %p", "  %v = call {i64, i64} asm sideeffect \"ld.relaxed.gpu.v2.u64 {$0,$1}, [$2];\", "
                "\"=l,=l,l\"(ptr %p)\n"
                "  call void asm sideeffect \"st.release.gpu.v4.u16 [$0], {1, 2, 3, 4};\", "
                "\"l\"(ptr %p)\n"
                "  %w = extractvalue {i64, i64} %v, 1\n  %d = trunc i64 %w to i32\n"
                "  ret i32 %d\n");
  expectInOrder(text, {"load atomic volatile i128", "monotonic, align 16", "lshr i128", "64",
                       "store atomic i64", "release, align 8"});
}

TEST(InlinePtx, MemoryOrderIsKept) {
  const std::string text = translated(
      "ptr %p", "  %d = call i32 asm sideeffect \"ld.acquire.gpu.global.u32 $0, [$1];\", "
                "\"=r,l\"(ptr %p)\n"
                "  call void asm sideeffect \"st.release.sys.global.u32 [$0], 1;\", \"l\"(ptr %p)\n"
                "  call void asm sideeffect \"red.add.u32 [$0], 1;\", \"l\"(ptr %p)\n"
                "  call void asm sideeffect \"membar.gl;\", \"\"()\n  ret i32 %d\n");
  expectInOrder(text, {"load atomic volatile i32", "acquire", "store atomic i32 1", "release",
                       "atomicrmw add", "monotonic", "@llvm.nvvm.membar.gl()"});
}

TEST(InlinePtx, BarriersAndWarpOperations) {
  const std::string text = translated(
      "i32 %a", "  call void asm sideeffect \"bar.sync 0;\", \"~{memory}\"()\n"
                "  call void asm sideeffect \"bar.sync $0, 64;\", \"r\"(i32 %a)\n"
                "  %d = call i32 asm sideeffect \"{ .reg .pred p; shfl.sync.bfly.b32 $0|p, $1, 1, "
                "31, 0xffffffff; @!p trap; }\", \"=r,r\"(i32 %a)\n  ret i32 %d\n");
  expectInOrder(text, {"@llvm.nvvm.barrier0()", "@llvm.nvvm.barrier.sync.cnt(i32", "i32 64",
                       "@llvm.nvvm.shfl.sync.bfly.i32p(i32 -1,", "br i1", "@llvm.trap()"});
}

TEST(InlinePtx, ProductsOfMatricesAreAStepOfTheWarp) {
  const std::string text = translated(
      "i32 %a", "  %d = call {i32, i32} asm sideeffect \"mma.sync.aligned.m16n8k8.row.col.f16.f16."
                "f16.f16 {$0,$1}, {$2,$2}, {$2}, {$2,$2};\", \"=r,=r,r\"(i32 %a)\n"
                "  %e = extractvalue {i32, i32} %d, 1\n  ret i32 %e\n");
  expectInOrder(text, {"@llvm.nvvm.bar.warp.sync(i32 -1)", "call { i32, i32 } @__heddle_matrix."});
}

TEST(InlinePtx, MatricesMoveByShuffles) {
  const std::string text =
      translated("i32 %a", "  %d = call i32 asm sideeffect \"ldmatrix.sync.aligned.m8n8.x1.trans."
                           "shared.b16 {$0}, [$1];\", \"=r,r,~{memory}\"(i32 %a)\n"
                           "  ret i32 %d\n");
  expectInOrder(text, {"@llvm.nvvm.shfl.sync.idx.i32(i32 -1", "load i32",
                       "@llvm.nvvm.shfl.sync.idx.i32(i32 -1", "@llvm.nvvm.shfl.sync.idx.i32"});
}

TEST(InlinePtx, BarriersInSharedMemory) {
  const std::string text = translated(
      "i32 %a",
      "  call void asm sideeffect \"mbarrier.init.shared.b64 [$0], 4;\", \"r\"(i32 %a)\n"
      "  %s = call i64 asm sideeffect \"mbarrier.arrive.expect_tx.release.cta.shared::cta."
      "b64 $0, [$1], 16;\", \"=l,r\"(i32 %a)\n"
      "  %d = call i32 asm sideeffect \"{ .reg .pred p; mbarrier.try_wait.parity.shared::"
      "cta.b64 p, [$1], 1; selp.u32 $0, 1, 0, p; }\", \"=r,r\"(i32 %a)\n"
      "  ret i32 %d\n");
  expectInOrder(text, {"@__heddle_mbarrier_init(ptr", "i32 4)", "@__heddle_mbarrier_arrive(ptr",
                       "i32 1, i32 16)", "@__heddle_mbarrier_test(ptr", "i32 1, i32 1)"});
}

TEST(InlinePtx, CopiesInTheBackground) {
  const std::string text = translated(
      "ptr %p, i32 %a",
      "  call void asm sideeffect \"cp.async.cg.shared.global.L2::128B [$0], [$1], 16;\", "
      "\"r,l\"(i32 %a, ptr %p)\n"
      "  call void asm sideeffect \"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::"
      "bytes [$0], [$1], 64, [$0];\", \"r,l\"(i32 %a, ptr %p)\n"
      "  call void asm sideeffect \"cp.async.commit_group;\", \"\"()\n  ret i32 0\n");
  expectInOrder(text, {"@llvm.memcpy", "align 16", "i64 16", "@__heddle_bulk_copy(ptr"});
}

TEST(InlinePtx, WhatCannotBeIsRefused) {
  EXPECT_NE(complaint("mma.sync.aligned.m16n8k32.row.col.f16.f16.f16.f16 {$0,$0}, {$1,$1,$1,$1}, "
                      "{$1,$1}, {$1,$1};")
                .find("no such shape and types"),
            std::string::npos);
  EXPECT_NE(complaint("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {$0,$0}, {$1}, {$1}, "
                      "{$1,$1};")
                .find("operand 1 has the wrong number of registers"),
            std::string::npos);
  for (const char *ptx :
       {"cp.async.bulk.tensor.1d.shared::cluster.global.tile [$0], [$1, {$1}], [$2];",
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.bf16 {$0,$0,$0,$0}, $1, $1, p, 1, 1, 0, 0;",
        "tcgen05.wait::ld.sync.aligned;", "call (d), f, (a, b);", "multimem.red.add.u32 [$1], $2;",
        "tex.1d.v4.f32.s32 {a,b,c,d}, [$1, {$2}];"})
    EXPECT_NE(complaint(ptx).find("inline PTX instruction '"), std::string::npos) << ptx;
}

TEST(InlinePtx, PartsOfOperandsAreRead) {
  const std::string text =
      translated("i32 %a, i32 %b", "  %d = call i32 asm \"{ .reg .u32 %s; mov.u32 %s, $1; "
                                   "vadd.s32.s32.u32.sat $0.h1, %s.b2, $2, $1; }\", "
                                   "\"=r,r,r\"(i32 %a, i32 %b)\n  ret i32 %d\n");
  expectInOrder(text, {"lshr i32", ", 16", "to i8", "sext i8", "to i64", "add i64",
                       "@llvm.smax.i64", "-32768", "@llvm.smin.i64", "32767", "-65536", "65535"});
}

TEST(InlinePtx, DifferencesOfBytesAreAddedUp) {
  const std::string text =
      translated("i32 %a, i32 %b", "  %d = call i32 asm \"vabsdiff4.u32.u32.u32.add $0, $1, $2, "
                                   "$1;\", \"=r,r,r\"(i32 %a, i32 %b)\n  ret i32 %d\n");
  expectInOrder(text, {"zext i8", "sub i32", "@llvm.abs.i32", "@llvm.abs.i32", "@llvm.abs.i32",
                       "@llvm.abs.i32", "add i32"});
  expectNone(text, {"sext i8"});
}

TEST(InlinePtx, WrongPartsAreRefused) {
  const std::pair<const char *, const char *> wrong[] = {
      {"add.u32 $0, $1.b0, $2;", "a part '.b0' of an operand"},
      {"add.u32 $0.h0, $1, $2;", "a part '.h0' of an operand"},
      {"add.u32 $0, -$1, $2;", "'-' before a register"},
      {"vadd.u32.u32.u32 $0, -$1, $2;", "'-' before a register"},
      {"vadd.u32.u32.u32 $0, $1.b4, $2;", "no such part of an operand: '.b4'"},
      {"vadd.u32.u32.u32 $0, $1.h10, $2;", "no such part of an operand: '.h10'"},
      {"vadd.u32.u32.u32.add $0, $1, $2;", "it takes 4 operands"},
      {"vadd.u32.u32.u32 $0.b0, $1, $2;", "it takes 4 operands"},
      {"vadd.u32.u32.u32 $0, $1, $2, $1;", "it takes 3 operands"},
      {"vadd.u32.u32.u32.add $0.b0, $1, $2, $1;", "both a second operation"},
      {"vadd.u16.u32.u32 $0, $1, $2;", "types other than .u32 and .s32"},
      {"vshl.u32.u32.u32 $0, $1, $2;", "neither .clamp nor .wrap"},
      {"vshl.u32.u32.s32.clamp $0, $1, $2;", "a signed distance"},
      {"vset.u32.u32 $0, $1, $2;", "no comparison"},
      {"vmad.u32.u32.u32.po $0, -$1, $2, $1;", "'-' with .po"},
      {"vmad.s32.u32.u32 $0, -$1, $2, -$1;", "both the product and c are negated"},
      {"vadd4.u32.u32.u32.sat.add $0, $1, $2, $1;", "modifier '.sat'"},
      {"vadd4.u32.u32.u32 $0.b02, $1, $2, $1;", "no such mask: '.b02'"},
      {"vadd4.u32.u32.u32 $0, $1.b765, $2, $1;", "a selector of too few parts"},
      {"vadd2.u32.u32.u32 $0, $1.h14, $2, $1;", "no such part of an operand"},
      {"vadd2.u32.u32.u32 $0, $1.b10, $2, $1;", "no such part of an operand"},
  };
  for (const auto &[ptx, why] : wrong)
    EXPECT_NE(complaint(ptx).find(why), std::string::npos) << ptx << ": " << complaint(ptx);
}

// The inputs below have no 64-bit zero. An H200 gives all ones.
TEST(InlinePtx, RemainderByZeroIsAllOnes) {
  const std::string text = translated(
      "i64 %a, i64 %b", "  %d = call i64 asm \"rem.u64 $0, $1, $2;\", \"=l,l,l\"(i64 %a, "
                        "i64 %b)\n  %t = trunc i64 %d to i32\n  ret i32 %t\n");
  expectInOrder(text, {"urem i64", "icmp eq i64", ", 0", "select i1", "i64 -1"});
}

TEST(InlinePtx, DebugLocationsAreKept) {
  Ir ir("define void @f() !dbg !4 {\n"
        "  call void asm sideeffect \"bar.sync 0;\", \"\"(), !dbg !5\n  ret void\n}\n"
        "!llvm.dbg.cu = !{!0}\n!llvm.module.flags = !{!1}\n"
        "!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !2)\n"
        "!1 = !{i32 2, !\"Debug Info Version\", i32 3}\n"
        "!2 = !DIFile(filename: \"a.cu\", directory: \"/\")\n!3 = !DISubroutineType(types: !{})\n"
        "!4 = distinct !DISubprogram(name: \"f\", file: !2, line: 6, type: !3, unit: !0, "
        "spFlags: DISPFlagDefinition)\n!5 = !DILocation(line: 7, column: 3, scope: !4)\n");
  EXPECT_TRUE(translateInlinePtx(ir.module()).empty());
  ir.verify();
  expectInOrder(ir.text(), {"@llvm.nvvm.barrier0(), !dbg", "!DILocation(line: 7, column: 3"});
}

TEST(InlinePtx, EmptyStatementsStay) {
  Ir ir("define void @f() {\n  call void asm sideeffect \"\", \"~{memory}\"()\n  ret void\n}\n");
  EXPECT_TRUE(translateInlinePtx(ir.module()).empty());
  expectInOrder(ir.text("f"), {"asm sideeffect \"\""});
}

TEST(InlinePtx, WhatIsUnsupportedIsNamed) {
  EXPECT_EQ(
      complaint("mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32;"),
      "error: inline PTX instruction 'mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32' is not "
      "supported yet: sparse matrices");
  EXPECT_EQ(complaint("add.odd.u32 $0, $1, $2;"),
            "error: inline PTX instruction 'add.odd.u32' is not supported yet: modifier '.odd'");
  EXPECT_NE(complaint("mov.u32 $0, %nwarps;").find("'%nwarps' is neither"), std::string::npos);
  EXPECT_NE(complaint("{ .reg .u32 t; } mov.u32 $0, t;").find("'t' is neither"), std::string::npos);
  EXPECT_NE(complaint("mov.u64 $0, 1;").find("64 bits goes to a register of 32"),
            std::string::npos);
  EXPECT_NE(complaint("ld.global.u32 $0, [$1];").find("an address has 32 bits"), std::string::npos);
  EXPECT_NE(complaint("bra NOWHERE;").find("no label 'NOWHERE'"), std::string::npos);
}

TEST(InlinePtx, BrokenTextIsRefused) {
  for (const char *ptx :
       {"add.u32 $0, $1 $2;", "{ add.u32 $0, $1, $2;", "add.u32 $0, $1, $2; }", "add.u32 $0, , $2;",
        "/* add.u32", "mov.u32 $0, 0x;", "mov.f32 $0, 0f12;"})
    EXPECT_NE(complaint(ptx).find("cannot be read"), std::string::npos) << ptx;
}

// ---- Execution

size_t inputCount() { return std::size(ptx_inputs); }

// The number that operand `position` has for input `i`: 64-bit ones are made of two inputs, and
// every third double is a float's value.
uint64_t inputBits(char type, size_t i, size_t position) {
  const uint32_t first = ptx_inputs[i],
                 second = ptx_inputs[(i * 7 + position * 5 + 3) % inputCount()];
  if (type == 'r' || type == 'f')
    return first;
  if (type == 'd' && (i + position) % 3 == 0)
    return std::bit_cast<uint64_t>(double(std::bit_cast<float>(first)));
  return uint64_t(first) << 32 | second;
}

Type *typeOf(IRBuilder<> &builder, char type) {
  return type == 'r'   ? builder.getInt32Ty()
         : type == 'l' ? builder.getInt64Ty()
         : type == 'f' ? builder.getFloatTy()
                       : builder.getDoubleTy();
}

// uint64_t f(uint64_t, uint64_t, uint64_t): the bits of the statement's operands and result.
void addFunction(Module &module, const std::string &name, const PtxResult &test) {
  IRBuilder<> builder(module.getContext());
  Type *word = builder.getInt64Ty();
  auto *type = FunctionType::get(word, {word, word, word}, false);
  Function *function = Function::Create(type, GlobalValue::ExternalLinkage, name, module);
  builder.SetInsertPoint(BasicBlock::Create(module.getContext(), "", function));
  const std::string types = test.types;
  SmallVector<Value *> operands;
  SmallVector<Type *> operand_types;
  std::string constraints = std::string("=") + types[0];
  for (size_t i = 1; i < types.size(); ++i) {
    operand_types.push_back(typeOf(builder, types[i]));
    const unsigned bits = operand_types.back()->getPrimitiveSizeInBits();
    Value *low = builder.CreateTrunc(function->getArg(unsigned(i - 1)), builder.getIntNTy(bits));
    operands.push_back(builder.CreateBitCast(low, operand_types.back()));
    constraints += std::string(",") + types[i];
  }
  auto *asm_type = FunctionType::get(typeOf(builder, types[0]), operand_types, false);
  Value *result = builder.CreateCall(
      asm_type, InlineAsm::get(asm_type, test.ptx, constraints, false), operands);
  result = builder.CreateBitCast(
      result, builder.getIntNTy(unsigned(asm_type->getReturnType()->getPrimitiveSizeInBits())));
  builder.CreateRet(builder.CreateZExt(result, word));
}

// Made for the machine that runs the test, with the device library.
std::unique_ptr<Module> hostModule(LLVMContext &context, orc::LLJIT &jit,
                                   ArrayRef<PtxResult> tests) {
  auto module = std::make_unique<Module>("test", context);
  module->setDataLayout(jit.getDataLayout());
  module->setTargetTriple(jit.getTargetTriple().str());
  for (size_t i = 0; i < tests.size(); ++i)
    addFunction(*module, "test" + std::to_string(i), tests[i]);
  for (const std::string &message : translateInlinePtx(*module))
    ADD_FAILURE() << message;
  auto file = cantFail(errorOrToExpected(MemoryBuffer::getFile(HEDDLE_DEVICE_LIBRARY)));
  auto library = cantFail(parseBitcodeFile(*file, context));
  library->setDataLayout(module->getDataLayout());
  library->setTargetTriple(module->getTargetTriple());
  EXPECT_FALSE(Linker::linkModules(*module, std::move(library), Linker::LinkOnlyNeeded));
  FunctionAnalysisManager analyses;
  for (Function &function : *module) {
    DefineArithmeticPass().run(function, analyses); // divisions, as prepareImage has it
    function.removeFnAttr("target-cpu");
    function.removeFnAttr("target-features");
  }
  return module;
}

// NaNs of float and double have many forms, of which PTX leaves the choice open.
uint64_t withOneNaN(char type, uint64_t bits) {
  if (type == 'f' && std::isnan(std::bit_cast<float>(uint32_t(bits))))
    return 0x7fffffff;
  return type == 'd' && std::isnan(std::bit_cast<double>(bits)) ? 0x7fff000000000000 : bits;
}

uint64_t digest(const PtxResult &test, uint64_t (*function)(uint64_t, uint64_t, uint64_t)) {
  const std::string types = test.types;
  const size_t count = inputCount(), operands = types.size() - 1;
  uint64_t hash = 0xcbf29ce484222325; // FNV-1a, a result at a time
  for (size_t k = 0; k < (operands > 2 ? count : 1); ++k)
    for (size_t j = 0; j < (operands > 1 ? count : 1); ++j)
      for (size_t i = 0; i < count; ++i) {
        const uint64_t a = inputBits(types[1], i, 0);
        const uint64_t b = operands > 1 ? inputBits(types[2], j, 1) : 0;
        const uint64_t c = operands > 2 ? inputBits(types[3], k, 2) : 0;
        hash = (hash ^ withOneNaN(types[0], function(a, b, c))) * 0x100000001b3;
      }
  return hash;
}

void expectResults(ArrayRef<PtxResult> tests) {
  InitializeNativeTarget();
  InitializeNativeTargetAsmPrinter();
  auto machine = cantFail(orc::JITTargetMachineBuilder::detectHost());
  machine.getOptions().AllowFPOpFusion = FPOpFusion::Strict;
  machine.setRelocationModel(Reloc::PIC_).setCodeGenOptLevel(CodeGenOptLevel::Less);
  auto jit = cantFail(orc::LLJITBuilder().setJITTargetMachineBuilder(machine).create());
  auto context = std::make_unique<LLVMContext>();
  auto module = hostModule(*context, *jit, tests);
  cantFail(jit->addIRModule(orc::ThreadSafeModule(std::move(module), std::move(context))));
  for (size_t i = 0; i < tests.size(); ++i) {
    auto address = cantFail(jit->lookup("test" + std::to_string(i)));
    auto *function = address.toPtr<uint64_t(uint64_t, uint64_t, uint64_t)>();
    EXPECT_EQ(digest(tests[i], function), tests[i].digest) << tests[i].ptx;
  }
}

TEST(InlinePtx, ComputesWhatAnH200Does) { expectResults(ptx_results); }

} // namespace
} // namespace heddle
