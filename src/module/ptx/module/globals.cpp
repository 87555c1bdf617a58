// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "module/ptx/module/globals.h"

#include "module/description/layout.h"
#include "module/ptx/emitter.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/IR/Constants.h"

#include <map>

using namespace llvm;

namespace heddle {
namespace {

unsigned addressSpace(PtxVariable::Space space) {
  switch (space) {
  case PtxVariable::Shared:
    return address_space::Shared;
  case PtxVariable::Constant:
    return address_space::Constant;
  default:
    return address_space::Global;
  }
}

// Strings that compilers generate: local to the module and never written.
bool isCompilersString(const PtxVariable &variable) {
  const StringRef name = variable.name;
  return variable.linkage.empty() && variable.initial &&
         (name.starts_with("$str") || name.starts_with("_$_str") || name.starts_with("__unnamed_"));
}

// The initial bytes, and the addresses among them.
class InitialValue {
public:
  InitialValue(const PtxVariable &variable, LLVMContext &context,
               function_ref<Constant *(StringRef)> find)
      : variable_(variable), context_(context), find_(find),
        width_(std::max(variable.type.bits / 8, 1u)) {}

  Constant *constant() {
    bytes_.assign(variable_.bytes(), 0);
    if (variable_.isArray() || variable_.vector > 1)
      fill(*variable_.initial, 0, 0);
    else
      put(*variable_.initial, 0);
    checkBytesOfAddresses();
    return addresses_.empty() ? plain() : mixed();
  }

private:
  // Size in bytes of an element at this depth of a nested list.
  uint64_t stride(size_t depth) const {
    uint64_t bytes = width_;
    if (depth < variable_.dimensions.size())
      bytes *= variable_.vector;
    for (size_t i = depth + 1; i < variable_.dimensions.size(); ++i)
      bytes *= variable_.dimensions[i];
    return bytes;
  }

  void fill(const PtxOperand &list, uint64_t offset, size_t depth) {
    if (list.kind != PtxOperand::Vector)
      return put(list, offset);
    const size_t deepest = variable_.dimensions.size() + (variable_.vector > 1);
    if (depth >= deepest)
      throw PtxError(variable_.place,
                     "Initializer of '" + variable_.name + "' is nested too deeply");
    for (const PtxOperand &element : list.elements) {
      fill(element, offset, depth + 1);
      offset += stride(depth);
    }
  }

  void put(const PtxOperand &value, uint64_t offset) {
    if (offset + width_ > bytes_.size())
      throw PtxError(variable_.place, "Too many initial values for '" + variable_.name + "'");
    uint64_t bits = value.integer;
    if (value.kind == PtxOperand::Masked)
      return putByteOfAddress(value, offset);
    if (value.kind == PtxOperand::Float) {
      if (value.float_bits == 64 && variable_.type.bits == 32)
        bits = APFloat(float(APInt(64, bits).bitsToDouble())).bitcastToAPInt().getZExtValue();
    } else if (value.kind == PtxOperand::Integer && variable_.type.isFloat()) {
      const double number = double(int64_t(bits));
      bits = variable_.type.bits == 64 ? APFloat(number).bitcastToAPInt().getZExtValue()
                                       : APFloat(float(number)).bitcastToAPInt().getZExtValue();
    } else if (value.kind != PtxOperand::Integer) {
      addresses_[offset] = {addressOf(value), unsigned(width_)};
      return;
    }
    for (unsigned i = 0; i < width_ && i < 8; ++i)
      bytes_[offset + i] = uint8_t(bits >> (8 * i));
  }

  Constant *addressOf(const PtxOperand &value) {
    if (value.kind == PtxOperand::Generic && value.elements.size() == 1)
      return addressOf(value.elements[0]);
    if (value.kind == PtxOperand::Sum) {
      uint64_t offset = 0;
      for (size_t i = 1; i < value.elements.size(); ++i) {
        if (value.elements[i].kind != PtxOperand::Integer)
          throw PtxError(variable_.place, "not a constant expression");
        offset += value.elements[i].integer;
      }
      return ConstantExpr::getGetElementPtr(Type::getInt8Ty(context_), addressOf(value.elements[0]),
                                            ConstantInt::get(Type::getInt64Ty(context_), offset));
    }
    Constant *found = value.kind == PtxOperand::Name ? find_(value.name) : nullptr;
    if (!found)
      throw PtxError(variable_.place, "Unknown symbol '" + value.name + "'");
    return found;
  }

  // 0xff00(a): all bytes of an address must be consecutive.
  void putByteOfAddress(const PtxOperand &value, uint64_t offset) {
    if (value.elements.size() != 1 || width_ != 1)
      throw PtxError(variable_.place, "mask of an address");
    Constant *address = addressOf(value.elements[0]);
    if (value.integer == 0xff) {
      if (offset + 8 > bytes_.size())
        throw PtxError(variable_.place, "part of an address");
      addresses_[offset] = {address, 8};
      parts_ = 1;
      last_ = address;
    } else if (parts_ == 0 || parts_ > 7 || last_ != address ||
               value.integer != uint64_t(0xff) << (8 * parts_)) {
      throw PtxError(variable_.place, "part of an address");
    } else {
      ++parts_;
    }
  }

