// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Host threads and streams as tracks: what ran when. Keys: + and -, ← and →.
import { Data, Event, shortName } from "./data.js";
import { bytes, h, plural, s, size, time } from "./dom.js";

const width = 1000, row = 22, left = 108, plot = width - left - 8;

interface Track {
  name: string;
  events: Event[];
  of_stream: boolean;
}

const isNote = (event: Event): boolean => event.kind === "range" || event.kind === "started_range" || event.kind === "mark";

// NVTX ranges lie one below the other, as they nest.
function trackName(data: Data, event: Event, of_many: boolean): string {
  const of_stream = event.kind !== "api" && !isNote(event);
  const given = data.profile.names?.find((one) => one.track === event.track && (one.kind === "stream") === of_stream)?.name;
  if (of_stream) return `${of_many ? `GPU ${event.device ?? 0} ` : ""}${given ?? `Stream ${event.track}`}`;
  const thread = given ?? `Thread ${event.track}`;
  return isNote(event) ? `${thread} NVTX${event.kind === "started_range" ? " +" : event.level ? ` ${event.level + 1}` : ""}` : thread;
}

function tracksOf(data: Data, events: Event[]): Track[] {
  const tracks = new Map<string, Track>();
  const devices = new Set(events.map((event) => event.device ?? 0)).size;
  for (const event of events) {
    const name = trackName(data, event, devices > 1);
    const track = tracks.get(name);
    if (track) track.events.push(event);
    else tracks.set(name, { name, events: [event], of_stream: event.kind !== "api" && !isNote(event) });
  }
  const result = [...tracks.values()];
  for (const track of result) track.events.sort((a, b) => a.begin - b.begin);
  return result.sort((a, b) => Number(a.of_stream) - Number(b.of_stream) || a.name.localeCompare(b.name));
}

function eventText(event: Event): string {
  const name = event.kind === "copy" ? `copy ${event.name}` : event.kind === "fill" ? "memset" : event.kind === "kernel" ? shortName(event.name) : event.name;
  return `${name}: ${time(event.end - event.begin)} from ${time(event.begin)} on` + (event.bytes ? `, ${bytes(event.bytes)}` : "") +
    (event.pageable ? ", pageable" : "") + (event.domain ? `, domain ${event.domain}` : "") + (event.category ? `, category ${event.category}` : "") +
    (event.payload ? `, payload ${event.payload}` : "") + (event.kind === "kernel" && event.grid && event.block ? `, grid ${size(event.grid)}, block ${size(event.block)}` : "");
}

/** Neighbours of one kind that a screen could not tell apart become one. */
function drawn(events: Event[], from: number, to: number): { first: Event; begin: number; end: number; count: number }[] {
  const pixel = (to - from) / plot, result: { first: Event; begin: number; end: number; count: number }[] = [];
  for (const event of events) {
    if (event.end < from || event.begin > to) continue;
    const last = result[result.length - 1];
    if (last && last.first.kind === event.kind && event.begin - last.end < pixel && (event.end - event.begin < pixel || last.end - last.begin < pixel)) {
      last.end = Math.max(last.end, event.end);
      ++last.count;
    } else {
      result.push({ first: event, begin: event.begin, end: event.end, count: 1 });
    }
  }
  return result;
}

function ticks(from: number, to: number): number[] {
  const rough = (to - from) / 6, power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((one) => one * power).find((one) => one >= rough) ?? rough;
  const result: number[] = [];
  for (let at = Math.ceil(from / step) * step; at <= to; at += step) result.push(at);
  return result;
}

export function timeline(data: Data): HTMLElement | null {
  const events = data.profile.events;
  if (!events.length) return null;
  const tracks = tracksOf(data, events);
  const begin = Math.min(...events.map((event) => event.begin)), end = Math.max(...events.map((event) => event.end), begin + 1);
  let from = begin, to = end;
  const height = tracks.length * row + 24;
  const picture = s("svg", { class: "timeline", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "" });
  const draw = (): void => {
    const x = (at: number): number => left + (plot * (Math.min(Math.max(at, from), to) - from)) / (to - from);
    const parts: SVGElement[] = ticks(from, to).map((at) => s("g", {}, s("line", { class: "tick", x1: x(at), x2: x(at), y1: 0, y2: height - 18 }),
      s("text", { class: "axis", x: x(at), y: height - 5, "text-anchor": "middle" }, time(at))));
    tracks.forEach((track, i) => {
      const y = i * row + 3;
      parts.push(s("text", { class: "track", x: left - 10, y: y + 13, "text-anchor": "end" }, track.name));
      for (const one of drawn(track.events, from, to)) {
        const wide = Math.max(1, x(one.end) - x(one.begin));
        const title = one.count > 1 ? `${one.count} × ${one.first.kind}, ${time(one.end - one.begin)}` : eventText(one.first);
        const box = s("rect", { class: `event ${one.first.kind}`, x: x(one.begin), y, width: wide, height: row - 6, rx: 1.5 }, s("title", {}, title));
        parts.push(box);
        const name = one.first.kind === "kernel" ? shortName(one.first.name) : one.first.name;
        if (one.count === 1 && wide > name.length * 6.2 + 8)
          parts.push(s("text", { class: "event", x: x(one.begin) + 4, y: y + 12 }, name));
      }
    });
    picture.replaceChildren(...parts);
    picture.setAttribute("aria-label", `Timeline from ${time(from)} to ${time(to)}: ` +
      tracks.map((track) => `${track.name}, ${plural(track.events.length, "event")}`).join("; "));
  };
  const move = (zoom: number, shift: number): void => {
    const span = Math.min((to - from) * zoom, end - begin), middle = (from + to) / 2 + shift * (to - from);
    from = Math.min(Math.max(middle - span / 2, begin), end - span);
    to = from + span;
    draw();
  };
  const button = (text: string, name: string, zoom: number, shift: number): HTMLElement =>
    h("button", { type: "button", "aria-label": name, title: name, onclick: () => move(zoom, shift) }, text);
  draw();
  const keys: Record<string, [number, number]> = { "+": [0.5, 0], "=": [0.5, 0], "-": [2, 0], ArrowLeft: [1, -0.2], ArrowRight: [1, 0.2] };
  const frame = h("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "Timeline; + and - zoom, arrows move",
    onkeydown: (event: KeyboardEvent) => {
      const key = keys[event.key];
      if (!key || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      move(...key);
    } }, picture);
  return h("section", { id: "timeline" }, h("h2", {}, "Timeline"),
    h("div", { class: "tools" }, button("−", "zoom out", 2, 0), button("+", "zoom in", 0.5, 0), button("←", "earlier", 1, -0.2), button("→", "later", 1, 0.2),
      h("span", { class: "key api" }, "calls"), h("span", { class: "key kernel" }, "kernels"), h("span", { class: "key copy" }, "copies"), h("span", { class: "key fill" }, "memset"),
      events.some(isNote) && h("span", { class: "key range" }, "NVTX")),
    frame, h("p", { class: "note" }, "Times are this computer's, while counting; they are no GPU's.",
      data.profile.events_left_out > 0 && ` ${plural(data.profile.events_left_out, "later event")} are not shown.`));
}
