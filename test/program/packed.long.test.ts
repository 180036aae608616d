// The package as npm installs it, alone: from nothing to a command, a guard, a prompt and the record, and away again.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { VERSION } from "../../src/core/command/version.ts";
import { CHECKOUT } from "../support/checkout.ts";
import { removeFolder } from "../support/temporary-folder.ts";
import { waitUntil } from "../support/wait-until.ts";
import { type Home, makeHome, run } from "./adj.ts";
import { listNodes } from "./machine-nodes.ts";

const { packCleanCopy } = await import(join(CHECKOUT, "scripts", "pack.mjs"));
const PINNED = `node-${process.platform}-${process.arch}`;
const FITTING = dirname(process.execPath);
/** The folder of the first Node of the machine that is too old. */
const OLDER = listNodes().find(([major]) => Number(major) < 24)?.[1] ?? null;

let folder = "";
let tarball = "";
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "adjutant-packed-")));
  tarball = join(folder, packCleanCopy(folder).filename);
}, 180_000);
afterAll(() => removeFolder(folder));

interface Installed {
  readonly home: Home;
  readonly prefix: string;
  readonly env: NodeJS.ProcessEnv;
  adj(...words: string[]): ReturnType<Home["adj"]>;
  npm(...words: string[]): ReturnType<Home["adj"]>;
}

/** As `npm i -g`, without a network and without the pinned Node, for a person whose Node is in this folder. */
async function install(nodeFolder: string): Promise<Installed> {
  const home = makeHome();
  const prefix = join(home.folder, "prefix");
  mkdirSync(prefix);
  const bin = join(prefix, "bin");
  // Of the machine's folders only what is not about Node: which one is found is the point.
  const PATH = [bin, nodeFolder, "/usr/bin", "/bin"].join(delimiter);
  const env = { ...home.env, PATH, ADJ_HOST_IDLE: "60s", npm_config_offline: "true" };
  const place = { cwd: home.project, env };
  const npm = (...words: string[]) =>
    run("npm", ["--loglevel=error", "--global", "--prefix", prefix, ...words], place);
  const installed = await npm("install", "--omit=optional", "--no-audit", "--no-fund", tarball);
  expect(installed, installed.stderr).toMatchObject({ exitCode: 0, stderr: "" });
  return { home, prefix, env, npm, adj: (...words) => run(join(bin, "adj"), words, place) };
}

/** Processes of this program, whose files are in the prefix. */
const runningFrom = (prefix: string): string[] =>
  readdirSync("/proc").filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(prefix);
    } catch {
      return false;
    }
  });

async function useAndRemove({ home, prefix, adj, npm }: Installed): Promise<void> {
  home.write({
    "config/commands/greet.ts":
      'import { defineCommand, ok, z } from "adjutant";\nexport default defineCommand({ description: "Greet", args: z.object({ name: z.string().meta({ positional: 0 }) }), run: ({ name }) => ok("hello " + name) });\n',
    "config/hooks.yaml":
      "hooks:\n  - name: no-lost-work\n    on: before_tool\n    match: { kind: shell }\n    run: { builtin: git }\n",
    "project/suite.yaml":
      'name: small\nagents: [{ id: cat, agent: command, config: { argv: [echo, yes] } }]\ncases: [{ id: one, prompt: go, evaluators: [{ contains: "yes" }] }]\n',
    "project/scenario.yaml": "turns: [{ text: hello }]\n",
  });
  const says = async (expected: string, ...words: string[]) => {
    const printed = await adj(...words);
    expect(printed.stdout, printed.stderr).toContain(expected);
    expect(printed.exitCode, printed.stderr).toBe(words[0] === "hooks" ? 126 : 0);
  };
  await says(VERSION, "--version");
  await says("hello Ada", "greet", "Ada");
  await says("veto by `no-lost-work`", "hooks", "test", "before_tool", "--command", "git push -f");
  await says("You said “good morning”", "send", "--agent", "replay", "good morning");
  await says("1 case, 1 agent", "bench", "validate", "suite.yaml");
  await says("ready", "sim", "scenario.yaml", "--", "echo", "ready");
  await says("greet", "log", "--last", "2", "--command", "greet");

  await says("", "uninstall", "--all");
  await says("", "serve", "stop");
  await adj("resident", "stop");
  await waitUntil(() => runningFrom(prefix).length === 0);
  expect(await npm("uninstall", "adjutant")).toMatchObject({ exitCode: 0, stderr: "" });
  expect(readdirSync(join(prefix, "bin"))).toEqual([]);
  expect(readdirSync(join(prefix, "lib", "node_modules"))).not.toContain("adjutant");
}

test("on a Node that fits it needs nothing beside it", async () => {
  await useAndRemove(await install(FITTING));
});

test.runIf(OLDER !== null && existsSync(join(CHECKOUT, "node_modules", PINNED)))(
  "on an older Node the pinned one takes over",
  async () => {
    const installed = await install(OLDER ?? "");
    const beside = join(installed.prefix, "lib", "node_modules", "adjutant", "node_modules");
    mkdirSync(beside);
    symlinkSync(realpathSync(join(CHECKOUT, "node_modules", PINNED)), join(beside, PINNED));
    await useAndRemove(installed);
  },
);

test.runIf(OLDER !== null)("on an older Node alone both say so in one line", async () => {
  const { home, prefix, env, adj } = await install(OLDER ?? "");
  expect(await adj("--version")).toMatchObject({
    exitCode: 2,
    stdout: "",
    stderr: expect.stringMatching(/^adj: Node \S+ is too old, 24 or newer is needed; .*\n$/),
  });
  mkdirSync(join(home.project, "node_modules"));
  const installed = join(prefix, "lib", "node_modules", "adjutant");
  symlinkSync(installed, join(home.project, "node_modules", "adjutant"));
  for (const library of ["adjutant", "adjutant/agents", "adjutant/hooks", "adjutant/markdown"])
    expect(
      await run("node", ["--input-type=module", "-e", `import "${library}";`], {
        cwd: home.project,
        env,
      }),
    ).toMatchObject({
      exitCode: 2,
      stdout: "",
      stderr: expect.stringMatching(/^adjutant: Node \S+ is too old, 24 or newer is needed\n$/),
    });
  const caught = await run(
    "node",
    ["-e", 'import("adjutant").catch((error) => console.log(error.message))'],
    { cwd: home.project, env },
  );
  expect(caught).toMatchObject({ exitCode: 0, stderr: "" });
  expect(caught.stdout).toContain("is too old");
});
