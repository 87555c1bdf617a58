// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A profile in Chrome's trace event format, which ui.perfetto.dev reads, too.
#include "cli/profile/report.h"

#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>

namespace heddle::cli {
namespace {

using nlohmann::json;
using profile::Event;
using profile::Profile;

// "Processes" of the trace: the program's threads, its NVTX ranges, the streams of each device.
constexpr int host = 1, notes = 2, first_device = 3;

double micros(uint64_t nanoseconds) { return double(nanoseconds) / 1000; }

// Numbers of tracks of ranges and marks: one for each thread and domain.
class NoteTracks {
public:
  explicit NoteTracks(const Profile &profile) {
    for (const Event &event : profile.events)
      if (event.isNote())
        numbers_[{event.track, event.domain}];
    int next = 0;
    for (auto &[track, number] : numbers_)
      number = next++;
  }
  int of(const Event &event) const { return numbers_.at({event.track, event.domain}); }
  const std::map<std::pair<uint32_t, std::string>, int> &all() const { return numbers_; }

private:
  std::map<std::pair<uint32_t, std::string>, int> numbers_;
};

json eventOf(const Event &event, const char *phase, uint64_t at, int process, int64_t track) {
  return {{"name", event.name}, {"cat", event.kind}, {"ph", phase},
          {"ts", micros(at)},   {"pid", process},    {"tid", track}};
}

json detailsOf(const Event &event) {
  json details = json::object();
  for (const auto &[name, value] :
       {std::pair("domain", event.domain), std::pair("category", event.category),
        std::pair("payload", event.payload)})
    if (!value.empty())
      details[name] = value;
  if (event.color)
    details["color"] = fmt::format("#{:06x}", event.color & 0xffffff);
  return details;
}

// Pushed ranges nest on their track; started ones may overlap, which asynchronous events may, too.
void addNote(json &events, const Event &event, int track) {
  if (event.kind == "started_range") {
    const size_t id = events.size();
    for (const auto &[phase, at] : {std::pair("b", event.begin), std::pair("e", event.end)}) {
      json one = eventOf(event, phase, at, notes, track);
      one.update({{"id", id}, {"args", detailsOf(event)}});
      events.push_back(std::move(one));
    }
    return;
  }
  const bool mark = event.kind == "mark";
  json one = eventOf(event, mark ? "i" : "X", event.begin, notes, track);
  one["args"] = detailsOf(event);
  if (mark)
    one["s"] = "t";
  else
    one["dur"] = micros(event.end - event.begin);
  events.push_back(std::move(one));
}

void addWork(json &events, const Event &event) {
  const bool api = event.kind == "api";
  const int process = api ? host : first_device + event.device;
  json one = eventOf(event, "X", event.begin, process, event.track);
  one.update({{"dur", micros(event.end - event.begin)}, {"args", {{"call", event.call}}}});
  if (event.bytes)
    one["args"]["bytes"] = event.bytes;
  if (event.kind == "kernel")
    one["args"].update({{"grid", event.grid}, {"block", event.block}});
  events.push_back(std::move(one));
  // An arrow from the call to what it has asked for.
  if (event.call)
    events.push_back({{"name", "launch"},
                      {"cat", "flow"},
                      {"ph", api ? "s" : "f"},
                      {"bp", "e"},
                      {"id", event.call},
                      {"ts", micros(event.begin)},
                      {"pid", process},
                      {"tid", event.track}});
}

json nameOf(const char *what, int process, int64_t track, const std::string &name) {
  return {
      {"name", what}, {"ph", "M"}, {"pid", process}, {"tid", track}, {"args", {{"name", name}}}};
}

void addNames(json &events, const Profile &profile, const NoteTracks &tracks) {
  std::map<uint32_t, std::string> threads;
  std::set<int> devices = {0};
  for (const Event &event : profile.events)
    devices.insert(event.device);
  events.push_back(nameOf("process_name", host, 0, "host threads"));
  for (const int device : devices)
    events.push_back(nameOf("process_name", first_device + device, 0,
                            fmt::format("streams of device {}", device)));
  for (const profile::TrackName &name : profile.names) {
    if (!name.stream)
      threads[name.track] = name.name;
    for (const int device : devices)
      if (name.stream || device == 0)
        events.push_back(nameOf("thread_name", name.stream ? first_device + device : host,
                                name.track, name.name));
  }
  if (!tracks.all().empty())
    events.push_back(nameOf("process_name", notes, 0, "NVTX"));
  for (const auto &[track, number] : tracks.all()) {
    const auto named = threads.find(track.first);
    std::string name =
        named == threads.end() ? fmt::format("thread {}", track.first) : named->second;
    if (!track.second.empty())
      name += ": " + track.second;
    events.push_back(nameOf("thread_name", notes, number, name));
  }
}

} // namespace

void writeTrace(const std::string &path, const Profile &profile) {
  json events = json::array();
  const NoteTracks tracks(profile);
  for (const Event &event : profile.events)
    if (event.isNote())
      addNote(events, event, tracks.of(event));
    else
      addWork(events, event);
  addNames(events, profile, tracks);
  std::ofstream file(path);
  file << json{{"traceEvents", events}, {"displayTimeUnit", "ns"}}.dump(
      -1, ' ', false, json::error_handler_t::replace);
  if (!file.flush())
    throw std::runtime_error(fmt::format("cannot write {}: {}", path, std::strerror(errno)));
}

} // namespace heddle::cli
