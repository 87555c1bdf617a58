// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A picture of one request: the words that a warp's 32 threads ask for. Rows are lines of 128 bytes;
// their columns are the four sectors of device memory, or the 32 banks of shared memory.
import { Access } from "./data.js";
import { h, number, plural, s } from "./dom.js";

const word = 4, words_of_line = 32, words_of_sector = 8, most_rows = 40;
const cell = 12, gap = 3, top = 15;

interface Touched {
  lanes: number[];
}

/** Word number → the lanes that touch it. */
function wordsOf(access: Access): Map<number, Touched> {
  const words = new Map<number, Touched>();
  access.sample.offsets.forEach((offset, lane) => {
    if (offset === null) return;
    // A word of a thread's own memory lies in one line for all threads of the warp.
    const first = access.space === "local" ? Math.floor(offset / word) * words_of_line + lane : Math.floor(offset / word);
    const step = access.space === "local" ? words_of_line : 1;
    for (let i = 0; i < Math.max(1, access.bytes / word); ++i) {
      const touched = words.get(first + i * step);
      if (touched) touched.lanes.push(lane);
      else words.set(first + i * step, { lanes: [lane] });
    }
  });
  return words;
}

const unitOf = (access: Access): string =>
  access.space === "shared" ? "wavefront" : access.space === "constant" ? "word" : "sector";

export const spaceText = (access: Access): string =>
  access.space === "texture" ? "fetch from a texture"
    : `${access.kind} ${access.kind === "load" ? "from" : access.kind === "store" ? "to" : "in"} ` +
      (access.space === "surface" ? "a surface" : `${access.space} memory`);

export function sentence(access: Access): string {
  const taking = access.sample.offsets.filter((offset) => offset !== null).length;
  return `${plural(taking, "thread")} of a warp ` +
    `${taking === 1 ? "asks" : "ask"} for ${plural(access.bytes, "byte")} each: ${plural(access.sample.units, unitOf(access))}`;
}

const laneList = (lanes: number[]): string =>
  lanes.length > 6 ? `${lanes.length} lanes, ${lanes[0]} to ${lanes[lanes.length - 1]}`
    : `lane${lanes.length > 1 ? "s" : ""} ${lanes.join(", ")}`;

const columnAt = (left: number, column: number, banks: boolean): number =>
  left + column * cell + (banks ? 0 : Math.floor(column / words_of_sector) * gap);

function head(left: number, banks: boolean): SVGElement[] {
  const labels: SVGElement[] = [];
  for (let i = 0; i < words_of_line; i += banks ? 4 : words_of_sector)
    labels.push(s("text", { class: "axis", x: columnAt(left, i, banks) + (banks ? cell / 2 : 0), y: top - 5, ...(banks ? { "text-anchor": "middle" } : {}) },
      banks ? `${i}` : `sector ${i / words_of_sector}`));
  return labels;
}

function drawRow(left: number, row: number, y: number, words: Map<number, Touched>, banks: boolean, crowded: Set<number>): SVGElement {
  const group = s("g");
  group.append(s("text", { class: "axis", x: left - 6, y: y + cell - 3, "text-anchor": "end" }, `+${number(row * words_of_line * word)}`));
  for (let column = 0; column < words_of_line; ++column) {
    const touched = words.get(row * words_of_line + column);
    const sector = row * words_of_line + Math.floor(column / words_of_sector) * words_of_sector;
    const moved = !banks && Array.from({ length: words_of_sector }, (_, i) => sector + i).some((one) => words.has(one));
    const kind = touched ? (banks && crowded.has(column) ? "hit crowded" : "hit") : moved ? "moved" : "untouched";
    const box = s("rect", { class: kind, x: columnAt(left, column, banks), y, width: cell - 1, height: cell - 1, rx: 1.5 });
    if (touched)
      box.append(s("title", {}, `${laneList(touched.lanes)}: +${number((row * words_of_line + column) * word)}` + (banks ? `, bank ${column}` : "")));
    group.append(box);
    if (touched)
      group.append(s("text", { class: "lane", x: columnAt(left, column, banks) + (cell - 1) / 2, y: y + cell - 4, "text-anchor": "middle" },
        touched.lanes.length > 1 ? `×${touched.lanes.length}` : `${touched.lanes[0]}`));
  }
  return group;
}

/** The picture with its caption and, in words, a list of addresses. */
export function requestPicture(access: Access): HTMLElement {
  const words = wordsOf(access);
  const banks = access.space === "shared";
  const rows = [...new Set([...words.keys()].map((one) => Math.floor(one / words_of_line)))].sort((a, b) => a - b);
  // Banks that have to give more than one word.
  const of_bank = new Map<number, number>();
  for (const one of words.keys()) of_bank.set(one % words_of_line, (of_bank.get(one % words_of_line) ?? 0) + 1);
  const crowded = new Set([...of_bank].filter(([, count]) => count > 1).map(([bank]) => bank));
  const shown = rows.slice(0, most_rows);
  const left = 14 + 6 * number((shown[shown.length - 1] ?? 0) * words_of_line * word).length; // room for the offsets
  let y = top, before = shown[0] ?? 0;
  const drawn: SVGElement[] = head(left, banks);
  for (const row of shown) {
    if (row > before + 1) y += gap + 1;
    drawn.push(drawRow(left, row, y, words, banks, crowded));
    before = row;
    y += cell;
  }
  const width = columnAt(left, words_of_line - 1, banks) + cell + 2;
  const what = sentence(access);
  const picture = s("svg", { class: "request", viewBox: `0 0 ${width} ${y + 4}`, width, height: y + 4, role: "img",
    "aria-label": `${what}. ${banks ? "Columns are banks." : "Each row is a line of 128 bytes with four sectors."}` }, ...drawn);
  const list = access.sample.offsets.map((offset, lane) => (offset === null ? "" : `${lane}: +${offset}`)).filter(Boolean).join("  ");
  const legend = banks ? (crowded.size ? `${plural(crowded.size, "bank")} must give more than one word` : "no two words share a bank")
    : access.space === "global" && drawn.some((one) => one.querySelector(".moved")) ? "tinted: moved, but not asked for" : "";
  return h("figure", { class: "picture" }, h("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "addresses of one request" }, picture),
    h("figcaption", {}, `${access.units > access.ideal ? "The worst request" : "A request"}: ${what}. ${legend ? `(${legend})` : ""}`,
      rows.length > most_rows && ` ${rows.length - most_rows} more lines are not drawn.`),
    h("details", {}, h("summary", {}, "Addresses by lane"), h("p", { class: "addresses" }, list)));
}
