import { describe, expect, test } from "vitest";
import type { CommandSummary } from "../../../src/core/command/definition.ts";
import { decideVirtual, spellOut } from "../../../src/hooks/virtual/answer.ts";
import { describeCommands } from "../../../src/hooks/virtual/shims.ts";
import { hookAgentOf } from "../../support/agents.ts";

const summary = (name: string, fields: Partial<CommandSummary> = {}): CommandSummary => ({
  name,
  description: "does something",
  version: "0.0.0",
  effect: "read",
  safety: "read_only",
  aliases: [],
  category: null,
  argumentHint: null,
  examples: [],
  timeoutMs: null,
  env: [],
  inheritEnv: false,
  holdLeaseWhileAsking: false,
  critical: false,
  person: false,
  agents: false,
  schema: null,
  ...fields,
});

const HARMLESS = { words: ["adj-x"], command: summary("x") };
const MUTATING = { words: ["adj-x"], command: summary("x", { safety: "mutating" }) };
const WRITING = { words: ["adj-x"], command: summary("x", { effect: "write" }) };
const BROKEN = { words: ["adj-x"], command: null };
const OPEN = { words: ["adj-x"], command: summary("x", { takesAnyWords: true }) };
const OPEN_WORDS = { ...OPEN, words: ["adj-x", "--output=a"] };
const BOUND_WORDS = { ...HARMLESS, words: ["adj-x", "--output=a"] };
const PIPED = { words: null, command: summary("x") };

describe("what becomes of a line", () => {
  test.each([
    ["claude-code", HARMLESS, "answered"],
    ["claude-code", MUTATING, "shim"],
    ["claude-code", WRITING, "shim"],
    ["claude-code", BROKEN, "shim"],
    ["claude-code", PIPED, "shim"],
    ["claude-code", OPEN, "answered"],
    ["claude-code", OPEN_WORDS, "shim"],
    ["claude-code", BOUND_WORDS, "answered"],
    ["opencode", PIPED, "shim"],
    ["gemini", HARMLESS, "answered"],
    ["gemini", PIPED, "prefixed"],
    ["copilot", MUTATING, "prefixed"],
    ["codex", HARMLESS, "answered"],
    ["codex", MUTATING, "denied-with-line"],
    ["codex", PIPED, "denied-with-line"],
    ["qwen", HARMLESS, "denied-with-output"],
    ["qwen", MUTATING, "denied-with-line"],
    ["qwen", OPEN_WORDS, "denied-with-line"],
  ] as const)("%s, %o: %s", (name, line, kind) => {
    const abilities = hookAgentOf(name).abilities;
    if (abilities === undefined) throw new Error(name);
    expect(decideVirtual({ ...line, abilities, permission: null })).toEqual({ kind });
  });

  test("nothing is run before a person is asked who is to be asked", () => {
    const abilities = hookAgentOf("claude-code").abilities;
    if (abilities === undefined) throw new Error("claude-code");
    expect(decideVirtual({ ...HARMLESS, abilities, permission: "ask" })).toEqual({ kind: "shim" });
  });
});

test.each([
  ["adj-x a | adj-y", "adj run x a | adj run y"],
  ["xargs adj-x; ./adj-x; /bin/adj-x", "xargs adj run x; ./adj-x; /bin/adj-x"],
  ["adj-xx adj-x-y adj-x", "adj-xx adj-x-y adj run x"],
  ["sh -c 'adj-x'; $(adj-y)", "sh -c 'adj run x'; $(adj run y)"],
])("%j is spelt out as %j", (line, spelt) => {
  expect(spellOut(line, { prefix: "adj-", names: ["x", "y"], adj: "adj" })).toBe(spelt);
});

describe("what an agent is told it can type", () => {
  test("is a line per command of its user and project, and none for the bundled", () => {
    const listed = [
      { summary: summary("help"), layer: "bundled" as const },
      { summary: summary("branch", { argumentHint: "[name]" }), layer: "project" as const },
    ];
    expect(describeCommands(listed, "adj-")?.split("\n").slice(1)).toEqual([
      "adj-branch [name] - does something",
    ]);
    expect(describeCommands(listed.slice(0, 1), "adj-")).toBeNull();
  });

  test("is never more than two kilobytes, and says what is left out", () => {
    const listed = Array.from({ length: 500 }, (_, at) => ({
      summary: summary(`command-${at}`, { description: "ä".repeat(40) }),
      layer: "user" as const,
    }));
    const text = describeCommands(listed, "adj-") ?? "";
    const lines = text.split("\n");
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(2_048);
    expect(Buffer.byteLength(text)).toBeGreaterThan(1_900);
    expect(lines.at(-1)).toBe(`and ${500 - (lines.length - 2)} more: adj-commands`);
  });
});
