import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { makeHome, run } from "./program/adj.ts";
import { makeSessionHome } from "./program/session-home.ts";
import { CHECKOUT } from "./support/checkout.ts";

const COUNTER = join(import.meta.dirname, "program", "fixtures", "count-files.cjs");
const USER = join(import.meta.dirname, "fixtures", "use-library.ts");

const FILES: Readonly<Record<string, string>> = {
  "greet.ts": `import { defineCommand, ok, z } from "adjutant";
export default defineCommand({
  description: "Greet somebody",
  args: z.object({ name: z.string().meta({ positional: 0 }), loud: z.boolean().default(false) }),
  run: ({ name, loud }) => ok(loud ? name.toUpperCase() : \`hello \${name}\`),
});
`,
  "steps.ts": `import { ok } from "adjutant";
export default {
  description: "Goes step by step",
  run: async (_, { write, progress }) => {
    progress(0.5);
    await write("one ");
    await write("note ", "stderr");
    progress("nearly");
    return ok("one ");
  },
};
`,
  "wipe.ts": `import { ok } from "adjutant";
export default { description: "W", safety: "destructive", run: () => ok("gone") };
`,
  "wait.ts": `export default {
  description: "Waits to be cancelled",
  run: (_, { signal, progress }) =>
    new Promise((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason));
      progress("waiting");
    }),
};
`,
  "whoami.ts": `import { ok } from "adjutant";
export default { description: "W", run: (_, { session, mode }) => ok(\`\${session.id} \${mode}\`) };
`,
  "refuse.ts": `import { Fault } from "adjutant";
export default {
  description: "R",
  run: () => { throw new Fault("Vetoed", {}, "not on a Friday", { hint: "come back on Monday" }); },
};
`,
};

async function useLibrary(file: string) {
  const home = makeHome();
  home.write(
    Object.fromEntries(
      Object.entries(FILES).map(([name, text]) => [`config/commands/${name}`, text]),
    ),
  );
  home.write({ "project/.adjutant/commands.yaml": "x: { disable: true }\n" });
  const url = pathToFileURL(join(CHECKOUT, file)).href;
  const printed = await run(process.execPath, [USER, url], { cwd: home.project, env: home.env });
  expect(printed).toMatchObject({ exitCode: 0, stderr: "" });
  return JSON.parse(printed.stdout);
}

const ok = (output: string) => ({
  kind: "ok",
  result: { success: true, output, errorOutput: null, exitCode: 0, metadata: null },
});

describe.each(["dist/library.js", "src/library.ts"])("%s", (file) => {
  test("does what its types and examples say, and ends by itself", async () => {
    const used = await useLibrary(file);
    // What is exported is a promise: whatever is added or taken away here is told in the changelog.
    expect(used.names).toEqual([
      ...["Fault", "createAdjutant", "defineCommand", "defineHook", "fail", "ok", "z"],
    ]);
    expect(used.results).toEqual([
      { success: true, output: "", errorOutput: null, exitCode: 0, metadata: null },
      { success: true, output: "done", errorOutput: null, exitCode: 0, metadata: { at: 1 } },
      { success: false, output: "", errorOutput: "no such branch", exitCode: 3, metadata: null },
      { success: false, output: "", errorOutput: "no", exitCode: 1, metadata: null },
    ]);
    expect(used.isSame).toBe(true);
    expect(used.schema.properties).toEqual({ name: { type: "string", positional: 0 } });
    expect(used.dispatched).toEqual({
      named: ok("hello Ada"),
      byObject: ok("ADA"),
      byLine: ok("hello Ada Lovelace"),
      bare: expect.objectContaining({ kind: "rejected" }),
    });
    expect(used.seen).toEqual(
      Array(4).fill(["CommandDispatched greet", "CommandResulted greet"]).flat(),
    );
    expect(used.shown).toEqual(["progress 0.5", "stdout one ", "stderr note ", "progress nearly"]);
    expect(used.endings).toMatchObject({
      streamed: ok("one "),
      allowed: ok("gone"),
      refused: { kind: "rejected", error: { class: "Consent", code: "Required" } },
      cancelled: { kind: "cancelled", error: { class: "Cancelled" }, result: { exitCode: 130 } },
      thrown: {
        kind: "rejected",
        error: {
          class: "Hook",
          code: "Vetoed",
          message: "not on a Friday",
          hint: "come back on Monday",
        },
        result: { exitCode: 126 },
      },
      last: ok("hello Ada"),
      late: "this Adjutant is closed",
    });
    expect(used.apart).toEqual(["c-1", "mine library"]);
    expect(used.registry).toEqual({
      found: "Greet somebody",
      nobody: null,
      hasGreet: true,
      hasEnv: true,
    });
    expect(used.notices).toEqual([
      expect.stringMatching(/^this project is not trusted, .+`adj trust`$/),
    ]);
    expect(used.misplaced).toEqual([
      "InputInvalid",
      "the working directory: `relative` is not a folder",
    ]);
  });
});

