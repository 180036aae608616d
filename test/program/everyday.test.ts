// What somebody meets in the first week, typed at the built program.
import { chmodSync, mkdirSync, realpathSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { sampled } from "../support/tier.ts";
import { type Home, makeHome } from "./adj.ts";

const TYPED = (body: string, imports = "") => `${imports}
import { defineCommand, ok, z } from "adjutant";
export default defineCommand({ description: "d", run: async (_, context) => { ${body} } });
`;

async function trusted(files: Readonly<Record<string, string>>): Promise<Home> {
  const home = makeHome();
  const below = Object.entries(files).map(([path, text]) => [`project/${path}`, text]);
  home.write(Object.fromEntries(below));
  await home.trust();
  return home;
}

test("a command that throws is told with its file and line; `--debug` on either side of its name adds the stack", async () => {
  const { adj } = await trusted({
    ".adjutant/commands/boom.ts": TYPED('throw new Error("no");').replace(
      "run:",
      "args: z.object({}), run:",
    ),
  });
  const line = "adj: .adjutant/commands/boom.ts:3:105: `boom` threw: no\n";
  expect((await adj("boom")).stderr).toBe(line);
  const { stderr, exitCode } = await adj("--debug", "boom");
  expect((await adj("boom", "--debug")).stderr).toBe(stderr);
  expect(stderr.startsWith(`${line}Error: no\n    at `)).toBe(true);
  expect(stderr).toContain("/project/.adjutant/commands/boom.ts:3:");
  expect(stderr).not.toContain("/state/trust/");
  expect(exitCode).toBe(1);
  const errorOf = async (...words: string[]) => JSON.parse((await adj(...words)).stdout).error;
  expect(await errorOf("--json", "boom")).not.toHaveProperty("stack");
  expect((await errorOf("boom", "--debug", "--json")).stack).toMatch(/^Error: no\n {4}at /);
});

test("what is thrown in a module beside a command, or behind its back, is told with the line that the person wrote", async () => {
  const { adj } = await trusted({
    ".adjutant/commands/deep.ts": TYPED("dig();", 'import { dig } from "../lib/dig.ts";'),
    ".adjutant/lib/dig.ts": 'export function dig(): never {\n  throw new Error("deep");\n}\n',
    ".adjutant/commands/late.ts": TYPED(
      'setTimeout(() => { throw new Error("late"); }); await new Promise((done) => setTimeout(done, 60_000));',
    ),
  });
  expect((await adj("deep")).stderr).toBe("adj: .adjutant/lib/dig.ts:2:9: `deep` threw: deep\n");
  const { stderr, exitCode } = await adj("--debug", "late");
  expect(stderr).toMatch(
    /^adj: \.adjutant\/commands\/late\.ts:3:\d+: `late` threw: late\nError: late\n/,
  );
  expect(stderr).not.toContain("/state/trust/");
  expect(exitCode).toBe(1);
});

test("a package that is not installed is told with the line that imports it", async () => {
  const { adj } = await trusted({
    ".adjutant/commands/shout.ts": TYPED("return ok(loud);", 'import loud from "loud";'),
  });
  expect(await adj("shout")).toMatchObject({
    exitCode: 2,
    stderr: expect.stringMatching(
      /^adj: `shout` could not be loaded: \.adjutant\/commands\/shout\.ts:1:18: the package `loud` is not installed; install it: /,
    ),
  });
});

describe("colour", () => {
  const ESCAPE = "\u001b[";
  const print = async (home: Home, env: NodeJS.ProcessEnv, ...words: string[]) => {
    const { stdout, stderr } = await home.adjIn({ env: { ...home.env, ...env } }, ...words);
    return [stdout.includes(ESCAPE), stderr.includes(ESCAPE)];
  };

  // biome-ignore format: a table, one line each
  test.each(sampled<[env: NodeJS.ProcessEnv, words: readonly string[], colored: readonly boolean[]]>([
    [{}, ["commands"], [false, false]],
    [{ FORCE_COLOR: "1" }, ["commands"], [true, false]],
    [{ FORCE_COLOR: "1", NO_COLOR: "1" }, ["commands"], [false, false]],
    [{}, ["--color", "always", "commands"], [true, false]],
    [{ NO_COLOR: "1" }, ["--color=always", "nonsense"], [false, true]],
    [{ FORCE_COLOR: "1" }, ["--color=never", "nonsense"], [false, false]],
    [{}, ["commands", "--color", "always"], [true, false]],
    [{ FORCE_COLOR: "1" }, ["commands", "--no-color"], [false, false]],
    [{ FORCE_COLOR: "1" }, ["--json", "commands"], [false, false]],
    [{ FORCE_COLOR: "1" }, ["log", "--json"], [false, false]],
    [{ FORCE_COLOR: "1" }, ["mine"], [false, false]],
  ]))("%j adj %j: %j", async (env, words, colored) => {
    const home = makeHome();
    home.write({ "config/commands.yaml": "mine: { description: d, argv: [echo, NAME] }\n" });
    expect(await print(home, env, ...words)).toEqual(colored);
  });
});

test("one's own commands come first, in `adj help` and in `adj commands`", async () => {
  const { adj } = await trusted({
    ".adjutant/commands.yaml": "zebra: { description: Z, argv: [echo] }\n",
  });
  expect((await adj("help")).stdout).toMatch(/\[words…\]\n\nof this project\n {2}zebra {2}Z\n\n/);
  expect((await adj("commands")).stdout.split("\n")[1]).toMatch(/^zebra /);
});

test("a program of `commands.yaml` is found from the project's root, from any folder of it, as it was approved", async () => {
  const script = (text: string) => `#!/bin/sh\necho ${text} in "$(basename "$PWD")"\n`;
  const home = await makeScripts(script("one"));
  expect((await home.adjIn({ cwd: `${home.project}/deep` }, "tool")).stdout).toBe("one in deep\n");
  expect((await home.adj("beside")).stdout).toBe("beside in project\n");
  home.write({ "project/scripts/tool.sh": script("two") });
  expect((await home.adj("--quiet", "tool")).stdout).toBe("one in project\n");

  async function makeScripts(tool: string): Promise<Home> {
    const home = makeHome();
    home.write({
      "project/.git/HEAD": "ref: refs/heads/main\n",
      "project/.adjutant/commands.yaml":
        "tool: { description: d, argv: [scripts/tool.sh] }\nbeside: { description: d, argv: [./own.sh] }\n",
      "project/.adjutant/own.sh": script("beside"),
      "project/scripts/tool.sh": tool,
      "project/deep/x": "",
    });
    for (const path of [".adjutant/own.sh", "scripts/tool.sh"])
      chmodSync(`${home.project}/${path}`, 0o755);
    await home.trust();
    return home;
  }
});

test("a command may import a package of the project, and knows its root; trust lists the package as not covered", async () => {
  const home = await trusted({
    ".adjutant/commands/shout.ts": TYPED(
      "return ok(loud('hi') + context.root);",
      "import loud from 'loud';",
    ),
    "node_modules/loud/package.json": '{ "type": "module", "exports": "./main.js" }',
    "node_modules/loud/main.js": "export default (text) => text.toUpperCase() + '!';\n",
  });
  const cwd = `${home.project}/deep`;
  mkdirSync(cwd);
  expect((await home.adjIn({ cwd }, "shout")).stdout).toBe(`HI!${realpathSync(home.project)}\n`);
  expect((await home.adj("trust")).stdout).toContain(
    "not covered, a change of it counts at once:\n  .adjutant/commands/shout.ts:1: the package `loud`, as it is installed\n",
  );
});

test("an entry that a person wrote with an agent's alias reaches the hooks", async () => {
  const home = makeHome();
  home.write({
    "config/hooks.yaml":
      'hooks:\n  - { name: no, on: before_tool, run: { argv: [echo, \'{"decision":"block","reason":"no"}\'] } }\n',
  });
  const stdin = JSON.stringify({
    ...{ hook_event_name: "PreToolUse", session_id: "s", cwd: home.project },
    ...{ tool_name: "Bash", tool_input: { command: "ls" } },
  });
  const env = { ...home.env, ADJ_RESIDENT: "off" };
  const named = await home.adjIn({ stdin, env }, "hook", "claude-code");
  expect(named.stdout).not.toBe("");
  expect(await home.adjIn({ stdin, env }, "hook", "claude")).toEqual(named);
});

test("a command of several actions says what each does, and the help of one is about that one", async () => {
  const { adj } = makeHome();
  expect((await adj("help", "agent")).stdout).toContain(
    "\n\nwhat it does\n  list       List the agents: ",
  );
  for (const [words, first] of [
    [["help", "bench", "report"], "bench report: Show the result of a run"],
    [["workflow", "run", "--help"], "workflow run: Run a workflow, by name or file"],
    [["help", "config", "unset"], "config unset: Take a setting away"],
  ] as const)
    expect((await adj(...words)).stdout.startsWith(first), words.join(" ")).toBe(true);
});

test("`-y`, `-q` and `-h` count after the name of a command as before it", async () => {
  const { adj } = await trusted({
    ".adjutant/commands/wipe.ts": TYPED(
      'await context.write("step\\n", "stderr"); return ok("gone");',
    ).replace("run:", 'safety: "destructive", args: z.object({}), run:'),
  });
  expect(await adj("wipe")).toMatchObject({ exitCode: 126, stdout: "" });
  expect(await adj("wipe", "-y")).toMatchObject({ exitCode: 0, stdout: "gone\n" });
  expect((await adj("wipe", "-y", "-q")).stdout).toBe((await adj("-yq", "wipe")).stdout);
  expect((await adj("wipe", "-h")).stdout).toBe((await adj("help", "wipe")).stdout);
});
