// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profile/annotations.h"

namespace heddle::profile {
namespace {

using engine::observe::Annotation;
using engine::observe::AnnotationKind;

Event eventOf(const Annotation &annotation, const char *kind, uint32_t thread, uint64_t now) {
  Event event;
  event.kind = kind;
  event.name = annotation.text;
  event.domain = annotation.domain;
  event.category = annotation.category;
  event.payload = annotation.payload;
  event.color = annotation.color;
  event.track = thread;
  event.begin = event.end = now;
  return event;
}

} // namespace

std::optional<Event> Annotations::take(const Annotation &annotation, uint32_t thread,
                                       uint64_t now) {
  std::optional<Event> ended;
  switch (annotation.kind) {
  case AnnotationKind::Push: {
    std::vector<Event> &stack = pushed_[{thread, annotation.domain}];
    Event event = eventOf(annotation, "range", thread, now);
    event.level = uint32_t(stack.size());
    stack.push_back(std::move(event));
    break;
  }
  case AnnotationKind::Pop:
    if (std::vector<Event> &stack = pushed_[{thread, annotation.domain}]; !stack.empty()) {
      ended = std::move(stack.back());
      stack.pop_back();
    }
    break;
  case AnnotationKind::Start:
    started_[annotation.id] = eventOf(annotation, "started_range", thread, now);
    break;
  case AnnotationKind::End:
    if (auto found = started_.extract(annotation.id))
      ended = std::move(found.mapped());
    break;
  case AnnotationKind::Mark:
    ended = eventOf(annotation, "mark", thread, now);
    break;
  default: // names
    break;
  }
  if (ended)
    ended->end = now;
  return ended;
}

std::vector<Event> Annotations::open(uint64_t now) const {
  std::vector<Event> result;
  for (const auto &[where, stack] : pushed_)
    result.insert(result.end(), stack.begin(), stack.end());
  for (const auto &[id, event] : started_)
    result.push_back(event);
  for (Event &event : result)
    event.end = now;
  return result;
}

} // namespace heddle::profile
