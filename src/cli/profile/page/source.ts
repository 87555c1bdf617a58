// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel's source with heat and counters beside each line, and what is known of the line that is chosen.
import { histogramChart, visitsChart } from "./charts.js";
import { Access, Branch, Data, Item, Line, Metrics, costsOf, metric } from "./data.js";
import { fileName, h, number, plural, short } from "./dom.js";
import { requestPicture, spaceText } from "./lanes.js";

const sectors = (m: Metrics): number =>
  metric(m, "global_load_sectors") + metric(m, "global_store_sectors") + metric(m, "global_atomic_sectors");
const wasted = (m: Metrics): number => metric(m, "global_load_sectors") - metric(m, "global_load_ideal_sectors") +
  metric(m, "global_store_sectors") - metric(m, "global_store_ideal_sectors");
const idle = (m: Metrics): number => 32 * metric(m, "warp_instructions") - metric(m, "thread_instructions");

/** What may shade lines; the first is the one at the start. */
const heats: [string, string, (m: Metrics, cost: number) => number][] = [
  ["cost", "cost: instructions and passes of the memory system", (_, cost) => cost],
  ["instructions", "instructions by warps", (m) => metric(m, "warp_instructions")],
  ["sectors", "sectors of global memory", sectors],
  ["wasted", "sectors beyond those that would do", wasted],
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
    for (const name of ["requests", "threads", "units", "ideal", "unaligned", "same_address", "broadcasts", "lines"] as const)
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

function accessCard(access: Access): HTMLElement {
  const units = access.space === "shared" ? "wavefronts" : access.space === "constant" ? "words" : "sectors";
  const each = access.units / access.requests, ideal = access.ideal / access.requests;
  return h("article", { class: "card access" },
    h("h4", {}, `${spaceText(access)}${access.variable ? `: ${access.variable}` : ""}`),
    h("p", { class: "big" }, h("b", { class: access.units > access.ideal ? "bad" : "good" }, number(each)), ` ${each === 1 ? units.slice(0, -1) : units} a request, `,
      h("b", {}, number(ideal)), " would do"),
    h("p", { class: "small" }, `${plural(access.requests, "request")} by ${number(access.threads)} threads, ${plural(access.bytes, "byte")} each; ` +
      `${number(access.units)} ${units}` + (access.unaligned ? `; ${number(access.unaligned)} do not begin at a multiple of 32` : "") +
      (access.broadcasts ? `; ${plural(access.broadcasts, "broadcast")}` : "") +
      (access.kind === "atomic" ? `; ${number(access.same_address / access.requests)} threads share an address` : "")),
    requestPicture(access), Object.keys(access.histogram).length > 1 && histogramChart(access));
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

interface View {
  element: HTMLElement;
  choose: (file: string, line: number) => void;
}

/** `below`: what has its place below the source. */
export function sourceView(item: Item, data: Data, below: HTMLElement, chosen: (line: Line) => void): View {
  const costs = costsOf(item), rows = new Map<string, HTMLTableRowElement>(), lines = new Map<string, Line>();
  // Those with any number; instructions and lanes always.
  const columns = all_columns.filter(([, , value], i) => i < 2 || item.more.lines.some((line) => value(line.metrics)));
  const panel = h("aside", { class: "panel", "aria-live": "polite", "aria-label": "The chosen line" });
  const keyOf = (one: { file: string; line: number }): string => `${one.file}:${one.line}`;
  for (const line of item.more.lines) lines.set(keyOf(line), line);
  let current = "";
  const show = (key: string): void => {
    const line = lines.get(key);
    if (line) panel.replaceChildren(inspect(item, line, data));
  };
  const choose = (key: string, focus: boolean): void => {
    const row = rows.get(key), line = lines.get(key);
    if (!row || !line) return;
    const before = rows.get(current);
    before?.removeAttribute("aria-current");
    before?.setAttribute("tabindex", "-1");
    current = key;
    row.setAttribute("aria-current", "true");
    row.setAttribute("tabindex", "0");
    if (focus) row.focus();
    show(key);
    chosen(line);
  };
  const order = [...lines.keys()];
  const step = (by: number): void => choose(order[Math.min(Math.max(order.indexOf(current) + by, 0), order.length - 1)] ?? "", true);

  const heat = (index: number): void => {
    const [, , value] = heats[index] ?? heats[0]!;
    const values = new Map([...lines].map(([key, line]) => [key, value(line.metrics, costs.get(key) ?? 0)]));
    const most = Math.max(...values.values(), 0), sum = [...values.values()].reduce((a, b) => a + b, 0);
    for (const [key, row] of rows) {
      const share = most ? (values.get(key) ?? 0) / most : 0;
      row.style.setProperty("--heat", `${(100 * share).toFixed(1)}%`);
      const cell = row.querySelector(".share");
      if (cell) cell.textContent = share && sum ? `${((100 * (values.get(key) ?? 0)) / sum).toFixed(share > 0.0995 ? 0 : 1)}%` : "";
    }
  };

  const rowOf = (file: string, number_of_line: number, text: string): HTMLTableRowElement => {
    const key = `${file}:${number_of_line}`, line = lines.get(key);
    const row = h("tr", line ? { class: "counted", tabindex: "-1", "data-line": number_of_line } : {},
      h("td", { class: "share" }),
      ...columns.map(([, , value]) => {
        const count = line ? value(line.metrics) : 0;
        return h("td", count ? { title: number(count) } : {}, count ? short(count) : "");
      }),
      h("th", { class: "no", scope: "row" }, `${number_of_line}`), h("td", { class: "code" }, coloured(text)));
    if (line) {
      rows.set(key, row);
      row.addEventListener("click", () => choose(key, true));
      row.addEventListener("focus", () => current !== key && choose(key, false));
      row.addEventListener("mouseenter", () => show(key));
      row.addEventListener("mouseleave", () => show(current));
    }
    return row;
  };

  const files = [...new Set(item.more.lines.map((line) => line.file))];
  const tables = files.map((file) => {
    const numbers = item.more.lines.filter((line) => line.file === file).map((line) => line.line);
    const text = data.sources[file]?.split("\n");
    const body = h("tbody");
    const fillBody = (whole: boolean): void => {
      const context = 3;
      const first = whole ? 1 : Math.max(1, Math.min(...numbers) - context);
      const last = whole ? (text?.length ?? 0) : Math.min(text?.length ?? Math.max(...numbers), Math.max(...numbers) + context);
      const all: HTMLTableRowElement[] = [];
      for (let line = first; line <= last; ++line)
        if (text || numbers.includes(line)) all.push(rowOf(file, line, text?.[line - 1] ?? "(the source cannot be read)"));
      body.replaceChildren(...all);
    };
    fillBody(false);
    return h("div", { class: "scroll" }, h("table", { class: "source" },
      h("caption", {}, fileName(file), " ", text && h("label", {}, h("input", { type: "checkbox", onchange: (event: globalThis.Event) => {
        fillBody((event.target as HTMLInputElement).checked);
        heat(select.selectedIndex);
        choose(current, false);
      } }), " whole file")),
      h("thead", {}, h("tr", {}, h("th", { scope: "col", title: "of the kernel's, by what shades the lines" }, "Share"),
        ...columns.map(([name, what]) => h("th", { scope: "col", title: what }, name)), h("th", { scope: "col" }, "Line"), h("th", { scope: "col", class: "code" }, "Source"))),
      body));
  });
  const select = h("select", { onchange: () => heat(select.selectedIndex) },
    ...heats.map(([value, text]) => h("option", { value }, text)));
  heat(0);
  const element = h("div", { class: "split" },
    h("div", { class: "sources", onkeydown: (event: KeyboardEvent) => {
      const by = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -1e6, End: 1e6 }[event.key];
      if (!by || event.ctrlKey || event.metaKey || (event.target as Element).tagName !== "TR") return;
      event.preventDefault();
      step(by);
    } }, h("div", { class: "tools" }, h("label", {}, "Shade by ", select)), ...tables), panel, below);
  const worst = item.more.advice.find((one) => lines.has(keyOf(one)));
  const hottest = [...lines.keys()].sort((a, b) => (costs.get(b) ?? 0) - (costs.get(a) ?? 0))[0];
  choose(worst ? keyOf(worst) : (hottest ?? ""), false);
  return { element, choose: (file, line) => choose(`${file}:${line}`, true) };
}
