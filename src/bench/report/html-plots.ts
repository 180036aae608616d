// Intervals as pictures: a dot with its whiskers on a common scale, in plain HTML that fits any width.
import { escapeHtml } from "../../agents/transcript/html-escape.ts";
import type { Spread } from "../statistics/spread.ts";
import type { AgentSummary, RunSummary } from "../summary/run-summary.ts";
import { points, seconds } from "./figures-text.ts";

interface Mark {
  readonly label: string;
  readonly value: number;
  readonly low: number;
  readonly high: number;
  readonly isQuiet: boolean;
}

interface Scale {
  readonly caption: string;
  readonly ticks: readonly number[];
  say(value: number): string;
}

/** Pass rates with their 95 % intervals. */
export function plotRates({ agents }: RunSummary): string {
  const marks = agents.flatMap(({ agentId, passRate, interval }) =>
    passRate === null || interval === null
      ? []
      : [{ label: agentId, value: passRate, ...interval, isQuiet: false }],
  );
  return plot(marks, {
    caption: "Pass rate with its 95 % interval",
    ticks: [0, 0.25, 0.5, 0.75, 1],
    say: (value) => `${Math.round(value * 100)} %`,
  });
}

/** Differences between agents; those that were not shown are pale. */
export function plotDifferences({ comparisons }: RunSummary): string {
  const marks = comparisons.map(({ left, right, difference, interval, verdict }) => ({
    label: `${left} − ${right}`,
    value: difference,
    ...interval,
    isQuiet: verdict === "no difference shown",
  }));
  return plot(marks, {
    caption:
      "Difference of the pass rates in points, with its 95 % interval; pale where none was shown",
    ticks: [-1, -0.5, 0, 0.5, 1],
    say: points,
  });
}

export const plotTimes = ({ agents }: RunSummary): string =>
  plotSpreads(agents, {
    caption: "Time of the agent: median and middle half",
    spreadOf: ({ agentMs }) => agentMs,
    say: seconds,
  });

export const plotCosts = ({ agents }: RunSummary): string =>
  plotSpreads(agents, {
    caption: "Cost: median and middle half",
    spreadOf: ({ costUsd }) => costUsd,
    say: (value) => `$${Number(value.toPrecision(3))}`,
  });

interface SpreadPlot {
  readonly caption: string;
  spreadOf(agent: AgentSummary): Spread | null;
  say(value: number): string;
}

function plotSpreads(
  agents: readonly AgentSummary[],
  { caption, spreadOf, say }: SpreadPlot,
): string {
  const marks = agents.flatMap((agent) => {
    const spread = spreadOf(agent);
    if (spread === null) return [];
    const { median, low, high } = spread;
    return [{ label: agent.agentId, value: median, low, high, isQuiet: false }];
  });
  const top = niceTop(Math.max(...marks.map(({ high }) => high)));
  if (top === null) return "";
  return plot(marks, { caption, ticks: [0, top / 4, top / 2, (top / 4) * 3, top], say });
}

/** The next of 1, 2, 4, 8 times a power of ten, so that its quarters are round; null where all is nothing. */
function niceTop(most: number): number | null {
  if (!Number.isFinite(most) || most <= 0) return null;
  const power = 10 ** Math.floor(Math.log10(most));
  return power * ([1, 2, 4, 8].find((factor) => most <= factor * power) ?? 10);
}

function plot(marks: readonly Mark[], { caption, ticks, say }: Scale): string {
  const [from, to] = [ticks[0], ticks.at(-1)];
  if (marks.length === 0 || from === undefined || to === undefined) return "";
  const at = (value: number): string => `${(((value - from) / (to - from)) * 100).toFixed(2)}%`;
  const labels = ticks.map((tick) => `<span style="left:${at(tick)}">${say(tick)}</span>`);
  const lines = ticks.map((tick) => `<i class="tick" style="left:${at(tick)}"></i>`).join("");
  const rows = marks.map(({ label, value, low, high, isQuiet }) => {
    const said = `${label}: ${say(value)}, ${say(low)} to ${say(high)}`;
    const whisker = `<i class="whisker" style="left:${at(low)};right:calc(100% - ${at(high)})"></i>`;
    const dot = `<i class="dot" style="left:${at(value)}"></i>`;
    return `<div class="${isQuiet ? "mark pale" : "mark"}" title="${escapeHtml(said)}"><span>${escapeHtml(label)}</span><div class="track">${lines}${whisker}${dot}</div></div>`;
  });
  const scale = `<div class="mark"><span></span><div class="scale">${labels.join("")}</div></div>`;
  return `<figure class="plot card"><figcaption>${escapeHtml(caption)}</figcaption>${rows.join("")}${scale}</figure>`;
}
