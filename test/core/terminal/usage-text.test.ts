import { describe, expect, test } from "vitest";
import type { ArgumentsSchema, CommandSummary } from "../../../src/core/command/definition.ts";
import { commonFlagsOf, PROGRAM_FLAGS } from "../../../src/core/command/program-flags.ts";
import { SUMMARY_DEFAULTS } from "../../../src/core/load/summary.ts";
import { parseInvocation } from "../../../src/core/terminal/invocation.ts";
import { formatUsage, formatUsageLine } from "../../../src/core/terminal/usage-text.ts";

const summary = (schema: ArgumentsSchema | null, more: Partial<CommandSummary> = {}) => ({
  ...SUMMARY_DEFAULTS,
  name: "deploy",
  description: "Deploy the app",
  schema,
  ...more,
});

const SCHEMA: ArgumentsSchema = {
  type: "object",
  required: ["target", "region"],
  properties: {
    target: { type: "string", positional: 0, enum: ["dev", "prod"], description: "where to" },
    files: { type: "array", positional: "rest", items: { type: "string" }, default: [] },
    region: { type: "string", description: "which one" },
    dryRun: { type: "boolean", short: "n", default: false, description: "only show" },
    retries: { type: "integer", default: 3, description: "how often" },
    label: { type: "array", items: { type: "string" }, description: "a mark" },
    token: { type: "string", secret: true, default: "hidden", description: "a secret" },
    config: { type: "string", file: true },
  },
};

describe("the usage line", () => {
  test.each<[string, CommandSummary, string]>([
    [
      "names arguments and required flags",
      summary(SCHEMA),
      "adj deploy <target> [files…] --region <text> [flags]",
    ],
    [
      "prefers the hint of the author",
      summary(SCHEMA, { argumentHint: "[a | b]" }),
      "adj deploy [a | b] --region <text> [flags]",
    ],
    ["of a command without arguments is its name", summary({ properties: {} }), "adj deploy"],
    [
      "of a command without a schema shows the default grammar",
      summary(null),
      "adj deploy [words…] [--flag[=value]…]",
    ],
    [
      "of one without a schema uses its hint",
      summary(null, { argumentHint: "FILE…" }),
      "adj deploy FILE…",
    ],
  ])("%s", (_, given, line) => {
    expect(formatUsageLine(given)).toBe(line);
  });
});

test("help shows arguments, flags with their types, defaults and choices, examples and origin", () => {
  const given = summary(SCHEMA, {
    aliases: ["d"],
    examples: ["adj deploy prod"],
    effect: "write",
    safety: "destructive",
    version: "2.0.0",
  });
  const at = { layer: "project", plugin: null, file: "/p/.adjutant/commands/deploy.ts" } as const;
  expect(formatUsage(given, at, null)).toBe(`deploy: Deploy the app

usage: adj deploy <target> [files…] --region <text> [flags]

arguments
  <target>  where to (one of dev, prod)
  [files…]

flags
  --region <text>     which one (required)
  -n, --dry-run       only show
  --retries <number>  how often (default 3)
  --label <text>      a mark (may be repeated)
  --token <text>      a secret
  --config <file>

flags of every command
  --json          print one object with the outcome
  -y, --yes       allow a destructive command
  -q, --quiet     leave out notices
  --debug         show the stack of what went wrong
  --color <when>  always, never or auto: on a terminal, unless NO_COLOR says no
  --no-color      the same as --color never
  --session <id>  the session to use
  -h, --help      show help

examples
  adj deploy prod

aliases: d
effect: changes the session; destructive, asks first
version: 2.0.0
defined in: project, /p/.adjutant/commands/deploy.ts`);
});

test("long descriptions wrap beside their flag on a narrow screen", () => {
  const properties = { loud: { type: "boolean", description: "a text of several words here" } };
  const lines = formatUsage(summary({ properties }), null, 32).split("\n");
  expect(lines).toContain("  --loud  a text of several");
  expect(lines).toContain("          words here");
});

test("a flag of the command's own hides the common one of that name", () => {
  const text = formatUsage(summary({ properties: { json: { type: "boolean" } } }), null, null);
  expect(text.match(/--json/g)).toHaveLength(1);
});

test("what an author wrote cannot move the cursor", () => {
  const text = formatUsage(summary(null, { description: "a\u001b[2Jb\nc" }), null, null);
  expect(text).not.toContain("\u001b");
  expect(text.split("\n")[0]).toBe("deploy: a\\u{1b}[2Jb c");
});

describe("the program's flags that help and completion offer", () => {
  test.each(PROGRAM_FLAGS)("--$flag is one the command line takes", ({ flag, short, value }) => {
    const given = value === null ? [] : [value === "when" ? "never" : "/x"];
    expect(() => parseInvocation([`--${flag}`, ...given, "model"])).not.toThrow();
    if (short !== null)
      expect(() => parseInvocation([`-${short}`, ...given, "model"])).not.toThrow();
  });

  test("a command has them too, but for where to begin and the version", () => {
    expect(commonFlagsOf([]).map(({ flag }) => flag)).toEqual(
      PROGRAM_FLAGS.map(({ flag }) => flag).filter((flag) => !/cwd|version/.test(flag)),
    );
  });
});
