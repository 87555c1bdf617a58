// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device link: what is written into objects is read again, which objects are linked, what
// nvlink would complain about, and that what is linked is one program.
#include "module/linking/link.h"

#include "ir.h"

#include "llvm/IR/Verifier.h"

#include <gtest/gtest.h>
#include <stdexcept>

using namespace heddle;

namespace {

std::vector<DeviceObject> read(const std::string &bytes) {
  return readDeviceObjects({reinterpret_cast<const std::byte *>(bytes.data()), bytes.size()});
}

DeviceObjectInfo called(const std::string &id) {
  DeviceObjectInfo info;
  info.id = id;
  return info;
}

DeviceObject compiled(const std::string &id, const std::string &text) {
  Ir ir(text);
  DeviceObject object = read(makeDeviceObject(ir.module(), called(id))).at(0);
  object.file = id + ".o";
  return object;
}

struct Symbols {
  std::vector<std::string> strong, weak, needed;
};
DeviceObject object(const std::string &name, const Symbols &symbols, bool member = false,
                    bool named_by_host = false) {
  DeviceObject result;
  result.file = name;
  result.member = member;
  result.info.named_by_host = named_by_host;
  result.info.strong = symbols.strong;
  result.info.weak = symbols.weak;
  result.info.needed = symbols.needed;
  return result;
}

std::vector<const DeviceObject *> pointersTo(const std::vector<DeviceObject> &objects) {
  std::vector<const DeviceObject *> pointers;
  for (const DeviceObject &one : objects)
    pointers.push_back(&one);
  return pointers;
}

std::string chosen(const std::vector<DeviceObject> &objects) {
  std::string names;
  for (const DeviceObject *one : chooseObjects(objects))
    names += one->file;
  return names;
}

bool nothingBuiltIn(const std::string &) { return false; }

const char *const caller = R"(
@table = external addrspace(1) global [4 x i32]
@row = external addrspace(3) global [0 x i32]
@managed = addrspace(1) externally_initialized global i32 1 #0
@inner = internal addrspace(1) global i32 5
declare i32 @f(i32)
declare void @unused()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define weak_odr i32 @shared(i32 %x) { ret i32 %x }
define void @kernel(ptr %p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = call i32 @f(i32 %t)
  %z = load i32, ptr addrspace(1) @table
  %s = load i32, ptr addrspace(3) @row
  %a = add i32 %y, %z
  %b = add i32 %a, %s
  %i = load i32, ptr addrspace(1) @inner
  %c = add i32 %b, %i
  store i32 %c, ptr %p
  ret void
}
attributes #0 = { "heddle.managed" }
)";

TEST(DeviceObject, ListsItsSymbols) {
  const DeviceObject made = compiled("a", caller + kernelAnnotations({"kernel"}));
  EXPECT_EQ(made.info.strong, (std::vector<std::string>{"kernel", "managed"}));
  EXPECT_EQ(made.info.weak, std::vector<std::string>{"shared"});
  EXPECT_EQ(made.info.needed, (std::vector<std::string>{"f", "table"}));
  EXPECT_TRUE(made.info.named_by_host);
  EXPECT_FALSE(compiled("b", "define i32 @f(i32 %x) { ret i32 %x }").info.named_by_host);
}

TEST(DeviceObject, NothingOfNothing) {
  Ir ir("declare i32 @f(i32)");
  EXPECT_EQ(makeDeviceObject(ir.module(), called("a")), "");
}

TEST(DeviceObject, SeveralInARow) {
  Ir one("define void @f() { ret void }"), two("define void @g() { ret void }");
  const std::string zeros(5, '\0');
  const auto objects = read(makeDeviceObject(one.module(), called("a")) + zeros +
                            makeDeviceObject(two.module(), called("b")) + zeros);
  ASSERT_EQ(objects.size(), 2u);
  EXPECT_EQ(objects[0].info.id, "a");
  EXPECT_EQ(objects[1].info.strong, std::vector<std::string>{"g"});
  EXPECT_TRUE(read("").empty());
  EXPECT_TRUE(read(zeros).empty());
}

TEST(DeviceObject, BrokenBytesAreRefused) {
  Ir ir("define void @f() { ret void }");
  const std::string good = makeDeviceObject(ir.module(), called("a"));
  EXPECT_THROW(read(good.substr(0, good.size() - 1)), std::runtime_error);
  EXPECT_THROW(read("other"), std::runtime_error);
}

TEST(DeviceLink, MembersAreLinkedIfSomethingNeedsThem) {
  EXPECT_EQ(chosen({object("a", {{}, {}, {"f"}}), object("b", {{"f"}, {}, {"g"}}, true),
                    object("c", {{"h"}, {}, {}}, true), object("d", {{}, {"g"}, {}}, true)}),
            "abd");
  // One is enough; a kernel may be launched from anywhere.
  EXPECT_EQ(chosen({object("a", {{"f"}, {}, {}}, true), object("b", {{"f"}, {}, {}}, true),
                    object("c", {{}, {}, {"f"}}), object("d", {{}, {}, {}}, true, true)}),
            "acd");
  EXPECT_EQ(chosen({object("a", {{"f"}, {}, {}}, true)}), "");
}

