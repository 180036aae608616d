// An agent is one folder and one line in the roster: no other file of the source names one.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { AGENTS } from "../../src/agents/roster.ts";

const SOURCE = join(import.meta.dirname, "..", "..", "src");

interface Exemption {
  readonly why: string;
  readonly files: RegExp;
  /** Only lines like this. */
  readonly lines: RegExp;
}

const EXEMPTIONS: readonly Exemption[] = [
  {
    why: "the wire formats that the scripted model speaks",
    files: /^sim\/(?:gemini|reply|wire)\.ts$/,
    lines: /gemini/i,
  },
  {
    why: "hook scripts that speak `protocol: claude-code`",
    files: /^hooks\/(?:handlers\/\w+|match\/rule|pipeline\/schema)\.ts$/,
    lines: /claude/i,
  },
  {
    why: "importers know the agents of the formats they read",
    files: /^bench\/import\//,
    lines: /claude-code|codex|copilot/,
  },
  {
    why: "names of models and of who serves them",
    files: /^(?:markdown\/body\/assemble|agents\/log\/(?:compose-log|otel-spans))\.ts$/,
    lines: /claude-|gemini|qwen3/,
  },
  {
    why: "examples of what to type, and prose for a person",
    files: /commands\/|^setup\/tour\//,
    lines: /\badj [a-z]|agents\.codex\.path|Claude Code/,
  },
  {
    why: "plain text of any program may say so in its first line",
    files: /^agents\/run\/output\/plain\.ts$/,
    lines: /claude code \(\?:cli \)\?v/,
  },
  {
    why: "programs whose words are prose, among `echo` and `say`: what a prompt speaks of is not run",
    files: /^core\/shell\/wrappers\/unwrap-text\.ts$/,
    lines: /claude codex gemini|opencode cursor-agent/,
  },
];

const OF_AGENTS = new RegExp(
  `^agents/(?:roster\\.ts$|(?:${AGENTS.map(({ name }) => name).join("|")})/)`,
);

/** What no other agent and no other thing is called: those of the agents with a program of their own. */
const WORDS = AGENTS.filter(({ hooks }) => hooks !== undefined).flatMap((agent) => [
  agent.name,
  ...agent.aliases,
  ...agent.marks,
  ...agent.homeVariables,
  `.${agent.aliases[0] ?? agent.name}/`,
]);
const NAMED = new RegExp(WORDS.map((word) => word.replaceAll(".", "\\.")).join("|"), "i");

const printer = ts.createPrinter({ removeComments: true });

/** Comments may say on which agent something was seen. */
const linesOf = (file: string): string[] =>
  printer
    .printFile(
      ts.createSourceFile(file, readFileSync(join(SOURCE, file), "utf8"), ts.ScriptTarget.Latest),
    )
    .split("\n");

const MENTIONS = readdirSync(SOURCE, { recursive: true, encoding: "utf8" })
  .filter((file) => /\.tsx?$/.test(file) && !OF_AGENTS.test(file))
  // To read a file without its comments takes its time, and most name none at all.
  .filter((file) => NAMED.test(readFileSync(join(SOURCE, file), "utf8")))
  .flatMap((file) =>
    linesOf(file)
      .filter((line) => NAMED.test(line))
      .map((line) => ({ file, line: line.trim() })),
  );

const isExempt = ({ file, line }: (typeof MENTIONS)[number], { files, lines }: Exemption) =>
  files.test(file) && lines.test(line);

test("no file outside an agent's folder names an agent", () => {
  const named = MENTIONS.filter((mention) => !EXEMPTIONS.some((one) => isExempt(mention, one)));
  expect(named).toEqual([]);
});

test.each(EXEMPTIONS)("an exemption is used: $why", (exemption) => {
  expect(MENTIONS.some((mention) => isExempt(mention, exemption))).toBe(true);
});
