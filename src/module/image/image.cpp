// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "module/image/image.h"

#include "module/image/framed.h"

#include <nlohmann/json.hpp>
#include <stdexcept>

namespace heddle {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ParameterInfo, offset, size)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(KernelInfo, name, display_name, parameters, parameter_bytes,
                                   static_shared_bytes, constant_bytes, local_bytes, registers,
                                   max_threads_per_block, min_blocks_per_sm, engine_facts)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(VariableInfo, name, offset, size, constant, managed)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ImageInfo, source, arch, debug, globals_bytes, globals_align,
                                   shared_bytes, kernels, variables)

namespace {

constexpr FrameKind kind = {"HEDL", 5, "device image"};

} // namespace

std::string writeImage(const ImageInfo &info, std::string_view bitcode) {
  // File names may have any bytes; those that are not UTF-8 become replacement characters.
  nlohmann::json header(info);
  if (!info.codes.empty())
    header["codes"] = info.codes;
  return writeFrame(kind, header.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace),
                    bitcode);
}

size_t imageBytes(const void *data) { return frameBytes(kind, data); }

Image readImage(std::span<const std::byte> bytes) {
  const Frame frame = readFrame(kind, bytes);
  Image image;
  try {
    const nlohmann::json header = nlohmann::json::parse(frame.header);
    image.info = header.get<ImageInfo>();
    image.info.codes = header.value("codes", std::vector<std::string>());
  } catch (const nlohmann::json::exception &error) {
    throw std::runtime_error(std::string("device image: broken header: ") + error.what());
  }
  image.bitcode = frame.bitcode;
  return image;
}

} // namespace heddle
