// Guards that are too slow, and a state folder that cannot be read, on the real CLIs: the tool does not run.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { runProcess } from "../../src/core/process/run.ts";
import { installHooks } from "../../src/hooks/install/change.ts";
import { markerFile } from "../../src/hooks/pipeline/guard-marker.ts";
import { writeMarker } from "../../src/hooks/pipeline/write-marker.ts";
import { installClient } from "../../src/hooks/resident/client.ts";
import { makeIsolatedHome } from "../../src/sim/run-sim.ts";
import { parseScenario } from "../../src/sim/scenario.ts";
import { startSim } from "../../src/sim/server.ts";
import { ADJ } from "../program/adj.ts";
import { installerOf } from "../support/agents.ts";
import { markRepository, temporaryFolder } from "../support/temporary-folder.ts";
import { findLabCli, LAB_AGENTS, type LabAgent, missingMessage } from "./lab.ts";
import { PROMPT } from "./scenarios.ts";

const GUARD = `hooks:
  - { name: never, on: before_tool, match: { command: "never*" }, run: { builtin: deny } }
`;
const SCENARIO = `
turns:
  - tool_calls: [{ tool: shell, command: "echo ran > ran.txt" }]
  - text: Done.
`;
/** What a person's trust would allow. */
const EXTRA: Readonly<Partial<Record<LabAgent, readonly string[]>>> = {
  codex: ["--dangerously-bypass-hook-trust"],
};

interface Place {
  readonly folder: string;
  readonly dataDir: string;
  readonly stateDir: string;
}

async function runUnder(agent: LabAgent, spoil: (place: Place) => void) {
  const cli = findLabCli(agent);
  if (cli === null) throw new Error(missingMessage(agent));
  const sim = await startSim(parseScenario(SCENARIO, "in-time"));
  onTestFinished(() => sim.close());
  const PATH = [dirname(process.execPath), process.env.PATH].join(delimiter);
  const { CI: _, ...source } = process.env;
  const isolated = await makeIsolatedHome({ agent, url: sim.url, source: { ...source, PATH } });
  onTestFinished(() => isolated.remove());
  const folder = temporaryFolder();
  const [dataDir, stateDir, configDir] = ["data", "state", "config"].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  const workspace = join(folder, "project");
  markRepository(workspace);
  for (const made of [stateDir, configDir]) mkdirSync(made, { recursive: true });
  writeFileSync(join(configDir, "hooks.yaml"), GUARD);
  const own = { ADJ_STATE_DIR: stateDir, ADJ_CONFIG_DIR: configDir, ADJ_DATA_DIR: dataDir };
  const env = { ...isolated.env, ...own, ADJ_RESIDENT: "off" };
  await writeMarker(dataDir, [{ configDir, root: "*", steps: "before_tool=*", files: "" }]);
  const client = [installClient(dataDir, ADJ)];
  const target = { env, home: isolated.home, root: workspace };
  const words = [...client, agent];
  const isExec = agent === "claude-code" ? { exec: words } : {};
  const entries = { command: words.join(" "), client: words, ...isExec, limitMs: 60_000 };
  await installHooks(
    installerOf(agent),
    { ...entries, guarded: new Set(["before_tool"]), http: null, isShimsOnly: false },
    { scope: "user", target, stateDir, client },
  );
  spoil({ folder, dataDir, stateDir });
  const [executable = "", first = "", ...rest] = cli.commandFor(PROMPT);
  const args = [first, ...(EXTRA[agent] ?? []), ...rest];
  const ending = await runProcess({ executable, args, env, cwd: workspace }, { timeoutMs: 90_000 });
  const text = Buffer.from(ending.stdout).toString() + Buffer.from(ending.stderr).toString();
  const told = JSON.stringify(sim.requests().map(({ request }) => request));
  const didRun = existsSync(join(workspace, "ran.txt"));
  return { didRun, ending: ending.kind, told, account: text.slice(-3_000) };
}

const untouched = () => undefined;

const replaceState = ({ stateDir }: Place) => {
  rmSync(stateDir, { recursive: true });
  writeFileSync(stateDir, "");
};

/** The program never answers, and the client's patience is a second. */
const stall = ({ folder, dataDir }: Place) => {
  const program = join(folder, "slow");
  writeFileSync(program, "#!/bin/sh\nexec sleep 1000\n", { mode: 0o755 });
  installClient(dataDir, program);
  const file = markerFile(dataDir);
  writeFileSync(file, readFileSync(file, "utf8").replaceAll(/^(limit\t.*\t)\d+$/gm, "$11"));
};

describe.each(LAB_AGENTS)("%s", (agent) => {
  if (findLabCli(agent) === null) {
    test.skip(missingMessage(agent));
    return;
  }
  test.each([
    ["runs what no guard stops", untouched, null],
    ["runs nothing where the state folder cannot be read", replaceState, "is not a folder"],
    ["runs nothing where guards have no answer in time", stall, "had no answer in time"],
  ])("%s", async (_, spoil, refusal) => {
    const seen = await runUnder(agent, spoil);
    expect(seen.didRun, seen.account).toBe(refusal === null);
    // It went on by itself, and the model was told why: a run that was ended from here shows neither.
    expect(seen.ending, seen.account).toBe("exited");
    if (refusal !== null) expect(seen.told).toContain(refusal);
  });
});
