// Intervals as pictures: a dot with its whiskers on a common scale, as plain SVG.
import { escapeHtml } from "../../agents/transcript/html-escape.ts";
import type { RunSummary } from "../summary/run-summary.ts";

const LABEL = 190;
const PLOT = 460;
const ROW = 30;
const TOP = 22;

interface Mark {
  readonly label: string;
  readonly value: number;
  readonly low: number;
  readonly high: number;
  readonly isQuiet: boolean;
}

interface Scale {
  readonly from: number;
  readonly to: number;
  readonly ticks: readonly number[];
  readonly unit: string;
}

/** Pass rates with their 95 % intervals. */
export function plotRates({ agents }: RunSummary): string {
  const marks = agents.flatMap(({ agentId, passRate, interval }) =>
    passRate === null || interval === null
      ? []
      : [{ label: agentId, value: passRate, ...interval, isQuiet: false }],
  );
  return plot(marks, { from: 0, to: 1, ticks: [0, 0.25, 0.5, 0.75, 1], unit: " %" });
}

/** Differences between agents; those that were not shown are pale. */
export function plotDifferences({ comparisons }: RunSummary): string {
  const marks = comparisons.map(({ left, right, difference, interval, verdict }) => ({
    label: `${left} − ${right}`,
    value: difference,
    ...interval,
    isQuiet: verdict === "no difference shown",
  }));
  return plot(marks, { from: -1, to: 1, ticks: [-1, -0.5, 0, 0.5, 1], unit: "" });
}

function plot(marks: readonly Mark[], scale: Scale): string {
  if (marks.length === 0) return "";
  const height = TOP + ROW * marks.length;
  const x = (value: number): string =>
    (LABEL + ((value - scale.from) / (scale.to - scale.from)) * PLOT).toFixed(1);
  const ticks = scale.ticks.map(
    (tick) =>
      `<line class="grid" x1="${x(tick)}" x2="${x(tick)}" y1="${TOP - 6}" y2="${height}"/><text class="tick" x="${x(tick)}" y="12">${Math.round(tick * 100)}${scale.unit}</text>`,
  );
  const rows = marks.map(({ label, value, low, high, isQuiet }, at) => {
    const y = TOP + ROW * at + ROW / 2;
    const said = `${label}: ${Math.round(value * 100)}, 95 % ${Math.round(low * 100)} to ${Math.round(high * 100)}`;
    return `<g class="${isQuiet ? "mark pale" : "mark"}"><title>${escapeHtml(said)}</title><text class="label" x="${LABEL - 14}" y="${y + 4}">${escapeHtml(shorten(label))}</text><line x1="${x(low)}" x2="${x(high)}" y1="${y}" y2="${y}"/><circle cx="${x(value)}" cy="${y}" r="5"/></g>`;
  });
  return `<div class="scroll card"><svg class="plot" role="img" viewBox="0 0 ${LABEL + PLOT + 30} ${height}" width="${LABEL + PLOT + 30}" height="${height}">${ticks.join("")}${rows.join("")}</svg></div>`;
}

const shorten = (label: string): string => (label.length <= 26 ? label : `${label.slice(0, 25)}…`);