test("sessions and agents are loaded when they are used, and not before", async () => {
  const countFiles = async (use: string): Promise<number> => {
    const home = makeHome();
    const url = pathToFileURL(join(CHECKOUT, "dist/library.js")).href;
    const list = join(home.folder, "files-read");
    const text = `import { createAdjutant } from "${url}";
const adjutant = await createAdjutant({ cwd: process.cwd() });
${use}
await adjutant.close();
`;
    const env = { ...home.env, NODE_OPTIONS: `--require ${COUNTER}`, FILES_READ_TO: list };
    const place = { cwd: home.project, env };
    const ended = await run(process.execPath, ["--input-type=module", "-e", text], place);
    expect(ended).toMatchObject({ exitCode: 0, stderr: "" });
    return readFileSync(list, "utf8").trim().split("\n").length;
  };
  const plain = await countFiles("");
  expect(plain).toBeLessThanOrEqual(20);
  expect(await countFiles("await adjutant.sessions.open();")).toBeGreaterThan(plain);
  expect(await countFiles('await adjutant.agents.checkAvailability("replay");')).toBeGreaterThan(
    plain,
  );
});

/** Which names each subpath has is a promise as well. */
const SUBPATHS = {
  agents: [
    ...["ERROR_REASONS", "RUN_LOG", "checkAvailability", "configSchema", "formatErrorCode"],
    ...["normalizeOutput", "requireAdapter", "runAgent"],
  ],
  hooks: ["defineHook", "runPipeline"],
  markdown: [
    ...["applyPositionalArgs", "buildArgsFromFrontmatter", "buildCommand", "buildCommandBase"],
    ...["extractEnvVars", "extractPositionalMappings"],
  ],
};

test.each(Object.entries(SUBPATHS))(
  "adjutant/%s has these names and no others",
  async (path, names) => {
    const built = await import(pathToFileURL(join(CHECKOUT, "dist", `${path}.js`)).href);
    expect(Object.keys(built).sort()).toEqual(names);
  },
);

test("a package that is installed finds the library by its name", async () => {
  const home = makeHome();
  const installed = join(home.project, "node_modules", "adjutant");
  mkdirSync(dirname(installed), { recursive: true });
  symlinkSync(CHECKOUT, installed);
  writeFileSync(
    join(home.project, "use.mjs"),
    `import { ok } from "adjutant";
import { requireAdapter } from "adjutant/agents";
import { runPipeline } from "adjutant/hooks";
console.log(ok("found").output, (await requireAdapter("replay")).name, typeof runPipeline);
`,
  );
  const place = { cwd: home.project, env: home.env };
  expect(await run(process.execPath, ["use.mjs"], place)).toMatchObject({
    exitCode: 0,
    stdout: "found replay function\n",
    stderr: "",
  });
});

test("a turn of a program that uses the library is one of the session that the shell goes on with", async () => {
  const home = makeSessionHome();
  writeFileSync(
    join(home.project, "use.mjs"),
    `import { createAdjutant } from ${JSON.stringify(pathToFileURL(join(CHECKOUT, "dist/library.js")).href)};
const adjutant = await createAdjutant({ cwd: process.cwd() });
const session = await adjutant.sessions.open();
const kinds = new Set();
const onEvent = ({ kind }) => kinds.add(kind);
const turn = await session.send("I am Ada", { agent: "replay", onEvent });
await adjutant.close();
console.log(turn.status, [...kinds].sort().join());
`,
  );
  const place = { cwd: home.project, env: home.env };
  expect(await run(process.execPath, ["use.mjs"], place)).toMatchObject({
    exitCode: 0,
    stdout: "done event,progress,turn\n",
    stderr: "",
  });
  expect((await home.send("and now?")).stdout).toContain("which began with “I am Ada”");
});
