// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -std=c++17 -lnvvm
//
// libNVVM: IR as text of old and new LLVMs becomes PTX; options, logs and bad input.
#include "../check.h"

#include <nvvm.h>
#include <string>
#include <vector>

#define CHECK_NVVM(call, expected) CHECK_EQ(int(call), int(expected))

const std::string header = "target datalayout = \"e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-"
                           "i64:64:64-f32:32:32-f64:64:64-v16:16:16-v32:32:32-n16:32:64\"\n"
                           "target triple = \"nvptx64-nvidia-cuda\"\n";
const std::string version = "!nvvmir.version = !{!9}\n!9 = !{i32 2, i32 0}\n";

// As LLVM 7 writes it; pointers say what they point to.
const std::string typed = header + R"(
%pair = type { i32, float* }
@table = internal addrspace(1) global [2 x i32] [i32 3, i32 4], align 4 ; not a "string * of this"
@text = internal addrspace(4) constant [5 x i8] c"a*b \00"
declare float @__nv_sinf(float)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define internal float @twice(%pair* byval align 8 %p, float (float)* %unused) {
  %field = getelementptr inbounds %pair, %pair* %p, i32 0, i32 1
  %inner = load float*, float** %field
  %value = load float, float* %inner
  %twice = fmul float %value, 2.0
  ret float %twice
}
define void @kernel(float addrspace(1)* nocapture %out, i32 %n) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %less = icmp slt i32 %tid, %n
  br i1 %less, label %go, label %end
go:
  %generic = addrspacecast float addrspace(1)* %out to float*
  %place = getelementptr inbounds float, float* %generic, i32 %tid
  %pair = alloca %pair, align 8
  %second = getelementptr %pair, %pair* %pair, i32 0, i32 1
  store float* %place, float** %second
  %x = call float @twice(%pair* byval align 8 %pair, float (float)* @__nv_sinf)
  %sine = call float @__nv_sinf(float %x)
  %number = load i32, i32* addrspacecast (i32 addrspace(1)* getelementptr inbounds ([2 x i32], [2 x i32] addrspace(1)* @table, i64 0, i64 1) to i32*)
  %as_float = sitofp i32 %number to float
  %sum = fadd float %sine, %as_float
  store float %sum, float* %place
  br label %end
end:
  ret void
}
!nvvm.annotations = !{!0}
!0 = !{void (float addrspace(1)*, i32)* @kernel, !"kernel", i32 1}
)" + version;

const std::string opaque = header + R"(
define void @kernel(ptr %out) {
  %shuffled = call { i32, i1 } @llvm.nvvm.shfl.sync.i32(i32 -1, i32 3, i32 7, i32 1, i32 31)
  %value = extractvalue { i32, i1 } %shuffled, 0
  %vote = call { i32, i1 } @llvm.nvvm.vote.sync(i32 -1, i32 3, i1 true)
  %mask = extractvalue { i32, i1 } %vote, 0
  %both = add i32 %value, %mask
  store i32 %both, ptr %out
  ret void
}
declare { i32, i1 } @llvm.nvvm.shfl.sync.i32(i32, i32, i32, i32, i32)
declare { i32, i1 } @llvm.nvvm.vote.sync(i32, i32, i1)
!nvvm.annotations = !{!0}
!0 = !{ptr @kernel, !"kernel", i32 1}
)" + version;

struct Program {
  nvvmProgram handle = nullptr;
  Program() { CHECK_NVVM(nvvmCreateProgram(&handle), NVVM_SUCCESS); }
  ~Program() { CHECK_NVVM(nvvmDestroyProgram(&handle), NVVM_SUCCESS); }

  void add(const std::string &text, const char *name = "module.ll") {
    CHECK_NVVM(nvvmAddModuleToProgram(handle, text.data(), text.size(), name), NVVM_SUCCESS);
  }
  nvvmResult compile(std::vector<const char *> options = {}) {
    return nvvmCompileProgram(handle, int(options.size()), options.data());
  }
  nvvmResult verify(std::vector<const char *> options = {}) {
    return nvvmVerifyProgram(handle, int(options.size()), options.data());
  }
  std::string result() {
    size_t size = 0;
    CHECK_NVVM(nvvmGetCompiledResultSize(handle, &size), NVVM_SUCCESS);
    std::vector<char> text(size + 1);
    CHECK_NVVM(nvvmGetCompiledResult(handle, text.data()), NVVM_SUCCESS);
    return text.data();
  }
  std::string log() {
    size_t size = 0;
    CHECK_NVVM(nvvmGetProgramLogSize(handle, &size), NVVM_SUCCESS);
    std::vector<char> text(size + 1);
    CHECK_NVVM(nvvmGetProgramLog(handle, text.data()), NVVM_SUCCESS);
    return text.data();
  }
};

