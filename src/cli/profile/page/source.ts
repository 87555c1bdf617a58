// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel's source with heat and counters beside each line, and what is known of the line that is chosen.
import { histogramChart, visitsChart } from "./charts.js";
import { Access, Branch, Data, Item, Line, Metrics, costsOf, metric } from "./data.js";
import { bytes, fileName, h, number, plural, short } from "./dom.js";
import { requestPicture, spaceText } from "./lanes.js";

const sectors = (m: Metrics): number =>
  metric(m, "global_load_sectors") + metric(m, "global_store_sectors") + metric(m, "global_atomic_sectors");
const texture = (m: Metrics): number =>
  metric(m, "texture_sectors") + metric(m, "surface_load_sectors") + metric(m, "surface_store_sectors");
const wasted = (m: Metrics): number => metric(m, "global_load_sectors") - metric(m, "global_load_ideal_sectors") +
  metric(m, "global_store_sectors") - metric(m, "global_store_ideal_sectors");
const idle = (m: Metrics): number => metric(m, "thread_instructions") * (100 / (metric(m, "warp_execution_efficiency") || 100) - 1);

/** What may shade lines; the first is the one at the start. */
const heats: [string, string, (m: Metrics, cost: number) => number][] = [
  ["cost", "cost: instructions and passes of the memory system", (_, cost) => cost],
  ["instructions", "instructions by warps", (m) => metric(m, "warp_instructions")],
  ["sectors", "sectors of global memory", sectors],
  ["wasted", "sectors beyond those that would do", wasted],
  ["texture", "sectors of textures and surfaces", texture],
  ["memory", "bytes read from memory (with --caches)", (m) => metric(m, "dram_read_bytes")],
  ["conflicts", "bank conflicts", (m) => metric(m, "bank_conflicts")],
  ["divergence", "divergent branches", (m) => metric(m, "divergent_branches")],
  ["idle", "idle lanes", idle],
];
const all_columns: [string, string, (m: Metrics) => number][] = [
  ["Instr.", "instructions by warps", (m) => metric(m, "warp_instructions")],
  ["Lanes", "active lanes of an instruction, on average", (m) => metric(m, "active_lanes")],
  ["Sectors", "sectors of global memory", sectors],
  ["Conflicts", "bank conflicts", (m) => metric(m, "bank_conflicts")],
  ["Diverge", "branches that diverge", (m) => metric(m, "divergent_branches")],
  ["Texture", "sectors of textures and surfaces", texture],
  ["L1 hit %", "sectors that were in the L1 cache, as a model", (m) => metric(m, "l1_hit_rate")],
  ["L2 hit %", "of the others, those that were in the L2 cache, as a model", (m) => metric(m, "l2_hit_rate")],
  ["DRAM", "bytes read from memory, as a model of the caches", (m) => metric(m, "dram_read_bytes")],
];

