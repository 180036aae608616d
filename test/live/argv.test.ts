import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { PORTABLE_SETTINGS } from "../../src/agents/run/capabilities.ts";
import { adapterOf } from "../support/agents.ts";
import { makeAsker } from "./argv/ask-parser.ts";
import { PARSERS, type Parser } from "./argv/parsers.ts";
import { findLabCli, type LabCli, missingMessage, pinnedVersion } from "./lab.ts";

const TIME_LIMIT = 240_000;

describe.each(PARSERS)("the parser of $agent", (parser) => {
  const cli = findLabCli(parser.agent);
  if (cli === null) test.skip(missingMessage(parser.agent));
  else describeParser(cli, parser);
});

function describeParser(cli: LabCli, parser: Parser): void {
  const { flags, settings, outputFormats } = adapterOf(cli.agent).capabilities(
    pinnedVersion(cli.agent),
  );
  const modes = settings.permission_mode?.to === "modes" ? settings.permission_mode.modes : {};

  test("every setting that the adapter translates is tried", () => {
    const translated = PORTABLE_SETTINGS.filter((name) => settings[name] !== undefined);
    expect(["permission_mode", ...Object.keys(parser.values)].sort()).toEqual(translated.sort());
  });

  test("accepts whatever the adapter makes of a configuration", {
    timeout: TIME_LIMIT,
  }, async () => {
    const asker = await makeAsker(cli);
    const config = fc.record(
      {
        ...parser.values,
        permission_mode: fc.constantFrom(...Object.keys(modes)),
        output_format: fc.constantFrom(...outputFormats),
      },
      { requiredKeys: [] },
    );
    const check = async (given: Readonly<Record<string, unknown>>) => {
      const { args, printed } = await asker.askConfig(withoutConflict(cli, given));
      expect(printed, JSON.stringify(args)).toMatch(parser.accepted);
    };
    const examples = listExamples(Object.keys(modes), outputFormats);
    await fc.assert(fc.asyncProperty(config, check), {
      numRuns: Math.max(parser.runs, examples.length),
      examples,
      endOnFailure: true,
    });
  });

  test("refuses a flag and a choice that it does not have", async () => {
    const asker = await makeAsker(cli);
    const [format = ""] = outputFormats;
    const { args } = await asker.askConfig({ output_format: format });
    const wrong = [
      [...args.slice(0, 1), "--no-such-flag", ...args.slice(1)],
      args.map((word) => (word === format ? "no-such-format" : word)),
    ];
    for (const words of wrong.filter((candidate) => candidate.join() !== args.join()))
      expect((await asker.askWords(words)).printed, words.join(" ")).not.toMatch(parser.accepted);
  });

  test("has every flag of the adapter's table", async () => {
    const { printed } = await (await makeAsker(cli)).askWords(parser.help);
    const shown = new Set(printed.match(/(?<![\w-])--?[A-Za-z][\w-]*/g));
    const missing = flags.map(({ name }) => name).filter((name) => !shown.has(name));
    expect(missing.sort()).toEqual([...parser.hidden].sort());
  });
}

/** Every mode, and with them every format, before chance has its say. */
function listExamples(
  modes: readonly string[],
  formats: readonly string[],
): [Record<string, unknown>][] {
  return modes.map((permission_mode, at) => [
    { permission_mode, output_format: formats[at % formats.length] },
  ]);
}

/** For opencode `plan` is an agent itself: its configuration takes only one of the two. */
function withoutConflict(
  { agent }: LabCli,
  { agent_name, ...others }: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const isConflict = agent === "opencode" && others.permission_mode === "plan";
  return agent_name === undefined || isConflict ? others : { agent_name, ...others };
}
