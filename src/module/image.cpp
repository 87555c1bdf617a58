// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "module/image.h"

#include <cstring>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace heddle {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ParameterInfo, offset, size)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(GridStride::Array, parameter, element_bytes, stored)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(GridStride, bound_offset, bound_bytes, arrays)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(KernelInfo, name, display_name, parameters, parameter_bytes,
                                   static_shared_bytes, constant_bytes, local_bytes, registers,
                                   max_threads_per_block, min_blocks_per_sm, fusible_block_dim,
                                   fused_row, grid_stride)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(VariableInfo, name, offset, size, constant, managed)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ImageInfo, source, arch, debug, globals_bytes, globals_align,
                                   shared_bytes, kernels, variables)

namespace {

constexpr char magic[4] = {'H', 'E', 'D', 'L'};
constexpr uint32_t format_version = 4;

struct Prefix {
  char magic[4];
  uint32_t version;
  uint64_t header_bytes;
  uint64_t bitcode_bytes;
};

} // namespace

std::string writeImage(const ImageInfo &info, std::string_view bitcode) {
  // File names are any bytes; what is not UTF-8 in them becomes a replacement character.
  std::string header =
      nlohmann::json(info).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  Prefix prefix{{}, format_version, header.size(), bitcode.size()};
  std::memcpy(prefix.magic, magic, sizeof magic);
  std::string image(reinterpret_cast<const char *>(&prefix), sizeof prefix);
  image += header;
  image += bitcode;
  return image;
}

size_t imageBytes(const void *data) {
  Prefix prefix;
  std::memcpy(&prefix, data, sizeof prefix.magic);
  if (std::memcmp(prefix.magic, magic, sizeof magic) != 0)
    return 0;
  std::memcpy(&prefix, data, sizeof prefix);
  return sizeof prefix + prefix.header_bytes + prefix.bitcode_bytes;
}

Image readImage(std::span<const std::byte> bytes) {
  Prefix prefix;
  if (bytes.size() < sizeof prefix)
    throw std::runtime_error("device image: too short");
  std::memcpy(&prefix, bytes.data(), sizeof prefix);
  if (std::memcmp(prefix.magic, magic, sizeof magic) != 0)
    throw std::runtime_error("device image: not made by Heddle (was this object built by nvcc?)");
  if (prefix.version != format_version)
    throw std::runtime_error(
        "device image: made by another version of Heddle; rebuild the program");
  if (prefix.header_bytes > bytes.size() - sizeof prefix ||
      prefix.bitcode_bytes > bytes.size() - sizeof prefix - prefix.header_bytes)
    throw std::runtime_error("device image: truncated");
  const char *text = reinterpret_cast<const char *>(bytes.data()) + sizeof prefix;
  Image image;
  try {
    image.info = nlohmann::json::parse(text, text + prefix.header_bytes).get<ImageInfo>();
  } catch (const nlohmann::json::exception &error) {
    throw std::runtime_error(std::string("device image: broken header: ") + error.what());
  }
  image.bitcode = std::string_view(text + prefix.header_bytes, prefix.bitcode_bytes);
  return image;
}

} // namespace heddle
