// The same line by every surface there is: equal outcomes, and events that differ in their origin alone.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import type { StoredEvent } from "../../src/core/command/event.ts";
import { splitWords } from "../../src/core/command/words.ts";
import { CHECKOUT } from "../support/checkout.ts";
import { sampled } from "../support/tier.ts";
import { type Home, makeHome, run } from "./adj.ts";

const DRIVER = join(import.meta.dirname, "fixtures", "dispatch-lines.ts");

const LINES = sampled([
  "greet Ada",
  "greet 'Ada Lovelace' --loud",
  "greet",
  "greet Ada --lout",
  "hello Ada",
  "seven",
  "throwing",
  "wipe",
  "bytes",
  "both",
  "words 'a b' '' -- --x",
  "gret Ada",
  "ui",
  "params max_turns=3 append_system_prompt=short",
  "params append_system_prompt=deep=er",
  "params",
  "commands greet",
  "help greet",
  "sessions",
  "forget wipe",
  "trust",
]);

const FILES: Readonly<Record<string, string>> = {
  "config/commands/greet.js": `import { defineCommand, ok, z } from "adjutant";
export default defineCommand({
  description: "Greet somebody",
  aliases: ["hello"],
  args: z.object({ name: z.string().meta({ positional: 0 }), loud: z.boolean().default(false) }),
  run: ({ name, loud }) => ok(loud ? name.toUpperCase() : name, { name }),
});
`,
  "config/commands/throwing.js":
    'export default { description: "T", run: () => { throw new Error("no"); } };\n',
  "config/commands/seven.js":
    'import { fail } from "adjutant";\nexport default { description: "S", run: () => fail("seven", 7, { left: 3 }) };\n',
  "config/commands.yaml": `
wipe: { description: W, argv: [echo, gone], safety: destructive }
bytes: { description: B, argv: [printf, '\\377\\000\\376'] }
both: { description: B, shell: sh, command: "echo out; printf '\\\\377' >&2; exit 3" }
words: { description: P, argv: [printf, '<%s>'] }
`,
  "project/.adjutant/commands.yaml": "nothing: { disable: true }\n",
};

interface Told {
  readonly outcomes: readonly unknown[];
  readonly events: readonly unknown[];
}

/** What differs by nature: ids, times and the folder. */
function settle(value: unknown, home: Home): unknown {
  const text = JSON.stringify(value)
    .replaceAll(home.folder, "HOME")
    .replace(/"(durationMs|pid)":[\d.]+/g, '"$1":0')
    .replace(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, "ID")
    .replace(/\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d{3})?)?Z?/g, "TIME");
  return JSON.parse(text);
}

const decode = (text: string | null, encoding: string): string | null =>
  text === null
    ? null
    : Buffer.from(text, encoding === "base64" ? "base64" : "utf8").toString("latin1");

async function askProgram(home: Home): Promise<unknown[]> {
  const outcomes = [];
  for (const line of LINES) {
    const { stdout, exitCode } = await home.adj("--json", ...splitWords(line));
    const { result, ...outcome } = JSON.parse(stdout);
    expect(exitCode).toBe(result.exitCode);
    const { outputEncoding, errorOutputEncoding, ...rest } = result;
    const output = decode(result.output, outputEncoding);
    const errorOutput = decode(result.errorOutput, errorOutputEncoding);
    outcomes.push({ ...outcome, result: { ...rest, output, errorOutput } });
  }
  return outcomes;
}

async function askLibrary(home: Home, file: string): Promise<unknown[]> {
  const url = pathToFileURL(join(CHECKOUT, file)).href;
  const place = { cwd: home.project, env: home.env };
  const printed = await run(process.execPath, [DRIVER, url, ...LINES], place);
  expect(printed).toMatchObject({ exitCode: 0, stderr: "" });
  return JSON.parse(printed.stdout).map(({ result, ...outcome }: Record<string, unknown>) => {
    const { output, errorOutput, ...rest } = Object(result);
    const [first, second] = [output, errorOutput].map((text) => decode(text, "base64"));
    return { ...outcome, result: { ...rest, output: first, errorOutput: second } };
  });
}

async function ask(how: (home: Home) => Promise<unknown[]>): Promise<Told> {
  const home = makeHome();
  home.write(FILES);
  const outcomes = (await how(home)).map((outcome) => settle(outcome, home));
  return { outcomes, events: numberAnew(await home.events()).map((event) => settle(event, home)) };
}

/** A loaded machine keeps a handler waiting, which is an event of its own and none of the surface. */
function numberAnew(all: readonly StoredEvent[]): unknown[] {
  const events = all.filter(({ data }) => Object(data).code !== "LoopBlocked");
  const places = new Map(events.map(({ seq }, at) => [String(seq), at + 1]));
  return events.map(({ seq, causationId, ...event }) => ({
    ...event,
    seq: places.get(String(seq)),
    causationId: places.get(String(causationId)) ?? causationId,
  }));
}

// A start of the program for each line: on a loaded machine they took more than the runner's thirty seconds.
test("the shell, the built library and the library from source agree", {
  timeout: 120_000,
}, async () => {
  const program = await ask(askProgram);
  for (const file of ["dist/library.js", "src/library.ts"]) {
    const library = await ask((home) => askLibrary(home, file));
    for (const [at, line] of LINES.entries())
      expect([line, library.outcomes[at]]).toEqual([line, program.outcomes[at]]);
    expect(library.events).toEqual(
      program.events.map((event) => ({ ...Object(event), origin: { surface: "library" } })),
    );
  }
  // A pair for each line but the unknown one and the word that is not there yet.
  expect(program.events.length).toBeGreaterThanOrEqual(2 * (LINES.length - 2) + 1);
});