  void checkBytesOfAddresses() const {
    uint64_t end = 0;
    for (const auto &[offset, address] : addresses_) {
      if (address.second != 8 || offset < end)
        throw PtxError(variable_.place, "an address in fewer than 64 bits");
      end = offset + 8;
    }
    if (parts_ != 0 && parts_ != 8)
      throw PtxError(variable_.place, "part of an address");
  }

  Constant *plain() {
    Type *type = variableType(variable_, context_);
    if (all_of(bytes_, [](uint8_t byte) { return byte == 0; }))
      return Constant::getNullValue(type);
    const StringRef raw(reinterpret_cast<const char *>(bytes_.data()), bytes_.size());
    if (variable_.type.bits > 64)
      throw PtxError(variable_.place, "initial values of 128 bits");
    if (!type->isArrayTy())
      return cast<ConstantDataSequential>(ConstantDataArray::getRaw(raw, 1, type))
          ->getElementAsConstant(0);
    return ConstantDataArray::getRaw(raw, type->getArrayNumElements(), type->getArrayElementType());
  }

  Constant *mixed() {
    SmallVector<Constant *> fields;
    uint64_t end = 0;
    const auto bytesUpTo = [&](uint64_t offset) {
      if (offset > end)
        fields.push_back(
            ConstantDataArray::get(context_, ArrayRef(bytes_).slice(end, offset - end)));
    };
    for (const auto &[offset, address] : addresses_) {
      bytesUpTo(offset);
      fields.push_back(address.first);
      end = offset + 8;
    }
    bytesUpTo(bytes_.size());
    return ConstantStruct::getAnon(context_, fields, /*Packed=*/true);
  }

  const PtxVariable &variable_;
  LLVMContext &context_;
  function_ref<Constant *(StringRef)> find_;
  const uint64_t width_;
  std::vector<uint8_t> bytes_;
  std::map<uint64_t, std::pair<Constant *, unsigned>> addresses_;
  unsigned parts_ = 0; // bytes seen of the current address
  Constant *last_ = nullptr;
};

} // namespace

GlobalVariable *makePtxGlobal(Module &module, const PtxVariable &variable, const Twine &name) {
  LLVMContext &context = module.getContext();
  const bool shared = variable.space == PtxVariable::Shared;
  const bool is_extern = variable.linkage == "extern";
  const uint64_t most = shared ? 1 << 20 : variable.initial ? 1 << 26 : uint64_t(1) << 36;
  if (variable.bytes() > most)
    throw PtxError(variable.place, "Size of variable '" + variable.name + "' is too large");
  Type *type = variableType(variable, context);
  const bool plain = isCompilersString(variable);
  const auto linkage = is_extern                            ? GlobalValue::ExternalLinkage
                       : shared && variable.linkage.empty() ? GlobalValue::InternalLinkage
                       : variable.linkage == "weak" || variable.linkage == "common"
                           ? GlobalValue::WeakAnyLinkage
                       : variable.linkage.empty() && plain ? GlobalValue::InternalLinkage
                                                           : GlobalValue::ExternalLinkage;
  Constant *initial = is_extern ? nullptr
                      : shared  ? UndefValue::get(type)
                                : Constant::getNullValue(type);
  auto *global = new GlobalVariable(module, type, plain, linkage, initial, name, nullptr,
                                    GlobalValue::NotThreadLocal, addressSpace(variable.space));
  global->setAlignment(Align(variable.alignment()));
  if (!is_extern && !shared && !plain)
    global->setExternallyInitialized(true);
  if (variable.is_managed)
    global->addAttribute(managed_attribute);
  if (variable.is_opaque)
    global->addAttribute(opaque_attribute);
  return global;
}

GlobalVariable *initialise(GlobalVariable *global, const PtxVariable &variable,
                           function_ref<Constant *(StringRef)> find) {
  if (!variable.initial)
    return global;
  if (variable.space == PtxVariable::Shared || variable.linkage == "extern")
    throw PtxError(variable.place, "'" + variable.name + "' cannot be initialized");
  if (variable.is_opaque)
    return global; // fields of a texture reference, which the host sets
  Constant *value = InitialValue(variable, global->getContext(), find).constant();
  if (value->getType() == global->getValueType()) {
    global->setInitializer(value);
    return global;
  }
  auto *other = new GlobalVariable(*global->getParent(), value->getType(), global->isConstant(),
                                   global->getLinkage(), value, "", global,
                                   GlobalValue::NotThreadLocal, global->getAddressSpace());
  other->copyAttributesFrom(global);
  other->takeName(global);
  global->replaceAllUsesWith(other);
  global->eraseFromParent();
  return other;
}

} // namespace heddle
