// Every export of the library has an example, and every example runs as it is printed.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { makeHome, run } from "./program/adj.ts";
import { CHECKOUT } from "./support/checkout.ts";

const urlOf = (file: string): string => pathToFileURL(join(CHECKOUT, "src", file)).href;

const EXAMPLE =
  /\/\*\*(?:(?!\*\/)[\s\S])*?@example\n((?:(?!\*\/)[\s\S])*?)\*\/\s*(?:export (?:async )?(?:function|const|class) )?(\w+)/g;

/** The examples in a file, each with the name of what it is an example of. */
function examplesIn(file: string): Map<string, string> {
  const source = readFileSync(join(CHECKOUT, "src", file), "utf8");
  return new Map(
    [...source.matchAll(EXAMPLE)].map(([, text = "", name = ""]) => [
      name,
      text.replaceAll(/^ *\* ?/gm, "").trim(),
    ]),
  );
}

const FILES = {
  values: ["core/command/fault.ts", "core/command/result.ts"],
  library: ["program.ts", "core/dispatch/adjutant.ts"],
  facets: [
    ...["session/library-sessions.ts", "agents/library-agents.ts"],
    "workflow/library-workflows.ts",
  ],
  agents: [
    ...["agents/log/error-reasons.ts", "agents/log/run-log.ts", "agents/roster.ts"],
    ...["agents/run/availability.ts", "agents/run/config-fields.ts"],
    ...["agents/run/output/read.ts", "agents/run/run-agent.ts"],
  ],
  hooks: ["hooks/pipeline/pipeline.ts"],
};

/** What the examples take for granted. */
const PRELUDE = `import { createAdjutant, Fault, fail, ok } from "${urlOf("library.ts")}";
import * as agents from "${urlOf("agents-library.ts")}";
import { runPipeline } from "${urlOf("hooks-library.ts")}";
const { ERROR_REASONS, RUN_LOG, checkAvailability, configSchema, formatErrorCode } = agents;
const { normalizeOutput, requireAdapter, runAgent } = agents;
const adjutant = await createAdjutant({ cwd: process.cwd() });
const session = await adjutant.sessions.open();
const stdout = "";
const rule = { name: "no", on: ["before_tool"], match: {}, timeoutMs: 1_000, isEnabled: true, layer: "user" };
const envelope = { protocol: 1, step: "before_tool", agent: "codex", session_id: "s", cwd: "/", native: {} };
`;

const examples = Object.values(FILES)
  .flat()
  .flatMap((file) => [...examplesIn(file)]);

/** One process for all of them: each says its name when it is through. */
const program = [
  PRELUDE,
  ...examples.map(([name, text]) => `{\n${text}\nconsole.error("${name}");\n}`),
  "await adjutant.close();\n",
].join("\n");

describe("an example of the library runs as it is printed", () => {
  test("of all that is called or opened", async () => {
    const home = makeHome();
    const file = join(home.project, "examples.mjs");
    writeFileSync(file, program);
    const panel = 'export const meta = { name: "panel", description: "p" };\nreturn args.files;\n';
    home.write({ "project/.adjutant/workflows/panel.js": panel });
    await home.trust();
    const place = { cwd: home.project, env: { ...home.env, ADJ_HOST: "off" } };
    const { exitCode, stderr } = await run(process.execPath, [file], place);
    expect(stderr.trimEnd().split("\n")).toEqual(examples.map(([name]) => name));
    expect(exitCode).toBe(0);
  });

  test("defineCommand", async () => {
    const home = makeHome();
    const text = examplesIn("core/command/definition.ts").get("defineCommand");
    const imports = 'import { defineCommand, ok, z } from "adjutant";\n';
    home.write({ "config/commands/greet.ts": `${imports}${text}\n` });
    expect(await home.adj("greet", "Ada")).toMatchObject({ exitCode: 0, stdout: "hello Ada\n" });
  });

  test("defineHook", async () => {
    const home = makeHome();
    const text = examplesIn("hooks/handlers/define-hook.ts").get("defineHook") ?? "";
    const file = join(home.project, "guard.mjs");
    writeFileSync(file, text.replace('"adjutant/hooks"', `"${urlOf("hooks-library.ts")}"`));
    const stdin = JSON.stringify({ step: "before_tool", args: { command: "deploy prod" } });
    const place = { cwd: home.project, env: home.env, stdin };
    expect(await run(process.execPath, [file], place)).toMatchObject({
      exitCode: 2,
      stderr: "not in production\n",
    });
  });
});

test.each(["library.ts", "agents-library.ts", "hooks-library.ts"])(
  "every export of %s has an example",
  async (entry) => {
    const known = new Set([...examples.map(([name]) => name), "defineCommand", "defineHook"]);
    const names = Object.keys(await import(urlOf(entry)));
    // zod's own.
    expect(names.filter((name) => !known.has(name) && name !== "z")).toEqual([]);
  },
);
