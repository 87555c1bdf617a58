// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rtc/compiler/serve.h"

#include "rtc/compiler/requests.h"

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <new>
#include <stdexcept>

namespace heddle::rtc {
namespace {

Message answerTo(const Message &request) {
  const std::string &kind = request.first("kind");
  if (kind == "compile")
    return compileSource(request);
  if (kind == "nvvm")
    return compileNvvm(request);
  if (kind == "link")
    return linkInputs(request);
  throw std::runtime_error("internal error: unknown request");
}

} // namespace

int serve() {
  // Clang would look for headers there; NVRTC only looks where its options say.
  for (const char *variable : {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH"})
    unsetenv(variable);
  const std::string bytes{std::istreambuf_iterator<char>(std::cin), {}};
  const auto request = unpack(bytes);
  if (!request) {
    std::fputs("heddle-rtc is a part of Heddle's libnvrtc and takes no commands\n", stderr);
    return 1;
  }
  Message answer;
  try {
    answer = answerTo(*request);
    if (answer.first("status").empty())
      answer.add("status", "good");
  } catch (const std::bad_alloc &) {
    std::fputs("out of memory\n", stderr);
    answer.add("status", "failed");
  } catch (const std::runtime_error &problem) {
    std::fprintf(stderr, "%s\n", problem.what());
    answer.add("status", "errors");
  }
  const std::string reply = pack(answer);
  return std::fwrite(reply.data(), 1, reply.size(), stdout) == reply.size() ? 0 : 1;
}

} // namespace heddle::rtc
