// The ten example commands by the built program, in a real repository.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sampled } from "../support/tier.ts";
import { type Home, makeHome } from "./adj.ts";
import {
  COMMANDS_FOLDER,
  EXAMPLES,
  type Example,
  makeExampleProject,
  readSaid,
  typeExample,
} from "./example-project.ts";

const TIME_LIMIT = 90_000;

async function makeProject({ isStaged }: Pick<Example, "isStaged">): Promise<Home> {
  const home = makeHome();
  await makeExampleProject(home, isStaged);
  return home;
}

const onReplay = (name: string) => ["--agent", "replay", `--cassette=cassettes/${name}.yaml`];

/** The prompt of the only run there was. */
function readPrompt({ stateDir }: Home): string {
  const [run = ""] = readdirSync(join(stateDir, "runs"));
  const log = JSON.parse(readFileSync(join(stateDir, "runs", run, "log.json"), "utf8"));
  return log.messages[0].content;
}

it("there are ten, and each is tried", () => {
  const files = readdirSync(COMMANDS_FOLDER).sort();
  expect(files).toHaveLength(10);
  expect(EXAMPLES.map(({ name }) => `${name}.md`).sort()).toEqual(files);
});

describe("the example", { timeout: TIME_LIMIT }, () => {
  it.for(sampled(EXAMPLES))(
    "$name runs nothing to show its plan and explain itself, then says what was recorded, to a prompt that is whole",
    async (example) => {
      const { name, words, piped, holds, stderr } = example;
      const home = await makeProject(example);
      await checkDryRun(home, example);
      await checkExplanation(home, example);
      expect(existsSync(join(home.stateDir, "runs"))).toBe(false);
      const printed = await typeExample(home, [name, ...words, ...onReplay(name)], piped);
      expect({ stdout: printed.stdout, exitCode: printed.exitCode }, printed.stderr).toEqual({
        stdout: readSaid(name),
        exitCode: 0,
      });
      expect(printed.stderr).toMatch(stderr);
      const prompt = readPrompt(home);
      for (const part of holds) expect(prompt).toContain(part);
      expect(prompt.replace(piped?.trim() ?? "", "")).not.toMatch(/\{\{|\{%|!`/);
      expect(prompt).not.toContain("must not travel");
      expect(existsSync(join(home.project, "ran"))).toBe(false);
    },
  );
});

async function checkDryRun(home: Home, { name, words, piped, ...example }: Example): Promise<void> {
  const { pre, inline, post } = example;
  const typed = [name, ...words, ...onReplay(name), "--dry-run"];
  const { stdout, stderr, exitCode } = await typeExample(home, typed, piped);
  expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
  const [head = "", ...rest] = stdout.split("\n\n");
  const own = name === "onboarding" ? ["LC_COLLATE"] : [];
  const env = ["ADJ_CONFIG_DIR", "ADJ_CORRELATION_ID", "ADJ_SESSION_ID", "ADJ_STATE_DIR", "HOME"];
  expect(head.replace(/\d+ tokens/, "N tokens").split("\n")).toEqual([
    "agent: replay (`--agent` names it)",
    `argv: replay ${home.project}/cassettes/${name}.yaml`,
    `cwd: ${home.project}`,
    `env: ${[...env, ...own, "PATH", "TMPDIR", "XDG_CACHE_HOME"].join(" ")}`,
    ...(pre === undefined ? [] : [`pre, not run: ${pre}`]),
    ...inline.map((command) => `inline, not run: ${command}`),
    ...(post === undefined ? [] : [`post, not run: ${post}`]),
    "prompt: about N tokens, not sent to anybody",
  ]);
  const prompt = rest.join("\n\n");
  // What is piped in takes the place of the only command of `changelog`.
  const shown = name === "changelog" ? [] : inline;
  for (const command of shown) expect(prompt).toContain(`!\`${command}\``);
  if (piped !== undefined) expect(prompt).toContain(piped.trim());
}

async function checkExplanation(home: Home, example: Example): Promise<void> {
  const { name, words, agent, flags, effect, safety, pre, inline, imports, post } = example;
  const { stdout } = await home.adj("--json", "explain", name, ...words, "--agent", agent);
  const { kind, result } = JSON.parse(stdout);
  expect(kind, stdout).toBe("ok");
  const { metadata } = result;
  expect(metadata).toMatchObject({ name, agent, effect, safety, notes: [] });
  expect(metadata.args.join("\n")).toContain(flags.join("\n"));
  expect(metadata.pre).toEqual(pre === undefined ? [] : [pre]);
  expect(metadata.post).toEqual(post === undefined ? [] : [post]);
  const effects: readonly { kind: string; subject: string }[] = metadata.effects;
  const subjects = (of: (kind: string) => boolean) =>
    effects.filter((one) => of(one.kind)).map(({ subject }) => subject);
  expect(subjects((one) => one === "command")).toEqual(inline);
  expect(subjects((one) => one !== "command")).toEqual(imports);
  expect(metadata.tokens).toBe(Math.ceil(Buffer.byteLength(metadata.prompt) / 4));
}

describe("the examples", { timeout: TIME_LIMIT }, () => {
  it("stop before an agent is asked where there is nothing to do it with", async () => {
    const home = await makeProject({});
    const type = (...words: string[]) => typeExample(home, [...words, "--agent", "replay"]);
    for (const name of ["review", "commit-message"]) {
      const { stdout, stderr, exitCode } = await type(name);
      expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 1 });
      expect(stderr).toMatch(/exited with 1: nothing is staged\n$/);
    }
    const missing = await type("explain-code", "nowhere.mjs");
    expect(missing).toMatchObject({ stdout: "", exitCode: 1 });
    expect(missing.stderr).toContain("nowhere.mjs: No such file or directory");
    home.write({ "project/src/average.mjs": "" });
    const dirty = await type("refactor", "README.md", "--goal", "x");
    expect(dirty).toMatchObject({ stdout: "", exitCode: 1 });
    expect(dirty.stderr).toContain("commit or stash your changes first");
    expect(existsSync(join(home.stateDir, "runs"))).toBe(false);
  });

  it("take no word for a flag of git's", async () => {
    const home = await makeProject({});
    const words = ["release-notes", "--agent", "replay", "--", "--output=written"];
    const { stdout, exitCode } = await typeExample(home, words);
    expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 1 });
    expect(readdirSync(home.project).filter((file) => file.startsWith("written"))).toEqual([]);
  });

  it("`changelog` looks at the last commits where nothing is piped in", async () => {
    const home = await makeProject({});
    const { exitCode } = await typeExample(home, ["changelog", ...onReplay("changelog")]);
    expect(exitCode).toBe(0);
    expect(readPrompt(home)).toContain("\n\n- docs: what this is\n- feat: averages\n\nRules:");
  });

  it("a closed gate fails the build only where `--strict` asks for it", async () => {
    const home = await makeProject({});
    const words = ["security-scan", "--strict", ...onReplay("security-scan")];
    const { stdout, stderr, exitCode } = await typeExample(home, words);
    expect({ stdout, exitCode }).toEqual({ stdout: readSaid("security-scan"), exitCode: 1 });
    expect(stderr).toBe(
      'adj: `post` of `security-scan`: `[ "$strict" != true ] || ! grep -q "GATE: closed" "$ADJ_LOG_PATH"` exited with 1\n',
    );
  });
});
