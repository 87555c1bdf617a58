// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rtc/common/compiler_process.h"

#include "engine/code/cache.h"
#include "support/paths.h"

#include <cerrno>
#include <csignal>
#include <ctime>
#include <fmt/format.h>
#include <mutex>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <unordered_map>

extern char **environ;

namespace heddle::rtc {
namespace {

// A file in memory: what a process leaves in it can be read when the process has ended, so that
// neither side waits for the other while they talk.
class MemoryFile {
public:
  explicit MemoryFile(std::string_view content = {}) : file_(memfd_create("heddle", MFD_CLOEXEC)) {
    while (!content.empty()) {
      const ssize_t written = write(file_, content.data(), content.size());
      if (written < 0 && errno != EINTR)
        return;
      content.remove_prefix(size_t(std::max<ssize_t>(written, 0)));
    }
    lseek(file_, 0, SEEK_SET);
  }
  MemoryFile(const MemoryFile &) = delete;
  MemoryFile &operator=(const MemoryFile &) = delete;
  ~MemoryFile() { close(file_); }
  int descriptor() const { return file_; }

  std::string content() const {
    struct stat status = {};
    fstat(file_, &status);
    std::string text(size_t(status.st_size), 0);
    size_t done = 0;
    while (done < text.size()) {
      const ssize_t count = pread(file_, text.data() + done, text.size() - done, off_t(done));
      if (count > 0)
        done += size_t(count);
      else if (count == 0 || errno != EINTR)
        break;
    }
    text.resize(done);
    return text;
  }

private:
  int file_;
};

std::string compilerProgram() {
  return (installRoot() / "libexec" / "heddle" / "heddle-rtc").string();
}

Message failure(const std::string &why) {
  Message answer;
  answer.add("status", "failed");
  answer.add("log", why + "\n");
  return answer;
}

Message cancellation() {
  Message answer;
  answer.add("status", "cancelled");
  return answer;
}

using Cancel = std::function<bool()>;

// Waits for the child to end; false if it was stopped because of `is_cancelled`.
bool waitFor(pid_t child, int &status, const Cancel &is_cancelled) {
  constexpr timespec pause = {.tv_sec = 0, .tv_nsec = 2'000'000};
  bool stopped = false;
  // A program that ignores SIGCHLD gets no status, but has waited: ECHILD ends the loop.
  for (;;) {
    const pid_t ended = waitpid(child, &status, is_cancelled && !stopped ? WNOHANG : 0);
    if (ended > 0 || (ended < 0 && errno != EINTR))
      return !stopped;
    if (ended < 0 || !is_cancelled)
      continue;
    if (is_cancelled()) {
      kill(child, SIGKILL);
      stopped = true;
    } else {
      nanosleep(&pause, nullptr);
    }
  }
}

Message runCompiler(const std::string &request, const Cancel &is_cancelled) {
  const MemoryFile input(request), output, errors;
  const std::string program = compilerProgram();
  char *arguments[] = {const_cast<char *>(program.c_str()), nullptr};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input.descriptor(), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output.descriptor(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, errors.descriptor(), STDERR_FILENO);
  pid_t child = 0;
  const int refused = posix_spawn(&child, arguments[0], &actions, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (refused)
    return failure("cannot start " + program);
  int status = 0;
  if (!waitFor(child, status, is_cancelled))
    return cancellation();
  auto answer = unpack(output.content());
  const std::string log = errors.content();
  if (!answer)
    return failure(log + "internal error: the compiler ended" +
                   (WIFSIGNALED(status) ? fmt::format(" by signal {}", WTERMSIG(status)) : ""));
  answer->add("log", log);
  return *answer;
}

// What tells whether a file has changed; empty if it is not there.
std::string stampOf(const std::string &file) {
  struct stat status = {};
  if (stat(file.c_str(), &status) != 0)
    return "";
  return fmt::format("{} {} {}.{}", status.st_ino, status.st_size, status.st_mtim.tv_sec,
                     status.st_mtim.tv_nsec);
}

bool isCurrent(const Message &answer) {
  const std::vector<std::string> files = answer.all("file"), stamps = answer.all("stamp");
  for (size_t i = 0; i < files.size(); ++i)
    if (i >= stamps.size() || stampOf(files[i]) != stamps[i])
      return false;
  return true;
}

// The answers of this process, up to a sum of bytes; then it begins anew.
class Memory {
public:
  std::optional<Message> find(const std::string &key) {
    const std::lock_guard lock(mutex_);
    const auto found = answers_.find(key);
    return found == answers_.end() ? std::nullopt : std::optional(found->second);
  }
  void keep(const std::string &key, const Message &answer) {
    constexpr size_t limit = 64 << 20;
    size_t bytes = 0;
    for (const auto &[name, value] : answer.fields)
      bytes += name.size() + value.size();
    const std::lock_guard lock(mutex_);
    if (bytes_ + bytes > limit) {
      answers_.clear();
      bytes_ = 0;
    }
    if (answers_.insert_or_assign(key, answer).second)
      bytes_ += bytes;
  }

private:
  std::mutex mutex_;
  std::unordered_map<std::string, Message> answers_;
  size_t bytes_ = 0;
};

Memory &memory() {
  static auto &kept = *new Memory;
  return kept;
}

} // namespace

Message ask(const Message &request, const std::function<bool()> &is_cancelled) {
  if (is_cancelled && is_cancelled())
    return cancellation();
  const std::string bytes = pack(request), program = compilerProgram();
  // Relative names of headers depend on the folder.
  char folder[4096];
  const char *here = getcwd(folder, sizeof folder);
  const std::string key = engine::cacheKey(
      bytes, "rtc", fmt::format("{} {} {}", program, stampOf(program), here ? here : ""));
  if (auto known = memory().find(key); known && isCurrent(*known))
    return *known;
  if (auto kept = engine::readFromCache(key))
    if (auto answer = unpack(*kept); answer && isCurrent(*answer)) {
      memory().keep(key, *answer);
      return *answer;
    }
  Message answer = runCompiler(bytes, is_cancelled);
  if (answer.first("status") != "good")
    return answer;
  for (const std::string &file : answer.all("file"))
    answer.add("stamp", stampOf(file));
  engine::writeToCache(key, pack(answer));
  memory().keep(key, answer);
  return answer;
}

} // namespace heddle::rtc
