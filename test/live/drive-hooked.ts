// A real CLI with our entries in its configuration: which of them it calls, and with what.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { findAgent } from "../../src/agents/roster.ts";
import {
  type HookInstaller,
  type HookScope,
  installerFor,
} from "../../src/agents/steps/installer.ts";
import { findHooksOff } from "../../src/agents/steps/settings-layers.ts";
import { joinWords } from "../../src/core/command/words.ts";
import { runProcess } from "../../src/core/process/run.ts";
import type { HooksChange } from "../../src/hooks/install/apply.ts";
import { installHooks } from "../../src/hooks/install/change.ts";
import { makeIsolatedHome } from "../../src/sim/run-sim.ts";
import { parseScenario } from "../../src/sim/scenario.ts";
import { startSim } from "../../src/sim/server.ts";
import { markRepository, temporaryFolder, writeFiles } from "../support/temporary-folder.ts";
import type { LabCli } from "./lab.ts";
import { PROMPT } from "./scenarios.ts";

export interface HookedDrive {
  readonly exitCode: number | null;
  readonly change: HooksChange;
  /** What the hook program was given, in order. */
  readonly payloads: readonly Readonly<Record<string, unknown>>[];
  /** What of its settings keeps it from calling hooks, as far as we see. */
  readonly switches: readonly { readonly why: string }[];
  /** Everything there is to say when an assertion fails. */
  readonly account: string;
}

interface HookedPlan {
  readonly cli: LabCli;
  readonly installer: HookInstaller;
  readonly scope: HookScope;
  /** What the file holds before; null leaves it as the lab has it. */
  readonly before?: ((own: string | null) => string) | null;
  /** Files of the project, by path. */
  readonly project?: Readonly<Record<string, string>>;
  /** Where below the project it is started; in its root by default. */
  readonly startIn?: string;
  readonly extraArgs?: readonly string[];
  /** The same by the folder of the project. */
  readonly trusted?: (root: string) => readonly string[];
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
  const { cli, scope } = plan;
  const installer = installerFor(plan.installer, scope);
  if (installer === null) throw new TypeError(`${cli.agent} has no such layer`);
  const sim = await startSim(parseScenario(SHELL_CALL, "hooked"));
  const source = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH}` };
  const isolated = await makeIsolatedHome({ agent: cli.agent, url: sim.url, source });
  try {
    const folder = temporaryFolder();
    const workspace = join(folder, "project");
    markRepository(workspace);
    const recorder = writeRecorder(folder);
    writeFiles(workspace, plan.project ?? {});
    const systemRoot = join(folder, "system");
    const place = { env: isolated.env, home: isolated.home, root: workspace, systemRoot };
    const file = installer.configFile(scope === "project" ? scope : "user", place);
    if (plan.before) prepareFile(file, plan.before);
    const client = [recorder];
    const command = joinWords([...client, cli.agent]);
    const change = await installHooks(
      installer,
      { command, limitMs: 60_000, guarded: new Set(), http: null, isShimsOnly: false },
      { scope, target: place, stateDir: join(folder, "state"), client },
    );
    const words = withExtra(
      cli.commandFor(PROMPT),
      plan.trusted?.(workspace) ?? plan.extraArgs ?? [],
    );
    const [executable = "", ...args] = scope === "managed" ? withEtc(systemRoot, words) : words;
    const env = { ...isolated.env, ...plan.extraEnv };
    const ending = await runProcess(
      { executable, args, env, cwd: join(workspace, plan.startIn ?? "") },
      { timeoutMs: 90_000 },
    );
    const output = Buffer.from(ending.stdout).toString().slice(-3_000);
    const errors = Buffer.from(ending.stderr).toString().slice(-3_000);
    const account = JSON.stringify({ ending: ending.kind, output, errors }, null, 1);
    const { exitCode } = ending;
    const seen = {
      env,
      home: isolated.home,
      root: workspace,
      cwd: join(workspace, plan.startIn ?? ""),
    };
    const agent = findAgent(cli.agent);
    const switches = agent === null ? [] : await findHooksOff(agent, seen);
    return { exitCode, change, payloads: readCalls(recorder), switches, account };
  } finally {
    await sim.close();
    await isolated.remove();
  }
}

const ETC = ["passwd", "group", "hosts", "resolv.conf", "nsswitch.conf", "ssl", "alternatives"];

/** The CLI sees the folders below `etc` of another root as the machine's own; the machine's stay as they are. */
function withEtc(systemRoot: string, words: readonly string[]): string[] {
  const kept = ETC.map((name) => join("/etc", name)).filter((path) => existsSync(path));
  const own = readdirSync(join(systemRoot, "etc")).map((name) => join("/etc", name));
  return [
    ...["bwrap", "--dev-bind", "/", "/", "--tmpfs", "/etc", "--die-with-parent"],
    ...kept.flatMap((path) => ["--ro-bind", path, path]),
    ...own.flatMap((path) => ["--ro-bind", join(systemRoot, path), path]),
    ...["--", ...words],
  ];
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
