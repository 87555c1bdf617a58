// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a video instruction computes, by the PTX ISA's description ("Scalar Video Instructions",
// "SIMD Video Instructions"), on the host. It reads the instruction as it is in the source:
// "vadd2.s32.s32.s32.sat %0.h1, %1, %2.h01, %3;".
#pragma once

#include <algorithm>
#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

namespace video {

using Wide = __int128;

struct Operand {
  bool minus = false;
  std::string part; // "b0", or nothing
};

struct Instruction {
  std::string name;
  unsigned lanes = 1; // 1, 2 or 4
  std::vector<std::string> modifiers;
  std::vector<bool> is_signed; // of the types, in order
  std::vector<Operand> operands;

  explicit Instruction(const std::string &text) {
    std::istringstream stream(text);
    std::string opcode, piece, operand;
    stream >> opcode;
    std::istringstream words(opcode);
    std::getline(words, name, '.');
    if (name.back() == '2' || name.back() == '4') {
      lanes = unsigned(name.back() - '0');
      name.pop_back();
    }
    while (std::getline(words, piece, '.'))
      if (piece == "u32" || piece == "s32")
        is_signed.push_back(piece == "s32");
      else
        modifiers.push_back(piece);
    while (std::getline(stream, operand, ',')) {
      Operand read;
      read.minus = operand.find('-') != std::string::npos;
      if (const size_t dot = operand.find('.'); dot != std::string::npos)
        for (char c : operand.substr(dot + 1))
          if (c != ';')
            read.part += c;
      operands.push_back(read);
    }
  }

  bool has(const std::string &modifier) const {
    return std::find(modifiers.begin(), modifiers.end(), modifier) != modifiers.end();
  }
};

inline Wide extend(uint32_t value, unsigned bits, bool is_signed) {
  const uint32_t low = bits == 32 ? value : value & ((1u << bits) - 1);
  const bool negative = is_signed && (low >> (bits - 1) & 1);
  return Wide(low) - (negative ? Wide(1) << bits : 0);
}

inline Wide clamp(Wide value, unsigned bits, bool is_signed) {
  const Wide low = is_signed ? -(Wide(1) << (bits - 1)) : 0;
  const Wide high = (Wide(1) << (is_signed ? bits - 1 : bits)) - 1;
  return std::min(std::max(value, low), high);
}

inline Wide operate(const Instruction &in, Wide a, Wide b) {
  if (in.name == "vadd")
    return a + b;
  if (in.name == "vsub")
    return a - b;
  if (in.name == "vabsdiff")
    return a > b ? a - b : b - a;
  if (in.name == "vmin")
    return std::min(a, b);
  if (in.name == "vmax")
    return std::max(a, b);
  if (in.name == "vavrg")
    return (a + b + (a + b >= 0)) >> 1;
  return in.has("eq")   ? a == b
         : in.has("ne") ? a != b
         : in.has("lt") ? a < b
         : in.has("le") ? a <= b
         : in.has("gt") ? a > b
                        : a >= b;
}

inline unsigned partBits(const std::string &part) {
  return part.empty() ? 32 : part[0] == 'b' ? 8 : 16;
}

inline Wide scalarPart(uint32_t value, const Operand &operand, bool is_signed) {
  const unsigned bits = partBits(operand.part);
  return extend(bits == 32 ? value : value >> bits * unsigned(operand.part[1] - '0'), bits,
                is_signed);
}

inline uint32_t multiplyAdd(const Instruction &in, uint32_t a, uint32_t b, uint32_t c) {
  const bool minus = in.operands[1].minus != in.operands[2].minus;
  const bool is_signed = in.is_signed[1] || in.is_signed[2] || minus || in.operands[3].minus;
  const Wide product = scalarPart(a, in.operands[1], in.is_signed[1]) *
                       scalarPart(b, in.operands[2], in.is_signed[2]);
  const Wide addend = extend(c, 32, is_signed);
  Wide sum =
      (minus ? -product : product) + (in.operands[3].minus ? -addend : addend) + in.has("po");
  sum >>= in.has("shr7") ? 7 : in.has("shr15") ? 15 : 0;
  return uint32_t(in.has("sat") ? clamp(sum, 32, is_signed) : sum);
}

inline uint32_t scalar(const Instruction &in, uint32_t a, uint32_t b, uint32_t c) {
  if (in.name == "vmad")
    return multiplyAdd(in, a, b, c);
  const bool sets = in.name == "vset";
  const bool is_signed = !sets && in.is_signed[0];
  const Wide first = scalarPart(a, in.operands[1], in.is_signed[sets ? 0 : 1]);
  Wide second = scalarPart(b, in.operands[2], in.is_signed[sets ? 1 : 2]), value;
  if (in.name == "vshl" || in.name == "vshr") {
    second = in.has("wrap") ? second & 31 : std::min<Wide>(second, 32);
    value = in.name == "vshl" ? first * (Wide(1) << int(second)) : first >> int(second);
  } else {
    value = operate(in, first, second);
  }
  const std::string &part = in.operands[0].part;
  if (in.has("sat"))
    value = clamp(value, partBits(part), is_signed);
  if (!part.empty()) {
    const unsigned bits = partBits(part), shift = bits * unsigned(part[1] - '0');
    const uint32_t mask = ((1u << bits) - 1) << shift;
    return (uint32_t(value) << shift & mask) | (c & ~mask);
  }
  const Wide word = extend(uint32_t(value), 32, is_signed), other = extend(c, 32, is_signed);
  return uint32_t(in.has("add")   ? word + other
                  : in.has("min") ? std::min(word, other)
                  : in.has("max") ? std::max(word, other)
                                  : word);
}

inline uint32_t simd(const Instruction &in, uint32_t a, uint32_t b, uint32_t c) {
  const unsigned lanes = in.lanes, bits = 32 / lanes;
  const bool sets = in.name == "vset", adds = in.has("add");
  auto digit = [&](size_t operand, unsigned lane) {
    const std::string &part = in.operands[operand].part;
    return part.empty() ? lane + (operand == 2 ? lanes : 0) : unsigned(part[lanes - lane] - '0');
  };
  auto select = [&](size_t operand, unsigned lane, bool is_signed) {
    const unsigned place = digit(operand, lane);
    return extend((place < lanes ? a : b) >> place % lanes * bits, bits, is_signed);
  };
  uint32_t result = c;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    const std::string &mask = in.operands[0].part;
    if (!mask.empty() && mask.find(char('0' + lane)) == std::string::npos)
      continue;
    Wide value = operate(in, select(1, lane, in.is_signed[sets ? 0 : 1]),
                         select(2, lane, in.is_signed[sets ? 1 : 2]));
    if (in.has("sat"))
      value = clamp(value, bits, in.is_signed[0]);
    const uint32_t field = ((1u << bits) - 1) << lane * bits;
    result = adds ? result + uint32_t(value)
                  : (uint32_t(value) << lane * bits & field) | (result & ~field);
  }
  return result;
}

inline uint32_t compute(const std::string &text, uint32_t a, uint32_t b, uint32_t c) {
  const Instruction in(text);
  return in.lanes == 1 ? scalar(in, a, b, c) : simd(in, a, b, c);
}

} // namespace video
