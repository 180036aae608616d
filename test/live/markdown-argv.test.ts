// Front matter as people write it, against the real parsers of the agents.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { FrontMatter } from "../../src/core/project/front-matter.ts";
import { SETTING_KEYS } from "../../src/markdown/file/keys.ts";
import { makeAsker } from "./argv/ask-parser.ts";
import { configOfFrontMatter } from "./argv/front-matter-config.ts";
import { PARSERS, type Parser } from "./argv/parsers.ts";
import { findLabCli, type LabAgent, type LabCli, missingMessage } from "./lab.ts";

const TIME_LIMIT = 240_000;

const on = fc.constantFrom(true, false, null);
const listOf = (...words: string[]) => fc.subarray(words);
const folders = listOf(".", "..", "-x", "a,b", "two words");

/** Flags of each agent that change nothing about whether it takes a prompt. */
const FLAGS: Readonly<Record<LabAgent, Readonly<Record<string, fc.Arbitrary<unknown>>>>> = {
  "claude-code": {
    verbose: on,
    effort: fc.constantFrom("low", "max"),
    "add-dir": listOf(".", ".."),
    "fallback-model": fc.constant("haiku"),
    n: fc.constantFrom("night run", "a=b"),
    "exclude-dynamic-system-prompt-sections": on,
    tools: listOf("Read", "Bash", "Edit"),
    betas: listOf("one", "two"),
  },
  codex: {
    c: listOf("model_verbosity=low", 'notice.hide="x"'),
    "add-dir": folders,
    ephemeral: on,
    "ignore-rules": on,
    "output-last-message": fc.constant("last.txt"),
    enable: listOf("web_search_request"),
  },
  gemini: {
    "include-directories": listOf(".", ".."),
    "allowed-mcp-server-names": listOf("one", "two words", "a,b"),
    "screen-reader": on,
  },
  opencode: {
    variant: fc.constantFrom("high", "-low"),
    thinking: on,
    "log-level": fc.constantFrom("WARN", "ERROR"),
    title: fc.constantFrom<unknown>(true, "a title", "-t"),
  },
  copilot: {
    "allow-all-paths": on,
    "available-tools": listOf("view", "shell(git:*)"),
    "allow-url": listOf("https://example.com", "example.org"),
    "no-custom-instructions": on,
    stream: fc.constantFrom("on", "off"),
    "add-dir": listOf(".", ".."),
  },
  qwen: {
    "add-dir": listOf(".", ".."),
    "core-tools": listOf("read_file", "run_shell_command(git)"),
    "max-tool-calls": fc.integer({ min: 1, max: 9 }),
    "screen-reader": on,
  },
};

describe.each(PARSERS)("front matter for $agent", (parser) => {
  const cli = findLabCli(parser.agent);
  if (cli === null) test.skip(missingMessage(parser.agent));
  else describeFrontMatter(cli, parser);
});

function describeFrontMatter(cli: LabCli, parser: Parser): void {
  test("becomes words that its own parser accepts", { timeout: TIME_LIMIT }, async () => {
    const asker = await makeAsker(cli);
    const settings = [...SETTING_KEYS].flatMap(([key, setting]) => {
      const values = setting === "output_format" ? undefined : parser.values[setting];
      return values === undefined || key === "resume" ? [] : [[key, values] as const];
    });
    const keys = { ...Object.fromEntries(settings), ...FLAGS[cli.agent] };
    const check = async (frontMatter: FrontMatter) => {
      const { args, printed } = await asker.askConfig(configOfFrontMatter(cli.agent, frontMatter));
      expect(printed, JSON.stringify(args)).toMatch(parser.accepted);
    };
    await fc.assert(fc.asyncProperty(fc.record(keys, { requiredKeys: [] }), check), {
      numRuns: parser.runs,
      endOnFailure: true,
    });
  });
}
