// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What heddlecc says on a terminal while a file is compiled, and that it says nothing elsewhere.
#include "frontend/progress.h"

#include <array>
#include <cstdio>
#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>
#include <string>
#include <unistd.h>

using heddle::frontend::Progress;

namespace {

// The standard error is `file` while it lives.
class ErrorsTo {
public:
  explicit ErrorsTo(int file) : before_(dup(STDERR_FILENO)) { dup2(file, STDERR_FILENO); }
  ~ErrorsTo() {
    dup2(before_, STDERR_FILENO);
    close(before_);
  }

private:
  int before_;
};

// The next line from a terminal, which may take a while to come; "" after a minute.
std::string nextLine(int terminal) {
  std::string line;
  pollfd wait = {terminal, POLLIN, 0};
  char letter = 0;
  while (poll(&wait, 1, 60'000) == 1 && read(terminal, &letter, 1) == 1 && letter != '\n')
    if (letter != '\r')
      line += letter;
  return line;
}

TEST(Progress, ATerminalIsToldThePhaseOfASlowFileAndAllLaterOnes) {
  int reader = -1, terminal = -1;
  ASSERT_EQ(openpty(&reader, &terminal, nullptr, nullptr, nullptr), 0);
  {
    const ErrorsTo errors(terminal);
    Progress progress("slow.cu");
    progress.enter("device code");
    const std::string first = nextLine(reader); // comes after some seconds
    EXPECT_TRUE(first.starts_with("heddlecc: slow.cu: after ")) << first;
    EXPECT_TRUE(first.ends_with(" s, compiling device code")) << first;
    progress.enter("host code");
    const std::string second = nextLine(reader);
    EXPECT_TRUE(second.ends_with(" s, compiling host code")) << second;
  }
  close(terminal);
  close(reader);
}

TEST(Progress, AFastFileIsNotSpokenOf) {
  int reader = -1, terminal = -1;
  ASSERT_EQ(openpty(&reader, &terminal, nullptr, nullptr, nullptr), 0);
  {
    const ErrorsTo errors(terminal);
    Progress progress("fast.cu");
    progress.enter("device code");
    progress.enter("host code");
  }
  pollfd wait = {reader, POLLIN, 0};
  EXPECT_EQ(poll(&wait, 1, 0), 0);
  close(terminal);
  close(reader);
}

TEST(Progress, LogsAreLeftAlone) {
  std::array<int, 2> pipe_ends{};
  ASSERT_EQ(pipe(pipe_ends.data()), 0);
  {
    const ErrorsTo errors(pipe_ends[1]);
    Progress progress("slow.cu");
    progress.enter("device code");
    sleep(4); // longer than a terminal would have to wait
  }
  close(pipe_ends[1]);
  char letter = 0;
  EXPECT_EQ(read(pipe_ends[0], &letter, 1), 0);
  close(pipe_ends[0]);
}

} // namespace
