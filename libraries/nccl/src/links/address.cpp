// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which network interface ranks talk over (NCCL's user guide, "Environment Variables").
#include "failure.h"
#include "links/socket.h"

#include <arpa/inet.h>
#include <cstdlib>
#include <cstring>
#include <ifaddrs.h>
#include <memory>
#include <net/if.h>
#include <netdb.h>
#include <vector>

namespace heddle::nccl {
namespace {

std::string variable(const char *name) {
  const char *value = std::getenv(name);
  return value ? value : "";
}

bool startsWith(const char *text, const std::string &start) {
  return std::strncmp(text, start.c_str(), start.size()) == 0;
}

/// NCCL_SOCKET_IFNAME: prefixes of names separated by commas; "=" before them asks for whole names,
/// "^" for any others.
class Names {
public:
  explicit Names(std::string list) {
    if (exclude_ = list.starts_with('^'); exclude_)
      list.erase(0, 1);
    if (exact_ = list.starts_with('='); exact_)
      list.erase(0, 1);
    for (size_t start = 0; start < list.size();) {
      const size_t end = std::min(list.find(',', start), list.size());
      if (end > start)
        names_.push_back(list.substr(start, end - start));
      start = end + 1;
    }
  }
  bool chooses() const { return !names_.empty() && !exclude_; }
  bool accepts(const char *interface) const {
    bool listed = false;
    for (const std::string &name : names_)
      listed |= exact_ ? name == interface : startsWith(interface, name);
    return names_.empty() || listed != exclude_;
  }

private:
  std::vector<std::string> names_;
  bool exclude_, exact_;
};

/// How willingly an interface is taken: 0 is best.
int reluctance(const ifaddrs &interface) {
  if (interface.ifa_flags & IFF_LOOPBACK)
    return 2;
  return startsWith(interface.ifa_name, "docker") ? 1 : 0;
}

} // namespace

Address ownAddress() {
  const Names names(variable("NCCL_SOCKET_IFNAME"));
  const std::string family = variable("NCCL_SOCKET_FAMILY");
  ifaddrs *list = nullptr;
  if (getifaddrs(&list) != 0)
    fail(ncclSystemError, "cannot list the network interfaces");
  const std::unique_ptr<ifaddrs, decltype(&freeifaddrs)> owner(list, freeifaddrs);
  Address best;
  int best_order = 100;
  for (; list; list = list->ifa_next) {
    if (!list->ifa_addr || !(list->ifa_flags & IFF_UP) || !names.accepts(list->ifa_name))
      continue;
    const bool v4 = list->ifa_addr->sa_family == AF_INET;
    if ((!v4 && list->ifa_addr->sa_family != AF_INET6) || family == (v4 ? "AF_INET6" : "AF_INET"))
      continue;
    // IPv6 where there is no IPv4; addresses of one link last.
    const bool one_link =
        !v4 && IN6_IS_ADDR_LINKLOCAL(&reinterpret_cast<sockaddr_in6 *>(list->ifa_addr)->sin6_addr);
    const int order = (names.chooses() ? 0 : reluctance(*list) * 8) + one_link * 4 + !v4;
    if (order < best_order) {
      best_order = order;
      std::memcpy(&best.any, list->ifa_addr, v4 ? sizeof best.v4 : sizeof best.v6);
    }
  }
  if (best_order == 100)
    fail(ncclSystemError, "no network interface is up that NCCL_SOCKET_IFNAME and "
                          "NCCL_SOCKET_FAMILY allow");
  best.v4.sin_port = 0; // at the same place in both kinds
  return best;
}

Address parseAddress(const std::string &text) {
  const size_t colon = text.rfind(':');
  if (colon == std::string::npos)
    fail(ncclInvalidArgument, "NCCL_COMM_ID is not of the form host:port");
  std::string host = text.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']'))
    host = host.substr(1, host.size() - 2);
  addrinfo hints{}, *found = nullptr;
  hints.ai_socktype = SOCK_STREAM;
  if (getaddrinfo(host.c_str(), text.c_str() + colon + 1, &hints, &found) != 0 || !found)
    fail(ncclInvalidArgument, "NCCL_COMM_ID names an unknown host or port");
  Address address;
  std::memcpy(&address.any, found->ai_addr, std::min<size_t>(found->ai_addrlen, sizeof address.v6));
  freeaddrinfo(found);
  return address;
}

std::string textOf(const Address &address) {
  char host[INET6_ADDRSTRLEN] = "?";
  const bool v4 = address.any.sa_family == AF_INET;
  inet_ntop(address.any.sa_family,
            v4 ? static_cast<const void *>(&address.v4.sin_addr) : &address.v6.sin6_addr, host,
            sizeof host);
  const std::string name = v4 ? std::string(host) : "[" + std::string(host) + "]";
  return name + ":" + std::to_string(ntohs(address.v4.sin_port));
}

} // namespace heddle::nccl
