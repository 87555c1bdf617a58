// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Of an image's code, one kernel and what it needs (device_code.h).
#include "engine/compiler/device_code.h"

#include "ir.h"

#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>
#include <map>
#include <stdexcept>

using namespace heddle;
using namespace heddle::engine;

namespace {

const char *const text = R"(
@counter = addrspace(1) global i32 5, align 4
@pointer = addrspace(1) global ptr @pointed, align 8
@here = internal addrspace(3) global [10 x i32] undef, align 16
@there = internal addrspace(3) global i32 undef, align 4
@table1 = internal constant [1 x ptr] [ptr @virtual1]
@table2 = linkonce_odr constant [1 x ptr] [ptr @virtual2], comdat
@unused = internal constant i32 1
@llvm.used = appending global [2 x ptr] [ptr @first, ptr @second], section "llvm.metadata"
$table2 = comdat any
$shared = comdat any
$helper = comdat any

define void @first(ptr %p) {
  store ptr @table1, ptr %p
  call void @shared(ptr %p)
  store i32 1, ptr addrspace(3) @there
  ret void
}
define void @second(ptr %p) {
  store ptr @table2, ptr %p
  call void @shared(ptr %p)
  call void @helper(ptr %p)
  %v = load ptr, ptr addrspace(1) @pointer
  store i32 2, ptr addrspace(3) @here
  ret void
}
define linkonce_odr void @shared(ptr %p) comdat {
  call void @deeper(ptr %p)
  ret void
}
define internal void @deeper(ptr %p) {
  store i32 7, ptr %p
  ret void
}
define linkonce_odr void @helper(ptr %p) comdat {
  ret void
}
define internal void @virtual1(ptr %p) {
  ret void
}
define internal void @virtual2(ptr %p) {
  ret void
}
define internal void @pointed(ptr %p) {
  ret void
}
)";

class DeviceCodeTest : public testing::Test {
protected:
  DeviceCodeTest() {
    Ir ir(text + kernelAnnotations({"first", "second"}));
    ir.verify();
    llvm::raw_string_ostream stream(bitcode_);
    llvm::WriteBitcodeToFile(ir.module(), stream);
  }
  DeviceCode read(std::string_view part) {
    DeviceCode code = readDeviceCode({ImageInfo(), bitcode_}, context_, part);
    EXPECT_FALSE(llvm::verifyModule(*code.module, &llvm::errs()));
    return code;
  }
  static std::vector<std::string> functions(const DeviceCode &code) {
    std::vector<std::string> names;
    for (const llvm::Function &function : *code.module) {
      EXPECT_FALSE(function.isDeclaration()) << function.getName().str();
      names.push_back(function.getName().str());
    }
    return names;
  }
  static std::map<std::string, uint64_t> places(const DeviceCode &code) {
    std::map<std::string, uint64_t> found;
    for (const auto *map : {&code.layout.globals, &code.layout.shared})
      for (auto [variable, offset] : *map)
        found[variable->getName().str()] = offset;
    return found;
  }

  llvm::LLVMContext context_;
  std::string bitcode_;
};

using Names = std::vector<std::string>;

TEST_F(DeviceCodeTest, OneKernelAndWhatItNeeds) {
  const DeviceCode first = read("first");
  EXPECT_EQ(functions(first), (Names{"first", "shared", "deeper", "virtual1"}));
  EXPECT_TRUE(first.module->getNamedGlobal("table1")->hasInitializer());
  EXPECT_EQ(first.module->getNamedGlobal("table2"), nullptr);
  EXPECT_EQ(first.module->getNamedGlobal("unused"), nullptr);
  const DeviceCode second = read("second");
  EXPECT_EQ(functions(second), (Names{"second", "shared", "deeper", "helper", "virtual2"}));
}

TEST_F(DeviceCodeTest, TheWholeImage) { EXPECT_EQ(functions(read(whole_image)).size(), 8u); }

// What an initial value points to is compiled with the initial values.
TEST_F(DeviceCodeTest, InitialValues) {
  const DeviceCode values = read(initial_values);
  EXPECT_EQ(functions(values), (Names{"pointed"}));
  EXPECT_FALSE(
      llvm::isa<llvm::UndefValue>(values.module->getNamedGlobal("counter")->getInitializer()));
  const DeviceCode kernel = read("second");
  EXPECT_TRUE(
      llvm::isa<llvm::UndefValue>(kernel.module->getNamedGlobal("counter")->getInitializer()));
}

// Parts that are compiled apart share memory.
TEST_F(DeviceCodeTest, VariablesHaveTheSamePlacesInAllParts) {
  const std::map<std::string, uint64_t> whole = places(read(whole_image));
  EXPECT_EQ(whole.size(), 4u);
  EXPECT_EQ(whole.at("there"), 40u);
  for (std::string_view part :
       {std::string_view("first"), std::string_view("second"), initial_values})
    EXPECT_EQ(places(read(part)), whole) << part;
}

TEST_F(DeviceCodeTest, UnknownKernelsAndDamagedCodeAreErrors) {
  EXPECT_THROW(read("third"), std::runtime_error);
  bitcode_.resize(bitcode_.size() / 2);
  for (std::string_view part : {std::string_view("first"), initial_values, whole_image})
    EXPECT_THROW(readDeviceCode({ImageInfo(), bitcode_}, context_, part), std::runtime_error);
  bitcode_ = "no bitcode";
  EXPECT_THROW(readDeviceCode({ImageInfo(), bitcode_}, context_, "first"), std::runtime_error);
}

} // namespace
