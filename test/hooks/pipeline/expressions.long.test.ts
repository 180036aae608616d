// No regular expression on the way of a tool call takes time that grows faster than its text: `/x+$/` looks at a run of x once
// from each of its bytes. Every one is taken from the source and tried on runs that end in what it does not want.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";

const SRC = join(import.meta.dirname, "..", "..", "..", "src");
const FOLDERS = [
  "core/shell",
  "core/secrets",
  "core/step",
  "hooks/builtins",
  "hooks/handlers",
  "hooks/match",
  "hooks/pipeline",
  "hooks/resident",
  "hooks/virtual",
  "agents/steps",
];

/** What they are given is short, and so bounds their time. */
const BOUNDED: readonly string[] = [
  // Of one program's text, cut at 20,000 characters, and looks at most so far.
  String.raw`s([^\w\s\\])[^\n]{0,500}?\1[^\n]{0,500}?\1[gpiIM0-9]{0,9}e(?:$|[\s;}])`,
  // The 500 characters behind a program's name.
  "[\"'`]?\\s*[)\\]};]|\\n",
  // The 60 characters before a call.
  String.raw`[\w$.]*$`,
  String.raw`([A-Za-z_]\w*)$`,
  // A line of our own table.
  String.raw`\[([^\]]+)\]|(.)`,
];

interface Expression {
  readonly at: string;
  readonly source: string;
  readonly flags: string;
}

function listExpressions(): Expression[] {
  const found: Expression[] = [];
  for (const folder of FOLDERS)
    for (const name of readdirSync(join(SRC, folder), { recursive: true, encoding: "utf8" })) {
      if (!name.endsWith(".ts")) continue;
      const at = join(folder, name);
      const text = readFileSync(join(SRC, at), "utf8");
      const visit = (node: ts.Node): void => {
        if (ts.isRegularExpressionLiteral(node)) {
          const end = node.text.lastIndexOf("/");
          const flags = node.text.slice(end + 1).replace("y", "");
          found.push({ at, source: node.text.slice(1, end), flags });
        }
        ts.forEachChild(node, visit);
      };
      visit(ts.createSourceFile(at, text, ts.ScriptTarget.Latest, true));
    }
  return found;
}

const PIECES = [
  ...["a", "A", "7", "/", " ", "\t", "\n", ".", "-", "=", "_", ":", "@", "*", "\\", "'", '"', "`"],
  ...["$", "(", ")", "[", "]", "{", "}", ",", "<", ">", "|", "&", ";", "#", "%", "~", "!", "+"],
  ...["?", "a=", "./", "a/", "/*", "a.", "a-", "a:", "a ", "-a ", "a=b ", "http://", "$(", "x"],
];
const ENDS = ["", "a", "!", "\n\u0001", "'"];

/** Words that stand in it, without which its costly part may never be reached. */
const literalsOf = (source: string): string[] => [
  ...new Set(source.match(/[A-Za-z]+/g)?.slice(0, 4) ?? []),
];

const fill = (head: string, piece: string, size: number): string =>
  (head + piece.repeat(Math.ceil(size / piece.length))).slice(0, size);

const SMALL = 4_000;
const LARGE = 16_000;
/** What takes less is not worth a second look. */
const NOISE_MS = 3;
/** Linear is four times as much, quadratic sixteen. */
const MAX_GROWTH = 8;
const MIN_LATE_MS = 15;

function measure({ source, flags }: Expression, text: string): number {
  const expression = new RegExp(source, flags);
  const before = process.cpuUsage();
  if (expression.global) text.replace(expression, "");
  else expression.test(text);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

function findLateText(expression: Expression): string | null {
  const words = literalsOf(expression.source);
  for (const piece of [...PIECES, ...words])
    for (const head of ["", ...words])
      for (const end of ENDS) {
        if (measure(expression, fill(head, piece, SMALL) + end) < NOISE_MS) continue;
        const small = measure(expression, fill(head, piece, SMALL) + end);
        const large = measure(expression, fill(head, piece, LARGE) + end);
        if (large > MIN_LATE_MS && large > small * MAX_GROWTH)
          return JSON.stringify([head, piece, end]);
      }
  return null;
}

test("the time of every expression grows no faster than its text", { timeout: 1_200_000 }, () => {
  const expressions = listExpressions();
  expect(expressions.length).toBeGreaterThan(500);
  const late = expressions.flatMap((expression) => {
    if (BOUNDED.includes(expression.source)) return [];
    const text = findLateText(expression);
    return text === null ? [] : [`${expression.at} /${expression.source}/: ${text}`];
  });
  expect(late).toEqual([]);
});
