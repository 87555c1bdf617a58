// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A handler may do next to nothing, and the thread that it interrupts may hold any lock. So it only
// wakes a thread that waits for it, and the program goes on until that one has written.
#include "profile/interruption.h"

#include "profile/recorder.h"

#include <cerrno>
#include <csignal>
#include <semaphore.h>
#include <thread>
#include <unistd.h>

namespace heddle::profile {
namespace {

sem_t interrupted;
volatile sig_atomic_t which = 0;
pid_t process = 0;

void onSignal(int signal) {
  const int error = errno;
  if (getpid() == process) {
    which = signal;
    sem_post(&interrupted);
  } else { // a process that this one has forked: the thread is not there
    raise(signal);
  }
  errno = error;
}

void waitAndWrite(Recorder &recorder) {
  while (sem_wait(&interrupted) != 0)
    ;
  recorder.write(Recorder::Moment::Interrupted);
  // As if it had ended the program at once.
  std::signal(which, SIG_DFL);
  kill(process, which);
}

} // namespace

void writeWhenInterrupted(Recorder &recorder) {
  process = getpid();
  sem_init(&interrupted, 0, 0);
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before); // signals are for the program's threads
  std::thread(waitAndWrite, std::ref(recorder)).detach();
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  for (const int signal : {SIGINT, SIGTERM}) {
    struct sigaction old = {};
    if (sigaction(signal, nullptr, &old) != 0 || old.sa_handler != SIG_DFL)
      continue; // ignored, as by nohup
    struct sigaction action = {};
    action.sa_handler = onSignal;
    action.sa_flags = SA_RESTART | int(SA_RESETHAND);
    sigaction(signal, &action, nullptr);
  }
}

} // namespace heddle::profile
