// A synced command called as the agent's own, and the same file by `adj`: what the model then hears.
import { dirname } from "node:path";
import { runProcess } from "../../src/core/process/run.ts";
import { createAdjutant } from "../../src/program.ts";
import { makeIsolatedHome } from "../../src/sim/run-sim.ts";
import { parseScenario } from "../../src/sim/scenario.ts";
import { startSim } from "../../src/sim/server.ts";
import type { openSyncProgram } from "../markdown/commands/sync-home.ts";
import type { LabAgent, LabCli } from "./lab.ts";

const ANSWER = "turns: [{ text: Done. }]";

/** How each calls a command of its own where nobody types. */
const CALLS: Readonly<
  Partial<Record<LabAgent, (cli: LabCli, call: NativeCall) => readonly string[]>>
> = {
  codex: (cli, { name, line }) => cli.commandFor(`$${name} ${line}`.trim()),
  // It takes a command by a flag and its words one by one; one with a blank in it would be put in quotes.
  opencode: (cli, { name, line }) => [
    ...cli.commandFor("").slice(0, -1),
    ...["--command", name],
    ...line.split(" "),
  ],
};

export interface NativeCall {
  readonly name: string;
  /** As it is typed behind the name. */
  readonly line: string;
}

type SyncProgram = ReturnType<typeof openSyncProgram>;

/** All that the user said to the model, as the CLI sent it. */
export async function callNatively(
  cli: LabCli,
  testProgram: SyncProgram,
  call: NativeCall,
): Promise<string> {
  const make =
    CALLS[cli.agent] ?? ((_, { name, line }) => cli.commandFor(`/${name} ${line}`.trim()));
  return withModel(cli, async (env) => {
    const [executable = "", ...args] = make(cli, call);
    const ending = await runProcess(
      { executable, args, env, cwd: testProgram.root },
      { timeoutMs: 90_000 },
    );
    return Buffer.from(ending.stderr).toString().slice(-2_000);
  });
}

export async function callByAdj(
  cli: LabCli,
  testProgram: SyncProgram,
  words: readonly string[],
): Promise<string> {
  const variable = `ADJ_AGENT_${cli.agent.toUpperCase().replaceAll("-", "_")}`;
  return withModel(cli, async (isolated) => {
    const env = { ...isolated, ...testProgram.env, HOME: isolated.HOME, [variable]: cli.program };
    const adjutant = await createAdjutant({
      cwd: testProgram.root,
      env: { ...env, PATH: isolated.PATH },
    });
    try {
      const [name = "", ...rest] = words;
      const args = [...rest, "--agent", cli.agent];
      const { result } = await adjutant.dispatch({ name, args });
      return String(result.errorOutput ?? "");
    } finally {
      await adjutant.close();
    }
  });
}

async function withModel(
  cli: LabCli,
  run: (env: Readonly<Record<string, string>>) => Promise<string>,
): Promise<string> {
  const sim = await startSim(parseScenario(ANSWER, "command"));
  const source = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH}` };
  const isolated = await makeIsolatedHome({ agent: cli.agent, url: sim.url, source });
  try {
    const errors = await run(isolated.env);
    const turn = sim.requests().find(({ kind, request }) => kind === "turn" && request !== null);
    const messages = turn?.request?.messages.filter(({ role }) => role === "user") ?? [];
    if (messages.length === 0) throw new Error(`no model was asked: ${errors}`);
    return messages.map(({ text }) => text).join("\n");
  } finally {
    await sim.close();
    await isolated.remove();
  }
}
