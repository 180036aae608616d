// Reads a page of documentation as a script: files to write, commands to type, what they must print.
import { readFileSync } from "node:fs";

export type Step =
  | {
      readonly kind: "file";
      readonly path: string;
      readonly content: string;
      readonly line: number;
    }
  | {
      readonly kind: "command";
      readonly typed: string;
      readonly printed: string;
      readonly line: number;
    };

const FENCE = /^```(\w*)(?: (\S+))?$/;

/** A `console` block holds commands behind `$ ` and what they print; a block with a path after its language is a file. */
export function readSteps(page: string): Step[] {
  const lines = readFileSync(page, "utf8").split("\n");
  const steps: Step[] = [];
  for (let at = 0; at < lines.length; at++) {
    const fence = FENCE.exec(lines[at] ?? "");
    if (fence === null) continue;
    const end = lines.indexOf("```", at + 1);
    if (end < 0) throw new Error(`${page}:${at + 1}: the block does not end`);
    const body = lines.slice(at + 1, end);
    const [, language, path] = fence;
    if (path !== undefined)
      steps.push({ kind: "file", path, content: `${body.join("\n")}\n`, line: at + 1 });
    else if (language === "console") steps.push(...readCommands(body, at + 2));
    at = end;
  }
  return steps;
}

function readCommands(body: readonly string[], firstLine: number): Step[] {
  const steps: { kind: "command"; typed: string; printed: string; line: number }[] = [];
  for (const [offset, line] of body.entries()) {
    const last = steps.at(-1);
    if (line.startsWith("$ "))
      steps.push({ kind: "command", typed: line.slice(2), printed: "", line: firstLine + offset });
    else if (last === undefined)
      throw new Error(`line ${firstLine + offset}: output without a command before it`);
    else last.printed += `${line}\n`;
  }
  return steps;
}

/** `…` stands for anything within a line, a line of its own for any number of lines. */
export function matchesPrinted(expected: string, actual: string): boolean {
  const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const pattern = expected
    .trimEnd()
    .split("\n")
    .map((line) =>
      line.trim() === "…" ? "(?:.*\\n)*?" : `${line.split("…").map(literal).join(".*")}\\s*\\n`,
    )
    .join("");
  return new RegExp(`^${pattern}$`).test(`${actual.trimEnd()}\n`);
}
