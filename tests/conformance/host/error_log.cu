// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -lcuda
//
// The log of errors (cudaLogs…, cuLogs…): callbacks, iterators, what is dumped into files and into
// memory, and what is left when there is too little room.
#include "../check.h"

#include <cstdio>
#include <cuda.h>
#include <fstream>
#include <string>
#include <unistd.h>
#include <vector>

namespace {

struct Heard {
  std::vector<std::string> messages;
};

void hear(void *data, cudaLogLevel level, char *message, size_t length) {
  CHECK_EQ(level, cudaLogLevelError);
  CHECK_EQ(std::string(message).size(), length);
  static_cast<Heard *>(data)->messages.push_back(message);
}
void hearDriver(void *data, CUlogLevel level, char *message, size_t length) {
  hear(data, cudaLogLevel(level), message, length);
}

bool has(const std::string &text, const char *part) { return text.find(part) != std::string::npos; }

void failInRuntime() {
  CHECK_EQ(cudaMalloc(static_cast<void **>(nullptr), 10), cudaErrorInvalidValue);
  cudaGetLastError();
}

void testCallbacks() {
  Heard first, second;
  cudaLogsCallbackHandle handle = nullptr;
  CUlogsCallbackHandle other = nullptr;
  CHECK_CUDA(cudaLogsRegisterCallback(hear, &first, &handle));
  CHECK_EQ(cuLogsRegisterCallback(hearDriver, &second, &other), CUDA_SUCCESS);
  failInRuntime();
  CHECK(first.messages.size() >= 1);
  CHECK(first.messages == second.messages);
  CUdeviceptr none = 0;
  CHECK_EQ(cuMemAlloc(&none, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK(first.messages.size() >= 2 && first.messages.size() == second.messages.size());
#ifdef __HEDDLE_CUDA__ // NVIDIA's messages are its own
  CHECK_EQ(first.messages.size(), 2u);
  CHECK(has(first.messages[0], "[CUDA][E][cudaMalloc] invalid argument (cudaErrorInvalidValue)"));
  CHECK(has(first.messages[1], "[CUDA][E][cuMemAlloc_v2] invalid argument"));
#endif
  const size_t before = first.messages.size(), driver = second.messages.size();
  CHECK_CUDA(cudaLogsUnregisterCallback(handle));
  failInRuntime();
  CHECK_EQ(first.messages.size(), before);
  CHECK(second.messages.size() > driver);
  CHECK_EQ(cuLogsUnregisterCallback(other), CUDA_SUCCESS);
#ifdef __HEDDLE_CUDA__
  CHECK_EQ(cudaLogsUnregisterCallback(handle), cudaErrorInvalidValue); // it is gone
  cudaGetLastError();
#endif
  CHECK_EQ(cudaLogsRegisterCallback(nullptr, nullptr, &handle), cudaErrorInvalidValue);
  cudaGetLastError();
}

void testMemory() {
  cudaLogIterator at = 0;
  CHECK_CUDA(cudaLogsCurrent(&at, 0));
  char text[25600] = "?";
  size_t size = sizeof text;
  CHECK_CUDA(cudaLogsDumpToMemory(&at, text, &size, 0)); // nothing yet
  CHECK_EQ(size, 0u);
  CHECK_EQ(text[0], '\0');
  failInRuntime();
  size = sizeof text;
  CHECK_CUDA(cudaLogsDumpToMemory(&at, text, &size, 0));
  CHECK(size > 0 && size == std::string(text).size() && text[size - 1] == '\n');
  CHECK(has(text, "cudaMalloc"));
  size = sizeof text;
  CHECK_CUDA(cudaLogsDumpToMemory(&at, text, &size, 0)); // the iterator is behind it
  CHECK_EQ(size, 0u);
  // All of them, with a null iterator; then the latest of them that fit.
  for (int i = 0; i < 5; ++i)
    failInRuntime();
  size = sizeof text;
  CHECK_CUDA(cudaLogsDumpToMemory(nullptr, text, &size, 0));
  const std::string all = text;
  const size_t last_line = all.rfind('\n', all.size() - 2) + 1, length = all.size() - last_line;
  size = length * 3;
  CHECK_CUDA(cudaLogsDumpToMemory(nullptr, text, &size, 0));
  CHECK(size > 0 && size < length * 3);
  CHECK(has(text, all.substr(last_line).c_str()));
  size = 4;
  CHECK_EQ(cudaLogsDumpToMemory(nullptr, text, &size, 0), cudaErrorInvalidValue);
  CHECK_EQ(size, 0u);
  size = sizeof text;
  CHECK_EQ(cudaLogsDumpToMemory(nullptr, nullptr, &size, 0), cudaErrorInvalidValue);
  CHECK_EQ(cudaLogsDumpToMemory(nullptr, text, &size, 1), cudaErrorInvalidValue);
  CHECK_EQ(cudaLogsCurrent(nullptr, 0), cudaErrorInvalidValue);
  cudaGetLastError();
}

void testFile() {
  char path[] = "/tmp/error_log_XXXXXX";
  const int file = mkstemp(path);
  CHECK(file >= 0);
  cudaLogIterator at = 0;
  CHECK_CUDA(cudaLogsCurrent(&at, 0));
  failInRuntime();
  CHECK_CUDA(cudaLogsDumpToFile(&at, path, 0));
  std::ifstream in(path);
  std::string line, more;
  CHECK(bool(std::getline(in, line)));
  CHECK(has(line, "cudaMalloc"));
  CHECK_EQ(cuLogsDumpToFile(&at, "/none/such/folder/log", 0), CUDA_ERROR_INVALID_VALUE);
  close(file);
  unlink(path);
}

// Older messages make room, and a note says so.
void testOverflow() {
  cudaLogIterator at = 0;
  CHECK_CUDA(cudaLogsCurrent(&at, 0));
  for (int i = 0; i < 2000; ++i)
    failInRuntime();
  std::vector<char> text(1 << 20);
  size_t size = text.size();
  CHECK_CUDA(cudaLogsDumpToMemory(&at, text.data(), &size, 0));
  CHECK(size > 1000 && size <= 26000);
#ifdef __HEDDLE_CUDA__
  CHECK(has(text.data(), "[older messages are lost]\n"));
#endif
}

} // namespace

int main() {
  CHECK_CUDA(cudaFree(nullptr));
  testCallbacks();
  testMemory();
  testFile();
  testOverflow();
  RETURN_RESULT();
}