const tokens = /(\/\/.*$|\/\*.*?\*\/)|("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|(^\s*#\s*\w+)|\b(__\w+__|if|else|for|while|do|return|switch|case|break|continue|const|constexpr|static|inline|template|typename|class|struct|using|namespace|void|int|float|double|bool|char|unsigned|signed|short|long|size_t|auto|true|false|nullptr|extern|u?int(?:8|16|32|64)_t)\b|\b(\d[\w.]*|0x[\da-fA-F]+)\b|\b(threadIdx|blockIdx|blockDim|gridDim)\b/g;
const token_names = ["comment", "string", "macro", "word", "digits", "builtin"];

function coloured(text: string): Node {
  const result = document.createDocumentFragment();
  let at = 0;
  for (const match of text.matchAll(tokens)) {
    result.append(text.slice(at, match.index));
    result.append(h("span", { class: token_names[match.slice(1).findIndex((part) => part !== undefined)] ?? "" }, match[0]));
    at = match.index + match[0].length;
  }
  result.append(text.slice(at));
  return result;
}

/** Accesses of one kind, which the compiler may have made copies of, as one with the worst sample. */
function mergedAccesses(accesses: Access[]): Access[] {
  const result = new Map<string, Access>();
  for (const one of accesses) {
    const key = [one.kind, one.space, one.bytes, one.variable].join(" ");
    const known = result.get(key);
    if (!known) {
      result.set(key, { ...one, histogram: { ...one.histogram } });
      continue;
    }
    for (const name of ["requests", "threads", "units", "ideal", "unaligned", "same_address", "broadcasts", "lines", "texel_bytes",
      "l1_sectors", "l1_hits", "l2_sectors", "l2_hits", "dram_sectors"] as const)
      known[name] += one[name];
    for (const [units, requests] of Object.entries(one.histogram)) known.histogram[units] = (known.histogram[units] ?? 0) + requests;
    if (one.sample.units > known.sample.units) known.sample = one.sample;
  }
  return [...result.values()].sort((a, b) => b.units - b.ideal - (a.units - a.ideal));
}

function mergedBranches(branches: Branch[]): Branch[] {
  const result = new Map<number, Branch>();
  for (const one of branches) {
    const known = result.get(one.place.column);
    if (!known) result.set(one.place.column, { ...one });
    else for (const name of ["visits", "threads", "divergent", "warps_diverging"] as const) known[name] += one[name];
  }
  return [...result.values()];
}

/** Where the texture unit finds texels is another matter than where they lie for the program. */
const ofTexture = (access: Access): boolean => access.space === "texture" || access.space === "surface";
const bytesEach = (access: Access): number => (ofTexture(access) ? access.texel_bytes / access.threads : access.bytes);

/** What became of its sectors, if caches are modelled. */
function cachesText(access: Access): string {
  const rate = (hits: number, all: number, where: string): string => `${number(Math.round((1000 * hits) / all) / 10)} % of ${number(all)} in ${where}`;
  return `hits, as a model: ${rate(access.l1_hits, access.l1_sectors, "L1")}` +
    (access.l2_sectors ? `, ${rate(access.l2_hits, access.l2_sectors, "L2")}` : "") + `; ${bytes(32 * access.dram_sectors)} read from memory`;
}

function accessCard(access: Access): HTMLElement {
  const units = access.space === "shared" ? "wavefronts" : access.space === "constant" ? "words" : "sectors";
  const each = access.units / access.requests, ideal = access.ideal / access.requests;
  return h("article", { class: "card access" },
    h("h4", {}, `${spaceText(access)}${access.variable ? `: ${access.variable}` : ""}`),
    h("p", { class: "big" }, h("b", { class: access.units > access.ideal ? "bad" : "good" }, number(each)), ` ${each === 1 ? units.slice(0, -1) : units} a request, `,
      h("b", {}, number(ideal)), " would do"),
    h("p", { class: "small" }, `${plural(access.requests, "request")} by ${number(access.threads)} threads, ${plural(bytesEach(access), "byte")} each; ` +
      `${number(access.units)} ${units}` + (access.unaligned ? `; ${number(access.unaligned)} do not begin at a multiple of 32` : "") +
      (access.broadcasts ? `; ${plural(access.broadcasts, "broadcast")}` : "") +
      (access.kind === "atomic" ? `; ${number(access.same_address / access.requests)} threads share an address` : "")),
    access.l1_sectors > 0 && h("p", { class: "small caches" }, cachesText(access)),
    !ofTexture(access) && requestPicture(access), Object.keys(access.histogram).length > 1 && histogramChart(access));
}

function branchCard(branch: Branch): HTMLElement {
  return h("article", { class: "card branch" }, h("h4", {}, "branch"),
    h("p", { class: "big" }, h("b", { class: branch.divergent ? "bad" : "good" }, number(branch.divergent)), ` of ${plural(branch.visits, "visit")} ${branch.divergent === 1 ? "diverges" : "diverge"}`),
    h("p", { class: "small" }, `${plural(branch.warps_diverging, "warp")} diverge here at least once`),
    branch.divergent_by_visit.length > 0 && visitsChart(branch));
}

/** All that is known of a line. */
function inspect(item: Item, line: Line, data: Data): HTMLElement {
  const here = (place: { file: string; line: number }): boolean => place.file === line.file && place.line === line.line;
  const known = data.metrics.filter((one) => metric(line.metrics, one.name) && !/_efficiency$|^warps_|^threads_/.test(one.name));
  const advice = item.more.advice.filter((one) => here(one));
  return h("div", { class: "inspect" },
    h("h3", {}, `${fileName(line.file)}:${line.line}`),
    ...advice.map((one) => h("p", { class: "advice" }, `${one.text}. `, h("span", { class: "remedy" }, `${one.remedy}.`))),
    ...mergedAccesses(item.kernel.accesses.filter((one) => here(one.place))).map(accessCard),
    ...mergedBranches(item.kernel.branches.filter((one) => here(one.place))).map(branchCard),
    h("details", { class: "counters" }, h("summary", {}, `All ${known.length} counters`),
      h("table", {}, h("tbody", {}, ...known.map((one) => h("tr", { title: one.what }, h("th", { scope: "row" }, one.name),
        h("td", {}, `${number(metric(line.metrics, one.name))}${one.unit === "%" ? " %" : ""}`)))))));
}

const keyOf = (one: { file: string; line: number }): string => `${one.file}:${one.line}`;

/** The tables of a kernel's lines, and the panel that tells of one of them. */
export class SourceView {
  readonly element: HTMLElement;
  private readonly costs: Map<string, number>;
  private readonly rows = new Map<string, HTMLTableRowElement>();
  private readonly lines = new Map<string, Line>();
  private readonly columns: typeof all_columns;
  private readonly panel = h("aside", { class: "panel", "aria-live": "polite", "aria-label": "The chosen line" });
  private readonly shade = h("select", { onchange: () => this.heat() }, ...heats.map(([value, text]) => h("option", { value }, text)));
  private current = "";

  /** `below`: what has its place below the source; `chosen` is told of each choice. */
  constructor(private readonly item: Item, private readonly data: Data, below: HTMLElement, private readonly chosen: (line: Line) => void) {
    this.costs = costsOf(item);
    for (const line of item.more.lines) this.lines.set(keyOf(line), line);
    // Those with any number; instructions and lanes always.
    this.columns = all_columns.filter(([, , value], i) => i < 2 || item.more.lines.some((line) => value(line.metrics)));
    const files = [...new Set(item.more.lines.map((line) => line.file))];
    this.element = h("div", { class: "split" },
      h("div", { class: "sources", onkeydown: (event: KeyboardEvent) => this.press(event) },
        h("div", { class: "tools" }, h("label", {}, "Shade by ", this.shade)), ...files.map((file) => this.table(file))),
      this.panel, below);
    this.heat();
    const worst = item.more.advice.find((one) => this.lines.has(keyOf(one)));
    const hottest = [...this.lines.keys()].sort((a, b) => this.cost(b) - this.cost(a))[0];
    this.choose(worst ? keyOf(worst) : (hottest ?? ""), false);
  }

  chooseLine(file: string, line: number): void {
    this.choose(keyOf({ file, line }), true);
  }

  private cost(key: string): number {
    return this.costs.get(key) ?? 0;
  }

  private show(key: string): void {
    const line = this.lines.get(key);
    if (line) this.panel.replaceChildren(inspect(this.item, line, this.data));
  }

  private choose(key: string, focus: boolean): void {
    const row = this.rows.get(key), line = this.lines.get(key);
    if (!row || !line) return;
    const before = this.rows.get(this.current);
    before?.removeAttribute("aria-current");
    before?.setAttribute("tabindex", "-1");
    this.current = key;
    row.setAttribute("aria-current", "true");
    row.setAttribute("tabindex", "0");
    if (focus) row.focus();
    this.show(key);
    this.chosen(line);
  }

  private press(event: KeyboardEvent): void {
    const by = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -1e6, End: 1e6 }[event.key];
    if (!by || event.ctrlKey || event.metaKey || (event.target as Element).tagName !== "TR") return;
    event.preventDefault();
    const order = [...this.lines.keys()], next = order.indexOf(this.current) + by;
    this.choose(order[Math.min(Math.max(next, 0), order.length - 1)] ?? "", true);
  }

  /** Shades lines by what is selected. */
  private heat(): void {
    const [, , value] = heats[this.shade.selectedIndex] ?? heats[0]!;
    const values = new Map([...this.lines].map(([key, line]) => [key, value(line.metrics, this.cost(key))]));
    const most = Math.max(...values.values(), 0), sum = [...values.values()].reduce((a, b) => a + b, 0);
    for (const [key, row] of this.rows) {
      const here = values.get(key) ?? 0, share = most ? here / most : 0;
      row.style.setProperty("--heat", `${(100 * share).toFixed(1)}%`);
      const cell = row.querySelector(".share");
      if (cell) cell.textContent = here && sum ? `${((100 * here) / sum).toFixed(share > 0.0995 ? 0 : 1)}%` : "";
    }
  }

  private row(file: string, line_number: number, text: string): HTMLTableRowElement {
    const key = keyOf({ file, line: line_number }), line = this.lines.get(key);
    const row = h("tr", line ? { class: "counted", tabindex: "-1", "data-line": line_number } : {},
      h("td", { class: "share" }),
      ...this.columns.map(([, , value]) => {
        const count = line ? value(line.metrics) : 0;
        return h("td", count ? { title: number(count) } : {}, count ? short(count) : "");
      }),
      h("th", { class: "no", scope: "row" }, `${line_number}`), h("td", { class: "code" }, coloured(text)));
    if (!line) return row;
    this.rows.set(key, row);
    row.addEventListener("click", () => this.choose(key, true));
    row.addEventListener("focus", () => this.current !== key && this.choose(key, false));
    row.addEventListener("mouseenter", () => this.show(key));
    row.addEventListener("mouseleave", () => this.show(this.current));
    return row;
  }

  /** The rows of a file: the whole of it, or what lies around lines with counters. */
  private body(file: string, whole: boolean): HTMLTableRowElement[] {
    const context = 3, text = this.data.sources[file]?.split("\n");
    const numbers = this.item.more.lines.filter((line) => line.file === file).map((line) => line.line);
    const most = text?.length ?? Math.max(...numbers);
    const first = whole ? 1 : Math.max(1, Math.min(...numbers) - context);
    const last = whole ? most : Math.min(most, Math.max(...numbers) + context);
    const all: HTMLTableRowElement[] = [];
    for (let line = first; line <= last; ++line)
      if (text || numbers.includes(line)) all.push(this.row(file, line, text?.[line - 1] ?? "(the source cannot be read)"));
    return all;
  }

  private table(file: string): HTMLElement {
    const body = h("tbody", {}, ...this.body(file, false));
    const whole = h("input", { type: "checkbox", onchange: () => {
      body.replaceChildren(...this.body(file, whole.checked));
      this.heat();
      this.choose(this.current, false);
    } });
    return h("div", { class: "scroll" }, h("table", { class: "source" },
      h("caption", {}, fileName(file), " ", file in this.data.sources && h("label", {}, whole, " whole file")),
      h("thead", {}, h("tr", {}, h("th", { scope: "col", title: "of the kernel's, by what shades the lines" }, "Share"),
        ...this.columns.map(([name, what]) => h("th", { scope: "col", title: what }, name)), h("th", { scope: "col" }, "Line"),
        h("th", { scope: "col", class: "code" }, "Source"))),
      body));
  }
}