bool contains(const std::string &text, const char *part) {
  if (text.find(part) != std::string::npos)
    return true;
  std::fprintf(stderr, "not in the text: %s\n%s\n", part, text.c_str());
  return false;
}

void checkText() {
  Program old;
  old.add(typed);
  const std::string library = header + "define float @__nv_sinf(float %x) {\n ret float %x\n}\n"
                                       "define void @unused() {\n ret void\n}\n";
  CHECK_NVVM(nvvmLazyAddModuleToProgram(old.handle, library.data(), library.size(), "library"),
             NVVM_SUCCESS);
  CHECK_NVVM(old.verify(), NVVM_SUCCESS);
  CHECK_NVVM(old.compile(
                 {"-arch=compute_80", "-opt=3", "-ftz=1", "-prec-sqrt=0", "-prec-div=0", "-fma=0"}),
             NVVM_SUCCESS);
  CHECK(contains(old.result(), ".visible .entry kernel("));
  CHECK(contains(old.result(), ".target sm_80"));
  CHECK(contains(old.result(), ".ftz.f32"));
  CHECK(old.result().find("unused") == std::string::npos);

  Program fresh;
  fresh.add(opaque);
  CHECK_NVVM(fresh.compile({"-arch=compute_75"}), NVVM_SUCCESS);
  CHECK(contains(fresh.result(), "shfl.sync.bfly.b32"));
  CHECK(contains(fresh.result(), "vote.sync.ballot.b32"));
  CHECK(fresh.result().find(".ftz") == std::string::npos);
  Program older;
  older.add(header + R"(
declare void @llvm.cuda.syncthreads()
declare i32 @llvm.ptx.read.tid.x()
declare void @llvm.ptx.bar.sync(i32)
define void @kernel(i32* %out) {
  call void @llvm.cuda.syncthreads()
  %tid = call i32 @llvm.ptx.read.tid.x()
  call void @llvm.ptx.bar.sync(i32 3)
  store i32 %tid, i32* %out
  ret void
}
!nvvm.annotations = !{!0}
!0 = !{void (i32*)* @kernel, !"kernel", i32 1}
)" + version);
  CHECK_NVVM(older.compile(), NVVM_SUCCESS);
  CHECK(contains(older.result(), "%tid.x"));
  CHECK(older.result().find("llvm.") == std::string::npos);
  CHECK_NVVM(fresh.compile({"-gen-lto"}), NVVM_SUCCESS); // again, with other options
  size_t size = 0;
  CHECK_NVVM(nvvmGetCompiledResultSize(fresh.handle, &size), NVVM_SUCCESS);
  CHECK(size > 100);
}

// What options and annotations do to a sum of a product, as Numba has it.
const std::string sum = header + R"(
define float @sum(float %a, float %b, float %c) !dbg !3 {
  %product = fmul float %a, %b, !dbg !5
  %sum = fadd float %product, %c, !dbg !5
  ret float %sum, !dbg !5
}
define void @kernel() noinline {
  ret void
}
!llvm.module.flags = !{!0}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !2, emissionKind: DebugDirectivesOnly)
!2 = !DIFile(filename: "sum.py", directory: "/there")
!3 = distinct !DISubprogram(name: "sum", file: !2, line: 7, unit: !1, type: !4, spFlags: DISPFlagDefinition)
!4 = !DISubroutineType(types: !{null})
!5 = !DILocation(line: 8, column: 1, scope: !3)
!nvvm.annotations = !{!6, !7}
!6 = !{void ()* @kernel, !"kernel", i32 1}
!7 = !{void ()* @kernel, !"cluster_max_blocks", i32 4}
)" + version;

