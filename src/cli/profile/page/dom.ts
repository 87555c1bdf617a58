// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements, and numbers as people read them.

type Child = Node | string | null | undefined | false;
type Attributes = Record<string, string | number | boolean | ((event: never) => void)>;

function fill(element: Element, attributes: Attributes, children: Child[]): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value as unknown as EventListener);
    else if (value !== false) element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children) if (child) element.append(child);
}

/** An element of HTML; attributes that begin with "on" are listeners. */
export function h<K extends keyof HTMLElementTagNameMap>(
  name: K, attributes: Attributes = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(name);
  fill(element, attributes, children);
  return element;
}

/** An element of SVG. */
export function s<K extends keyof SVGElementTagNameMap>(
  name: K, attributes: Attributes = {}, ...children: Child[]): SVGElementTagNameMap[K] {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  fill(element, attributes, children);
  return element;
}

const thin = "\u202f";

/** 12345678 → 12 345 678; fractions with two decimals. */
export function number(value: number): string {
  const text = Number.isInteger(value) ? value.toFixed(0) : value.toFixed(2);
  const [whole = "", fraction] = text.split(".");
  const grouped = whole.length > 4 ? whole.replace(/\B(?=(\d{3})+$)/g, thin) : whole;
  return fraction ? `${grouped}.${fraction}` : grouped;
}

/** 12345678 → 12.3 M; what has four digits stays as it is. */
export function short(value: number): string {
  const units = ["", "k", "M", "G", "T", "P"];
  let unit = 0;
  if (Math.abs(value) >= 10000)
    for (; Math.abs(value) >= 1000 && unit + 1 < units.length; ++unit) value /= 1000;
  if (!unit) return number(value);
  return `${String(Number(value.toPrecision(3)))}${thin}${units[unit]}`;
}

export function time(nanoseconds: number): string {
  if (nanoseconds < 1e3) return `${nanoseconds.toFixed(nanoseconds < 10 && !Number.isInteger(nanoseconds) ? 2 : 0)} ns`;
  if (nanoseconds < 1e6) return `${(nanoseconds / 1e3).toPrecision(3)} µs`;
  if (nanoseconds < 1e9) return `${(nanoseconds / 1e6).toPrecision(3)} ms`;
  return `${(nanoseconds / 1e9).toPrecision(4)} s`;
}

export function bytes(value: number): string {
  return value < 10000 ? `${number(value)} B` : `${short(value)}B`;
}

export const percent = (part: number, whole: number): string =>
  whole ? `${((100 * part) / whole).toFixed(part === whole || part === 0 ? 0 : 1)} %` : "0 %";

export const size = (dimensions: number[]): string =>
  dimensions.slice(0, dimensions[2] !== 1 ? 3 : dimensions[1] !== 1 ? 2 : 1).join(" × ");

export const plural = (count: number, one: string): string => `${number(count)} ${one}${count === 1 ? "" : "s"}`;

/** The last part of a path. */
export const fileName = (path: string): string => path.split("/").pop() ?? path;

export function table(head: string[], rows: Child[][], caption: string): HTMLTableElement {
  return h("table", {}, h("caption", {}, caption),
    h("thead", {}, h("tr", {}, ...head.map((text) => h("th", { scope: "col" }, text)))),
    h("tbody", {}, ...rows.map((row) => h("tr", {}, ...row.map((cell) => h("td", {}, cell))))));
}
