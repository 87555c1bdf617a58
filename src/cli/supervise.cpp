// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/supervise.h"

#include "support/paths.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <stdexcept>
#include <sys/prctl.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

namespace fs = std::filesystem;

namespace heddle::cli {
namespace {

constexpr int passed_on[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGWINCH};

// While it lives, the signals that a parent passes on, and SIGCHLD, wait to be picked up.
class HeldSignals {
public:
  HeldSignals() {
    sigemptyset(&held);
    sigaddset(&held, SIGCHLD);
    for (int signal : passed_on)
      sigaddset(&held, signal);
    sigprocmask(SIG_BLOCK, &held, &before);
  }
  ~HeldSignals() { release(); }
  void release() const { sigprocmask(SIG_SETMASK, &before, nullptr); }

  sigset_t held, before;
};

int waitFor(pid_t child, const HeldSignals &signals) {
  for (;;) {
    int status = 0;
    const pid_t ended = waitpid(child, &status, WNOHANG);
    if (ended == child)
      return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    if (ended < 0 && errno != EINTR)
      throw std::runtime_error(std::string("cannot wait for a process: ") + std::strerror(errno));
    siginfo_t info = {};
    const int signal = sigwaitinfo(&signals.held, &info);
    // What the terminal sends goes to all its processes: the child has had it.
    if (signal > 0 && signal != SIGCHLD && info.si_code != SI_KERNEL)
      kill(child, signal);
  }
}

bool forbidsPrograms(const fs::path &folder) {
  struct statvfs status = {};
  return statvfs(folder.c_str(), &status) == 0 && (status.f_flag & ST_NOEXEC);
}

// /tmp is mounted noexec on some systems.
fs::path placeForPrograms(const fs::path &usual) {
  if (!forbidsPrograms(usual))
    return usual;
  std::error_code ignored;
  const fs::path cache = cacheFolder();
  fs::create_directories(cache, ignored);
  for (const fs::path &other : {cache, fs::current_path(ignored)})
    if (access(other.c_str(), W_OK) == 0 && !forbidsPrograms(other))
      return other;
  throw std::runtime_error(
      fmt::format("no program can be run from {}, as it is mounted with noexec (TMPDIR chooses "
                  "another place)",
                  usual.string()));
}

} // namespace

ScratchFolder::ScratchFolder(Use use) {
  std::error_code error;
  fs::path parent = fs::temp_directory_path(error);
  if (error)
    parent = "/tmp";
  else if (use == Use::Programs)
    parent = placeForPrograms(parent);
  std::string pattern = (parent / "heddle-XXXXXX").string();
  if (error || !mkdtemp(pattern.data()))
    throw std::runtime_error(fmt::format("cannot make a temporary folder {}: {} (TMPDIR chooses "
                                         "another place)",
                                         pattern, error ? error.message() : std::strerror(errno)));
  path_ = pattern;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

int supervise(const std::function<int()> &work) {
  const HeldSignals signals;
  std::fflush(nullptr);
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child < 0)
    throw std::runtime_error(std::string("cannot start a process: ") + std::strerror(errno));
  if (child > 0)
    return waitFor(child, signals);
  prctl(PR_SET_PDEATHSIG, SIGKILL); // even a parent that is killed leaves nothing running
  if (getppid() != parent)
    _exit(1);
  signals.release();
  const int result = work();
  std::fflush(nullptr);
  _exit(result);
}

int superviseProgram(const std::vector<std::string> &arguments,
                     const std::vector<std::string> &settings) {
  return supervise([&] {
    std::vector<char *> argv;
    for (const std::string &argument : arguments)
      argv.push_back(const_cast<char *>(argument.c_str()));
    argv.push_back(nullptr);
    for (const std::string &setting : settings)
      putenv(const_cast<char *>(setting.c_str()));
    execvp(argv[0], argv.data());
    std::fprintf(stderr, "heddle: cannot run %s: %s\n", argv[0], std::strerror(errno));
    return 127;
  });
}

std::string describeDeath(int exit_code) {
  const int signal = exit_code - 128;
  if (signal <= 0 || signal >= NSIG || signal == SIGINT || signal == SIGTERM || signal == SIGHUP ||
      signal == SIGPIPE)
    return "";
  const char *name = strsignal(signal);
  return name ? name : fmt::format("signal {}", signal);
}

} // namespace heddle::cli
