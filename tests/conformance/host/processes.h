// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two processes for tests of what processes share. fork() comes before the first CUDA call; each
// side has its own device state, and they talk through a socket.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

class Peer {
public:
  explicit Peer(int socket) : socket(socket) {}

  template <class T> void send(const T &value) const {
    if (write(socket, &value, sizeof value) != ssize_t(sizeof value))
      fail("the other process does not listen");
  }
  template <class T> T receive() const {
    T value;
    if (recv(socket, &value, sizeof value, MSG_WAITALL) != ssize_t(sizeof value))
      fail("the other process has ended");
    return value;
  }
  /// A place where both wait for each other.
  void meet() const {
    send('.');
    receive<char>();
  }
  void sendDescriptor(int descriptor) const {
    char byte = 0, control[CMSG_SPACE(sizeof(int))] = {};
    msghdr message = describe(&byte, control);
    cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    std::memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
    if (sendmsg(socket, &message, 0) != 1)
      fail("cannot send a descriptor");
  }
  int receiveDescriptor() const {
    char byte = 0, control[CMSG_SPACE(sizeof(int))] = {};
    msghdr message = describe(&byte, control);
    int descriptor = -1;
    if (recvmsg(socket, &message, 0) != 1 || !CMSG_FIRSTHDR(&message))
      fail("cannot receive a descriptor");
    std::memcpy(&descriptor, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof descriptor);
    return descriptor;
  }

private:
  int socket;

  [[noreturn]] static void fail(const char *what) {
    std::fprintf(stderr, "%s\n", what);
    std::exit(1);
  }
  template <size_t N> msghdr describe(char *byte, char (&control)[N]) const {
    static iovec one;
    one = {byte, 1};
    msghdr message = {};
    message.msg_iov = &one;
    message.msg_iovlen = 1;
    message.msg_control = control;
    message.msg_controllen = N;
    return message;
  }
};

/// Runs both functions, each in a process of its own; 0 if both return 0.
inline int inTwoProcesses(int (*first)(const Peer &), int (*second)(const Peer &)) {
  int sockets[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) != 0)
    return 1;
  const pid_t child = fork();
  if (child == 0) {
    close(sockets[0]);
    std::exit(second(Peer(sockets[1])));
  }
  close(sockets[1]);
  const int result = first(Peer(sockets[0]));
  close(sockets[0]);
  int status = 1;
  waitpid(child, &status, 0);
  return result || status;
}
