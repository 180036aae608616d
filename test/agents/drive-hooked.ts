// A real CLI with our entries in its configuration: which of them it calls, and with what.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { joinWords } from "../../src/command/words.ts";
import { type HooksChange, installHooks } from "../../src/hooks/install/change-hooks.ts";
import type { HookInstaller, InstallScope } from "../../src/hooks/install/installer.ts";
import { runProcess } from "../../src/process/run-process.ts";
import { makeIsolatedHome } from "../../src/sim/isolated-home.ts";
import { parseScenario } from "../../src/sim/load-scenario.ts";
import { startSim } from "../../src/sim/server.ts";
import { temporaryFolder } from "../config/temporary-folder.ts";
import type { LabCli } from "./lab.ts";
import { PROMPT } from "./scenarios.ts";

export interface HookedDrive {
  readonly exitCode: number | null;
  readonly change: HooksChange;
  /** What the hook program was given, in order. */
  readonly payloads: readonly Readonly<Record<string, unknown>>[];
  /** Everything there is to say when an assertion fails. */
  readonly account: string;
}

interface HookedPlan {
  readonly cli: LabCli;
  readonly installer: HookInstaller;
  readonly scope: InstallScope;
  /** What the file holds before; null leaves it as the lab has it. */
  readonly before?: ((own: string | null) => string) | null;
  readonly extraArgs?: readonly string[];
  readonly extraEnv?: Readonly<Record<string, string>>;
}

const SHELL_CALL = `
turns:
  - tool_calls: [{ tool: shell, command: echo hooked }]
  - text: Done.
`;

/** Appends its input, one line each, and says nothing: no opinion on every agent. */
const RECORDER = `#!/bin/sh
{ cat; echo; } >>"$(dirname "$0")/calls"
`;

export async function driveHooked(plan: HookedPlan): Promise<HookedDrive> {
  const { cli, installer, scope } = plan;
  const sim = await startSim(parseScenario(SHELL_CALL, "hooked"));
  const source = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH}` };
  const isolated = await makeIsolatedHome({ agent: cli.agent, url: sim.url, source });
  try {
    const folder = temporaryFolder();
    const workspace = join(folder, "project");
    mkdirSync(join(workspace, ".git"), { recursive: true });
    const recorder = writeRecorder(folder);
    const place = { env: isolated.env, home: isolated.home, root: workspace };
    const file = installer.configFile(scope, place);
    if (plan.before) prepareFile(file, plan.before);
    const client = [recorder];
    const command = joinWords([...client, cli.agent]);
    const change = await installHooks(
      installer,
      { command, limitMs: 60_000, guarded: new Set(), http: null, isShimsOnly: false },
      { scope, place, stateDir: join(folder, "state"), client },
    );
    const [executable = "", ...args] = withExtra(cli.commandFor(PROMPT), plan.extraArgs ?? []);
    const env = { ...isolated.env, ...plan.extraEnv };
    const ending = await runProcess(
      { executable, args, env, cwd: workspace },
      { timeoutMs: 90_000 },
    );
    const output = Buffer.from(ending.stdout).toString().slice(-3_000);
    const errors = Buffer.from(ending.stderr).toString().slice(-3_000);
    const account = JSON.stringify({ ending: ending.kind, output, errors }, null, 1);
    return { exitCode: ending.exitCode, change, payloads: readCalls(recorder), account };
  } finally {
    await sim.close();
    await isolated.remove();
  }
}

function writeRecorder(folder: string): string {
  const recorder = join(folder, "state", "client", "adj-hook");
  mkdirSync(dirname(recorder), { recursive: true });
  writeFileSync(recorder, RECORDER, { mode: 0o700 });
  return recorder;
}

function prepareFile(file: string, before: (own: string | null) => string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, before(existsSync(file) ? readFileSync(file, "utf8") : null));
}

/** Flags stand before the prompt, which is always last. */
const withExtra = (words: readonly string[], extra: readonly string[]): string[] => {
  const [program = "", first = "", ...rest] = words;
  return extra.length === 0 ? [...words] : [program, first, ...extra, ...rest];
};

function readCalls(recorder: string): Record<string, unknown>[] {
  const calls = join(dirname(recorder), "calls");
  if (!existsSync(calls)) return [];
  const lines = readFileSync(calls, "utf8").split("\n");
  return lines.filter(Boolean).map((line) => JSON.parse(line));
}