void checkOptions() {
  Program program;
  program.add(sum);
  CHECK_NVVM(program.compile({"-arch=compute_90"}), NVVM_SUCCESS);
  CHECK(contains(program.result(), "fma.rn.f32")); // -fma=1 if nothing is said
  CHECK(contains(program.result(), ".maxclusterrank 4"));
  CHECK(contains(program.result(), "sum.py\""));
  CHECK(contains(program.result(), ".loc"));
  CHECK(contains(program.log(), "overriding noinline attribute"));
  CHECK_NVVM(program.compile({"-fma=0"}), NVVM_SUCCESS);
  CHECK(contains(program.result(), "mul.rn.f32"));
  CHECK(program.result().find("fma.rn.f32") == std::string::npos);
  CHECK_NVVM(program.compile({"-opt=0"}), NVVM_SUCCESS);
  CHECK(contains(program.result(), "mul.rn.f32")); // nothing is fused where nothing is optimised

  Program foreign;
  foreign.add("target triple = \"unknown-unknown-unknown\"\ndefine void @f() {\n ret void\n}\n" +
              version);
  CHECK_NVVM(foreign.verify(), NVVM_ERROR_INVALID_IR);
  CHECK(contains(foreign.log(), "unknown-unknown-unknown"));
}

void checkErrors() {
  Program empty;
  CHECK_NVVM(empty.compile(), NVVM_ERROR_NO_MODULE_IN_PROGRAM);
  Program broken;
  broken.add(header + "\ndefine void @f() {\n  %x = add i32 1\n  ret void\n}\n", "broken.ll");
  CHECK_NVVM(broken.verify(), NVVM_ERROR_INVALID_IR);
  CHECK(contains(broken.log(), "broken.ll:6:"));
  CHECK_NVVM(broken.compile(), NVVM_ERROR_COMPILATION);
  Program unknown;
  unknown.add(header +
              "declare void @llvm.cuda.nonsense()\ndefine void @f() {\n"
              "  call void @llvm.cuda.nonsense()\n  ret void\n}\n" +
              version);
  CHECK_NVVM(unknown.compile(), NVVM_ERROR_COMPILATION);
  CHECK(contains(unknown.log(), "llvm.cuda.nonsense"));
  Program wrong;
  wrong.add("BC\xc0\xde broken");
  CHECK_NVVM(wrong.verify(), NVVM_ERROR_INVALID_IR);
  Program good;
  good.add(opaque);
  for (const char *bad : {"-foo", "-arch=thing", "-opt=7", "-ftz=2", "-fma", "nothing"}) {
    CHECK_NVVM(good.compile({bad}), NVVM_ERROR_INVALID_OPTION);
    CHECK(contains(good.log(), bad));
  }
  // Pieces of the text, each broken in another way: an answer, and no crash.
  for (size_t end = header.size(); end < typed.size(); end += 131) {
    Program part;
    part.add(typed.substr(0, end));
    const nvvmResult result = part.verify();
    CHECK(result == NVVM_SUCCESS || result == NVVM_ERROR_INVALID_IR);
  }
}

void checkCalls() {
  int a = 0, b = 0, c = 0, d = 0;
  CHECK_NVVM(nvvmVersion(&a, &b), NVVM_SUCCESS);
  CHECK(a >= 1);
  CHECK_NVVM(nvvmIRVersion(&a, &b, &c, &d), NVVM_SUCCESS);
  CHECK(a >= 1 && c >= 1);
  CHECK_NVVM(nvvmVersion(nullptr, &b), NVVM_ERROR_INVALID_INPUT);
  CHECK_NVVM(nvvmCreateProgram(nullptr), NVVM_ERROR_INVALID_INPUT);
  nvvmProgram program = nullptr;
  size_t size = 0;
  CHECK_NVVM(nvvmDestroyProgram(&program), NVVM_ERROR_INVALID_PROGRAM);
  CHECK_NVVM(nvvmCompileProgram(program, 0, nullptr), NVVM_ERROR_INVALID_PROGRAM);
  CHECK_NVVM(nvvmGetProgramLogSize(program, &size), NVVM_ERROR_INVALID_PROGRAM);
  Program live;
  CHECK_NVVM(nvvmAddModuleToProgram(live.handle, nullptr, 3, "x"), NVVM_ERROR_INVALID_INPUT);
  CHECK_NVVM(nvvmGetCompiledResultSize(live.handle, nullptr), NVVM_ERROR_INVALID_INPUT);
  CHECK(nvvmGetErrorString(NVVM_ERROR_INVALID_IR) == std::string("NVVM_ERROR_INVALID_IR"));
}

int main() {
  checkText();
  checkOptions();
  checkErrors();
  checkCalls();
  RETURN_RESULT();
}
