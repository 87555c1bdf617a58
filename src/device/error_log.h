// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The log of errors of both APIs (CUDA Programming Guide, "Error Log Management"): each call that
// fails and each kernel that does leave a line, which goes to the program's callbacks, to where
// CUDA_LOG_FILE says, and stays until newer lines need its room.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <vector>

namespace heddle {

class ErrorLog {
public:
  /// `level` is a cudaLogLevel; `message` ends with a zero, which `length` does not count.
  using Callback = void (*)(void *data, int level, char *message, size_t length);
  /// What a CUlogsCallbackHandle points to.
  struct Listener {
    Callback function;
    void *data;
  };

  static ErrorLog &instance();

  /// Adds a line: `[time][thread][CUDA][E][call] message`.
  void add(const char *call, const std::string &message);

  Listener *listen(Callback function, void *data);
  /// False if there is no such listener.
  bool stopListening(Listener *listener);

  /// The number that the next line will have.
  uint32_t next();
  /// The lines from number `from` on that are left, and whether earlier ones of them are lost.
  std::vector<std::string> since(uint32_t from, bool &lost);

  ErrorLog(const ErrorLog &) = delete;

private:
  ErrorLog();
  void write(const std::string &line);

  std::mutex mutex_;
  std::deque<std::string> lines_;
  size_t bytes_ = 0;
  uint32_t first_ = 0; // the number of the first line that is left
  std::vector<Listener *> listeners_;
  std::string file_; // of CUDA_LOG_FILE
};

} // namespace heddle
