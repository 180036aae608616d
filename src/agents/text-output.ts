// Plain-text output, understood as far as it goes: what old versions, `--output-format text` and any
// other program print. The whole text is the answer; figures are read only from lines that name them.
import { capText, MESSAGE_LIMIT } from "./cap-text.ts";
import { answerDelta, initEvent, type LogEvent, NO_EVENTS } from "./log-event.ts";
import { UNKNOWN_USAGE, type UsageFigures } from "./usage.ts";

const MODEL = /^\s*(?:using )?model:\s*(\S.*?)\s*$/i;
const VERSION = /\bclaude code v(\d+\.\d+[\w.-]*)|^\s*(\d+\.\d+\.\d+[\w.-]*) \(claude code\)/i;
const TOKENS = /\b(input|output)[ _]tokens?:\s*([\d][\d,_]*)/gi;
const TOOL = /^\s*\[tool:\s*([\w.:-]+)\s*\]\s*(.*)$/i;

export interface TextReader {
  readLine(line: string): readonly LogEvent[];
  finish(): readonly LogEvent[];
}

/** Reads clean lines. Every line is also an answer delta, so that text streams like any answer. */
export function createTextReader(): TextReader {
  let tools = 0;
  let length = 0;
  let usage: UsageFigures = UNKNOWN_USAGE;

  function readFacts(line: string): LogEvent[] {
    const events: LogEvent[] = [];
    const model = MODEL.exec(line)?.[1];
    const version = VERSION.exec(line);
    if (model !== undefined) events.push(initEvent({ model }));
    if (version !== null)
      events.push(initEvent({ agentVersion: version[1] ?? version[2] ?? null }));
    for (const match of line.matchAll(TOKENS)) usage = { ...usage, ...readTokens(match) };
    return events;
  }

  return {
    readLine(line) {
      const tool = TOOL.exec(line);
      if (tool !== null) return [describeTool(tool, ++tools)];
      const isFirst = length === 0;
      length += line.length + 1;
      return [...readFacts(line), answerDelta(isFirst ? line : `\n${line}`)];
    },
    finish() {
      if (usage === UNKNOWN_USAGE) return NO_EVENTS;
      return [{ kind: "usage", figures: usage, costUsd: null, scope: "run", at: null }];
    },
  };
}

function readTokens([, side = "", written = ""]: RegExpExecArray): Partial<UsageFigures> {
  const count = Number(written.replace(/[,_]/g, ""));
  return side.toLowerCase() === "input" ? { input: count } : { output: count };
}

const describeTool = ([, name = "", written = ""]: RegExpExecArray, number: number): LogEvent => ({
  kind: "tool_call",
  id: `text-${number}`,
  name,
  arguments: capText(written.trim(), MESSAGE_LIMIT),
  at: null,
});
