// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device code that a program brings when it runs: what the bytes are, and the options it comes
// with.
#pragma once

#include "driver/entry.h"
#include "engine/code/fat_binary.h"
#include "engine/code/ptx_text.h"

#include <string>
#include <string_view>
#include <vector>

namespace heddle::driver {

/// The CUjit_options that have an effect here: where to write what there is to say. Others tell a
/// GPU's compiler how to work.
class JitOptions {
public:
  /// CUDA_ERROR_INVALID_VALUE for an unknown option, or a null list of some.
  CUresult read(unsigned count, const CUjit_option *options, void **values);
  /// Writes a log and how long it is.
  void writeErrors(std::string_view text) { errors.write(text); }
  void writeInformation(std::string_view text) { information.write(text); }

private:
  struct Log {
    char *buffer = nullptr;
    size_t room = 0;
    void **length = nullptr; // the option's value: the room, then the length

    void write(std::string_view text);
  };
  Log information, errors;
};

/// Text of PTX becomes an image. The log says what is wrong with the text, by lines.
/// CUDA_ERROR_INVALID_PTX, or CUDA_ERROR_UNSUPPORTED_PTX_VERSION if it is too new.
CUresult loadModuleText(std::string_view text, std::vector<std::byte> &image, std::string &log);
/// The same for several texts, which are linked with each other. With `unresolved`, that functions
/// or variables are missing is noted there, and nothing is said on stderr.
CUresult linkTexts(const std::vector<engine::PtxInput> &texts, std::vector<std::byte> &image,
                   std::string &log, bool *unresolved = nullptr);

/// Whether what begins there is PTX, as opposed to an image.
bool isText(const char *data);

inline constexpr size_t no_limit = size_t(-1);

/// A copy of the image that a program has given: Heddle's own, which heddlecc embeds in programs
/// and writes to files, alone or behind CUDA's wrapper of fat binaries; or one made of text.
/// It is no longer than `limit` bytes, of which a null byte may be read behind the last.
/// Of much PTX in a fat binary of nvcc's there are only the parts.
CUresult readModule(const void *data, size_t limit, JitOptions &options, engine::PtxToRun &code);

/// The whole file. CUDA_ERROR_FILE_NOT_FOUND if there is none.
CUresult readFile(const char *path, std::vector<std::byte> &bytes);

} // namespace heddle::driver
