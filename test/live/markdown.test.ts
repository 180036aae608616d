// A Markdown command through the built program and a real agent CLI: 5 MB of prompt arrive whole.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { programVariable } from "../../src/agents/run/availability.ts";
import { makeIsolatedHome } from "../../src/sim/run-sim.ts";
import { parseScenario } from "../../src/sim/scenario.ts";
import { type Sim, startSim } from "../../src/sim/server.ts";
import { ADJ, type Printed, run } from "../program/adj.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { findLabCli, type LabAgent, type LabCli, missingMessage } from "./lab.ts";

const TIME_LIMIT = 180_000;

// Every line its own, so that nothing can be missing unseen.
const LONG = Array.from(
  { length: 100_000 },
  (_, at) => `${at}: ${"long prompt, ".repeat(3)}end`,
).join("\n");

type Check = (place: Place) => Promise<void>;

/** Most CLIs refuse so much by themselves: Claude Code, copilot and qwen by their model's context. */
const CHECKS: readonly (readonly [LabAgent, string, Check])[] = [
  ["opencode", "the model gets every line of it", checkModel],
  ["codex", "it counts every character before it refuses so many", checkCount],
];

describe.each(CHECKS)("a prompt of 5 MB for %s", (agent, title, check) => {
  const cli = findLabCli(agent);
  if (cli === null) test.skip(missingMessage(agent));
  else test(title, { timeout: TIME_LIMIT }, async () => check(await makePlace(cli)));
});

async function checkModel({ adj, sim }: Place): Promise<void> {
  expect(await adj("read")).toMatchObject({ stderr: "", stdout: "Done.\n", exitCode: 0 });
  const turn = sim.requests().find(({ kind }) => kind === "turn");
  const sent = turn?.request?.messages.map(({ text }) => text) ?? [];
  expect(sent.some((text) => text.includes(LONG))).toBe(true);
}

async function checkCount({ adj }: Place): Promise<void> {
  const { stdout } = await adj("read", "--dry-run", "--json");
  const { prompt } = JSON.parse(stdout).result.metadata;
  expect(prompt).toContain(LONG);
  const { stderr, exitCode } = await adj("read");
  expect(exitCode).toBe(1);
  expect(stderr).toContain(`"actual_chars":${prompt.length}`);
}

interface Place {
  readonly sim: Sim;
  adj(...words: string[]): Promise<Printed>;
}

async function makePlace({ agent, program }: LabCli): Promise<Place> {
  const sim = await startSim(parseScenario("turns: [{ text: Done. }]", "whole"), {});
  onTestFinished(() => sim.close());
  // The scripts among the CLIs start with `env node`, which must be a new one.
  const PATH = `${dirname(process.execPath)}:${process.env.PATH}`;
  const source = { ...process.env, PATH };
  const home = await makeIsolatedHome({ agent, url: sim.url, source });
  onTestFinished(() => home.remove());
  const folder = temporaryFolder();
  const commands = join(folder, "config", "commands");
  mkdirSync(commands, { recursive: true });
  writeFileSync(join(commands, "long.txt"), LONG);
  writeFileSync(
    join(commands, "read.md"),
    `---\ndescription: Read\nagent: ${agent}\ntimeout: 2m\n---\nRead this.\n@./long.txt\n`,
  );
  const env = {
    ...home.env,
    ADJ_STATE_DIR: join(folder, "state"),
    ADJ_CONFIG_DIR: join(folder, "config"),
    [programVariable(agent)]: program,
  };
  return { sim, adj: (...words) => run(ADJ, words, { cwd: folder, env }) };
}
