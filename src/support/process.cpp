// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/process.h"

#include <cerrno>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace heddle {
namespace {

std::string readAll(int descriptor) {
  std::string text;
  char buffer[4096];
  for (;;) {
    ssize_t count = read(descriptor, buffer, sizeof buffer);
    if (count > 0)
      text.append(buffer, size_t(count));
    else if (count == 0 || errno != EINTR)
      return text;
  }
}

} // namespace

ProcessResult runProcess(const std::vector<std::string> &arguments, Capture capture) {
  std::vector<char *> argv;
  for (const std::string &argument : arguments)
    argv.push_back(const_cast<char *>(argument.c_str()));
  argv.push_back(nullptr);

  int ends[2] = {-1, -1};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (capture != Capture::None && pipe2(ends, O_CLOEXEC) == 0) {
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    if (capture == Capture::OutputAndErrors)
      posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
  }
  pid_t child = 0;
  int failed = posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (ends[1] >= 0)
    close(ends[1]);

  ProcessResult result;
  if (ends[0] >= 0) {
    if (!failed)
      result.output = readAll(ends[0]);
    close(ends[0]);
  }
  if (failed) {
    result.exit_code = 127;
    return result;
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR)
    ;
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

} // namespace heddle
