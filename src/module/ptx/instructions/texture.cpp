// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Textures and surfaces (PTX ISA, "Texture Instructions", "Surface Instructions"). How fetches work
// is the device library's, __heddle/texture/calls.h.
#include "module/ptx/instructions/math.h"
#include "module/ptx/instructions/memory.h"

#include "__heddle/texture/descriptor.h"

#include "llvm/IR/Module.h"

#include <cstddef>

using namespace llvm;

namespace heddle {
namespace {

using texture::Channel;
using texture::Descriptor;
using texture::Level;

constexpr PtxType word{PtxType::Bits, 32};

struct Geometry {
  unsigned dimensions = 1;
  bool layered = false, cube = false;
};

Geometry takeGeometry(PtxInstruction &in) {
  const std::pair<StringRef, Geometry> all[] = {
      {"1d", {1, false, false}}, {"2d", {2, false, false}}, {"3d", {3, false, false}},
      {"a1d", {1, true, false}}, {"a2d", {2, true, false}}, {"cube", {3, false, true}},
      {"acube", {3, true, true}}};
  for (const auto &[name, geometry] : all)
    if (in.take(name))
      return geometry;
  throw PtxError("this geometry");
}

// A handle in a register, or one that a texture reference holds.
Value *handleAt(PtxInstruction &in, const PtxOperand &address) {
  if (address.kind != PtxOperand::Address || address.elements.size() != 1)
    throw PtxError("an operand is not a texture or surface");
  const PtxOperand &object = address.elements[0];
  if (Value *reference = in.emitter.variable(object))
    return in.builder.CreateLoad(in.builder.getInt64Ty(), reference);
  return in.emitter.read(object, {PtxType::Bits, 64});
}

// The registers of [a, {…}] or [a, sampler, {…}].
ArrayRef<PtxOperand> coordinatesOf(const PtxOperand &address) {
  if (address.coordinates.empty())
    throw PtxError("coordinates are missing");
  const PtxOperand &last = address.coordinates.back();
  return last.kind == PtxOperand::Vector ? ArrayRef(last.elements) : ArrayRef(last);
}

Value *field(PtxInstruction &in, Value *handle, size_t offset) {
  Value *pointer = in.builder.CreateIntToPtr(handle, in.builder.getPtrTy());
  return in.builder.CreateLoad(in.builder.getInt32Ty(),
                               in.builder.CreatePtrAdd(pointer, in.builder.getInt64(offset)));
}

// What a fetch asks for, as calls.h has it: PTX does not say how wide the texels are.
uint32_t wantedForm(PtxType type) {
  const Channel kind = !type.isInteger() ? Channel::Float
                       : type.isSigned() ? Channel::Signed
                                         : Channel::Unsigned;
  return texture::form(kind, 32, 1, false);
}

// Calls a function that returns four words.
SmallVector<Value *> fetch(PtxInstruction &in, StringRef name, ArrayRef<Value *> arguments) {
  IRBuilder<> &builder = in.builder;
  Type *type = ArrayType::get(builder.getInt32Ty(), 4);
  AllocaInst *memory = in.emitter.makeSlot(128, "ptx.texels");
  SmallVector<Value *> all = {memory};
  append_range(all, arguments);
  auto *call = cast<CallInst>(in.emitter.callLibrary(name, builder.getVoidTy(), all));
  call->addParamAttr(0, Attribute::getWithStructRetType(builder.getContext(), type));
  SmallVector<Value *> words;
  for (unsigned i = 0; i < 4; ++i)
    words.push_back(builder.CreateLoad(builder.getInt32Ty(),
                                       builder.CreatePtrAdd(memory, builder.getInt64(4 * i))));
  return words;
}

void writeTexels(PtxInstruction &in, unsigned count, PtxType type, ArrayRef<Value *> words) {
  PtxOperand destination = in.operand(0);
  if (destination.kind == PtxOperand::Pair) { // d|p: whether the texel is resident
    in.emitter.write(destination.elements[1], {PtxType::Predicate, 1}, in.builder.getTrue());
    destination = PtxOperand(destination.elements[0]);
  }
  const ArrayRef<PtxOperand> registers = elementsOf(destination, count);
  const auto half = [&](unsigned i) {
    return narrowToHalf(in.builder, {PtxType::Float, 16},
                        in.builder.CreateBitCast(words[i], in.builder.getFloatTy()), "rn");
  };
  for (unsigned i = 0; i < count; ++i)
    if (type.isHalf() && type.lanes == 2) {
      Type *whole = in.builder.getInt32Ty();
      Value *high = in.builder.CreateShl(in.builder.CreateZExt(half(2 * i + 1), whole), 16);
      in.emitter.write(registers[i], word,
                       in.builder.CreateOr(high, in.builder.CreateZExt(half(2 * i), whole)));
    } else if (type.isHalf()) {
      in.emitter.write(registers[i], {PtxType::Bits, 16}, half(i));
    } else {
      in.emitter.write(registers[i], word, words[i]);
    }
}

// The coordinates as floats, and the layer, which comes first.
struct Place {
  SmallVector<Value *> axes;
  Value *layer;
};

Place takePlace(PtxInstruction &in, Geometry geometry, PtxType type) {
  IRBuilder<> &builder = in.builder;
  const ArrayRef<PtxOperand> registers = coordinatesOf(in.operand(1));
  if (registers.size() < geometry.dimensions + geometry.layered)
    throw PtxError("too few coordinates");
  Place place{{}, builder.getInt32(0)};
  if (geometry.layered)
    place.layer = in.emitter.read(registers[0], word);
  for (unsigned i = 0; i < geometry.dimensions; ++i) {
    Value *value = in.emitter.read(registers[i + geometry.layered], type);
    if (type.isInteger()) // the middle of a texel
      value = builder.CreateFAdd(builder.CreateSIToFP(value, builder.getFloatTy()),
                                 ConstantFP::get(builder.getFloatTy(), 0.5));
    place.axes.push_back(value);
  }
  return place;
}

std::string functionName(Geometry geometry, StringRef kind) {
  return (Twine("__heddle_tex_") +
          (geometry.cube ? "cube" : std::to_string(geometry.dimensions) + "d") + kind)
      .str();
}

// The components of .grad's operands; of one dimension they are scalars.
void appendGradient(PtxInstruction &in, size_t i, unsigned dimensions, SmallVector<Value *> &to) {
  const PtxOperand &operand = in.operand(i);
  const ArrayRef<PtxOperand> parts =
      operand.kind == PtxOperand::Vector ? ArrayRef(operand.elements) : ArrayRef(operand);
  if (parts.size() < dimensions)
    throw PtxError("too few derivatives");
  for (const PtxOperand &part : parts.take_front(dimensions))
    to.push_back(in.emitter.read(part, {PtxType::Float, 32}));
}

// tex.geometry.v4.type.coordinates {…}, [texture, {…}]; with .level and .grad more operands
void emitFetch(PtxInstruction &in) {
  IRBuilder<> &builder = in.builder;
  in.take("base");
  const bool level = in.take("level"), gradient = in.take("grad");
  const Geometry geometry = takeGeometry(in);
  const unsigned count = takeVectorLength(in);
  const PtxType type = in.takeType(), coordinate = in.takeType();
  Value *handle = handleAt(in, in.operand(1));
  if (coordinate.isInteger() && geometry.dimensions == 1 && !geometry.layered && !level) {
    Value *x = in.emitter.read(coordinatesOf(in.operand(1))[0], {PtxType::Signed, 32});
    return writeTexels(
        in, count, type,
        fetch(in, "__heddle_tex_linear", {handle, builder.getInt32(wantedForm(type)), x}));
  }
  Place place = takePlace(in, geometry, coordinate);
  SmallVector<Value *> arguments = {handle};
  std::string name;
  if (level || gradient) {
    append_range(arguments, place.axes);
    if (geometry.dimensions < 3 || geometry.cube)
      arguments.push_back(place.layer);
    if (level) {
      Value *lod = coordinate.isInteger()
                       ? builder.CreateSIToFP(in.readU32(2), builder.getFloatTy())
                       : in.read(2, {PtxType::Float, 32});
      arguments.push_back(lod);
    } else {
      appendGradient(in, 2, geometry.dimensions, arguments);
      appendGradient(in, 3, geometry.dimensions, arguments);
    }
    name = functionName(geometry, level ? "_level" : "_grad");
  } else {
    arguments.push_back(builder.getInt32(wantedForm(type)));
    append_range(arguments, place.axes);
    if (geometry.layered || geometry.cube)
      arguments.push_back(place.layer);
    name = functionName(geometry, geometry.layered && !geometry.cube ? "_layer" : "");
  }
  writeTexels(in, count, type, fetch(in, name, arguments));
}

// tld4: one channel of the four texels that a filter would take.
void emitGather(PtxInstruction &in) {
  const std::string channel = in.takeOneOf({"r", "g", "b", "a"});
  const Geometry geometry = takeGeometry(in);
  if (channel.empty() || geometry.dimensions != 2 || geometry.layered)
    throw PtxError("");
  const unsigned count = takeVectorLength(in);
  const PtxType type = in.takeType(), coordinate = in.takeType();
  const Place place = takePlace(in, geometry, coordinate);
  writeTexels(
      in, count, type,
      fetch(in, "__heddle_tex_gather",
            {handleAt(in, in.operand(1)), in.builder.getInt32(wantedForm(type)), place.axes[0],
             place.axes[1], in.builder.getInt32(uint32_t(StringRef("rgba").find(channel)))}));
}

// txq and suq: what the descriptor says.
void emitQuery(PtxInstruction &in) {
  const std::pair<StringRef, size_t> fields[] = {
      {"width", offsetof(Descriptor, level) + offsetof(Level, width)},
      {"height", offsetof(Descriptor, level) + offsetof(Level, height)},
      {"depth", offsetof(Descriptor, level) + offsetof(Level, depth)},
      {"array_size", offsetof(Descriptor, layers)},
      {"num_mipmap_levels", offsetof(Descriptor, levels)},
      {"normalized_coords", offsetof(Descriptor, normalized)}};
  for (auto [name, offset] : fields)
    if (in.take(name)) {
      const PtxType type = in.takeType();
      return in.write(type, field(in, handleAt(in, in.operand(1)), offset));
    }
  throw PtxError("");
}

// ---- Surfaces: the device library says where the bytes lie, or that there are none.

Value *placeOnSurface(PtxInstruction &in, const PtxOperand &address, unsigned bytes,
                      unsigned what) {
  IRBuilder<> &builder = in.builder;
  const Geometry geometry = takeGeometry(in);
  const std::string outside = in.takeOneOf({"zero", "clamp", "trap"});
  const uint32_t mode = outside == "zero" ? 0 : outside == "clamp" ? 1 : 2;
  const ArrayRef<PtxOperand> registers = coordinatesOf(address);
  if (registers.size() < geometry.dimensions + geometry.layered)
    throw PtxError("too few coordinates");
  SmallVector<Value *> axes(3, builder.getInt32(0));
  for (unsigned i = 0; i < geometry.dimensions; ++i)
    axes[i] = in.emitter.read(registers[i + geometry.layered], word);
  if (geometry.layered) {
    Value *layer = in.emitter.read(registers[0], word);
    Value *negative = builder.CreateICmpSLT(layer, builder.getInt32(0));
    axes[2] = builder.CreateSelect(negative, builder.getInt32(0x7fffffff), layer);
  }
  Value *place = in.emitter.callLibrary("__heddle_surface", builder.getInt64Ty(),
                                        {handleAt(in, address), axes[0], axes[1], axes[2],
                                         builder.getInt32(bytes), builder.getInt32(mode | what)});
  return builder.CreateIntToPtr(place, builder.getPtrTy());
}

// Runs `access` where there is a place.
void whereInside(PtxInstruction &in, Value *place, function_ref<void()> access) {
  BasicBlock *inside = in.emitter.makeBlock("ptx.inside"),
             *after = in.emitter.makeBlock("ptx.after");
  in.builder.CreateCondBr(in.builder.CreateIsNotNull(place), inside, after);
  in.builder.SetInsertPoint(inside);
  access();
  in.emitter.continueIn(after);
}

void emitSurfaceLoad(PtxInstruction &in) {
  if (!in.take("b"))
    throw PtxError("");
  takePtxAccess(in);
  const unsigned count = takeVectorLength(in);
  const PtxType type = in.takeType(), bits{PtxType::Bits, type.bits};
  Value *place = placeOnSurface(in, in.operand(1), type.bits / 8 * count, 0);
  const ArrayRef<PtxOperand> registers = elementsOf(in.operand(0), count);
  Type *element = in.builder.getIntNTy(type.bits);
  for (const PtxOperand &destination : registers)
    in.emitter.write(destination, bits, ConstantInt::get(element, 0));
  whereInside(in, place, [&] {
    for (unsigned i = 0; i < count; ++i)
      in.emitter.write(
          registers[i], bits,
          in.builder.CreateLoad(element, in.builder.CreateConstGEP1_32(element, place, i)));
  });
}

void emitSurfaceStore(PtxInstruction &in) {
  if (!in.take("b"))
    throw PtxError("");
  takePtxAccess(in);
  const unsigned count = takeVectorLength(in);
  const PtxType type = in.takeType(), bits{PtxType::Bits, type.bits};
  Value *place = placeOnSurface(in, in.operand(0), type.bits / 8 * count, texture::surface_store);
  Type *element = in.builder.getIntNTy(type.bits);
  whereInside(in, place, [&] {
    for (unsigned i = 0; i < count; ++i)
      in.builder.CreateStore(in.emitter.read(elementsOf(in.operand(1), count)[i], bits),
                             in.builder.CreateConstGEP1_32(element, place, i));
  });
}

void emitSurfaceReduction(PtxInstruction &in) {
  if (!in.take("b"))
    throw PtxError("");
  const AtomicRMWInst::BinOp operation = takeUpdate(in);
  const PtxType type = in.takeType();
  Value *place = placeOnSurface(in, in.operand(0), type.bits / 8, texture::surface_update);
  whereInside(in, place, [&] {
    updateMemory(in, operation, type, place, in.read(1, type), AtomicOrdering::Monotonic);
  });
}

} // namespace

void addTextureInstructions(PtxTable &table) {
  table.any["tex"] = emitFetch;
  table.any["tld4"] = emitGather;
  table.any["txq"] = table.any["suq"] = emitQuery;
  table.any["suld"] = emitSurfaceLoad;
  table.any["sust"] = emitSurfaceStore;
  table.any["sured"] = emitSurfaceReduction;
}

} // namespace heddle
