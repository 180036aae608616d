// Intervals as pictures: a dot with its whiskers on a common scale, in plain HTML that fits any width.
import { escapeHtml } from "../../agents/transcript/html-escape.ts";
import type { RunSummary } from "../summary/run-summary.ts";

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

const round = (value: number): number => Math.round(value * 100);

function plot(marks: readonly Mark[], scale: Scale): string {
  if (marks.length === 0) return "";
  const at = (value: number): string =>
    `${(((value - scale.from) / (scale.to - scale.from)) * 100).toFixed(2)}%`;
  const ticks = scale.ticks.map(
    (tick) => `<span style="left:${at(tick)}">${round(tick)}${scale.unit}</span>`,
  );
  const lines = scale.ticks.map((tick) => `<i class="tick" style="left:${at(tick)}"></i>`).join("");
  const rows = marks.map(({ label, value, low, high, isQuiet }) => {
    const said = `${label}: ${round(value)}, 95 % ${round(low)} to ${round(high)}`;
    const right = `calc(100% - ${at(high)})`;
    const whisker = `<i class="whisker" style="left:${at(low)};right:${right}"></i>`;
    const dot = `<i class="dot" style="left:${at(value)}"></i>`;
    return `<div class="${isQuiet ? "mark pale" : "mark"}" title="${escapeHtml(said)}"><span>${escapeHtml(label)}</span><div class="track">${lines}${whisker}${dot}</div></div>`;
  });
  return `<div class="plot card"><div class="mark"><span></span><div class="scale">${ticks.join("")}</div></div>${rows.join("")}</div>`;
}