TEST(DeviceLink, SymbolProblemsInNvlinksWords) {
  const std::vector<DeviceObject> objects = {
      object("a.o", {{"_Z1fv", "g"}, {"w"}, {"_Z1hi", "g", "built_in"}}),
      object("b.o", {{"g"}, {"w", "_Z1fv"}, {}})};
  const auto pointers = pointersTo(objects);
  EXPECT_EQ(
      findSymbolProblems(pointers, [](const std::string &name) { return name == "built_in"; }),
      (std::vector<std::string>{
          "nvlink error   : Multiple definition of 'g' in 'b.o', first defined in 'a.o'",
          "nvlink error   : Undefined reference to '_Z1hi' in 'a.o' (h(int))"}));
}

DeviceObject forArchs(const std::string &name, const std::vector<uint32_t> &archs) {
  DeviceObject result = object(name, {});
  result.info.archs = archs;
  return result;
}

TEST(DeviceLink, OneArchitectureForAll) {
  std::vector<std::string> problems;
  const auto choose = [&](const std::vector<DeviceObject> &objects,
                          const std::vector<uint32_t> &wanted) {
    return chooseArch(pointersTo(objects), wanted, 750, problems);
  };
  EXPECT_EQ(choose({forArchs("a", {}), forArchs("b", {})}, {}), 750u);
  EXPECT_EQ(choose({forArchs("a", {}), forArchs("b", {800})}, {}), 800u);
  EXPECT_EQ(choose({forArchs("a", {}), forArchs("b", {})}, {860}), 860u);
  EXPECT_EQ(choose({forArchs("a", {750, 800, 900}), forArchs("b", {750, 800})}, {}), 800u);
  EXPECT_EQ(choose({forArchs("a", {750, 800}), forArchs("b", {750, 800})}, {750}), 750u);
  // Of a list with GPUs that Clang does not know, the one that heddlecc compiled for.
  EXPECT_EQ(choose({forArchs("a", {800, 900, 1200})}, {800, 900, 1200}), 900u);
  EXPECT_EQ(choose({forArchs("a", {1000, 1200})}, {}), 1200u);
  EXPECT_TRUE(problems.empty());
  // Newer GPUs run what was compiled for older ones.
  EXPECT_EQ(choose({forArchs("a", {800}), forArchs("b", {900})}, {}), 900u);
  EXPECT_EQ(choose({forArchs("a", {800}), forArchs("b", {860})}, {800, 900}), 900u);
  EXPECT_TRUE(problems.empty());
  choose({forArchs("a", {800}), forArchs("b", {860, 900})}, {800});
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].find("nvlink error   : SM Arch ('sm_80') not found in 'b', whose device "
                             "code is for sm_86, sm_90;"),
            0u);
}

TEST(DeviceLink, MakesOneModule) {
  const std::vector<DeviceObject> objects = {compiled("a", caller + kernelAnnotations({"kernel"})),
                                             compiled("b", R"(
@table = addrspace(1) externally_initialized global [4 x i32] [i32 1, i32 2, i32 3, i32 4]
@inner = internal addrspace(1) global i32 6
define weak_odr i32 @shared(i32 %x) { ret i32 %x }
define i32 @f(i32 %x) {
  %d = sdiv i32 %x, 0
  %i = load i32, ptr addrspace(1) @inner
  %y = add i32 %d, %i
  ret i32 %y
}
)")};
  const auto pointers = pointersTo(objects);
  EXPECT_TRUE(findSymbolProblems(pointers, nothingBuiltIn).empty());
  llvm::LLVMContext context;
  const auto module = linkObjects(pointers, context);
  EXPECT_FALSE(llvm::verifyModule(*module));
  EXPECT_FALSE(module->getFunction("f")->isDeclaration());
  EXPECT_FALSE(module->getGlobalVariable("table")->isDeclaration());
  EXPECT_TRUE(module->getGlobalVariable("row")->isDeclaration());
  EXPECT_TRUE(module->getGlobalVariable("managed")->hasAttribute("heddle.managed"));
  EXPECT_EQ(module->getNamedMetadata("nvvm.annotations")->getNumOperands(), 1u);
  unsigned inner = 0; // each file has its own
  for (const llvm::GlobalVariable &variable : module->globals())
    inner += variable.hasLocalLinkage();
  EXPECT_EQ(inner, 2u);
  // As it was written: what a GPU makes of it is decided later.
  EXPECT_STREQ(module->getFunction("f")->getEntryBlock().front().getOpcodeName(), "sdiv");
}

} // namespace
