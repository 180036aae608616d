// `adj hook AGENT`, cold: stdin → reply → stdout. It always ends with 0; an agent may take anything else for a "no".
// Only without an agent it ends otherwise: that is a person.
import { homedir } from "node:os";
import { Fault } from "../../command/fault.ts";
import { findPaths } from "../../config/paths.ts";
import { findHookAgent, hookAgentNames } from "../../hooks/agents/roster.ts";
import { createHookAnswerer } from "../../hooks/answer-hook.ts";
import { ownProblem } from "../../hooks/own-problem.ts";
import { selectHookVariables } from "../../resident/hook-variables.ts";
import { offerResident, wantsResident } from "../../resident/start-resident.ts";
import { VERSION } from "../../version.ts";
import { writeOut } from "../cli/write-out.ts";
import { makeColdParts } from "./cold-parts.ts";
import { readPayload } from "./read-payload.ts";

export async function runHook(agent: string): Promise<void> {
  if (agent === "" || agent.startsWith("-")) {
    explain(agent === "--help" || agent === "-h");
    return;
  }
  try {
    await answerOnce(agent);
  } catch (error) {
    // The answer is out, or nobody reads it; what else went wrong must be known where it can be.
    const isRead = findHookAgent(agent)?.abilities.readsStderr ?? false;
    if (!isRead) writeOut(`adj: ${ownProblem(error)}\n`, "stderr");
  }
}

function explain(isAskedFor: boolean): void {
  const usage = `adj hook AGENT is what agents call, with a payload on stdin; \`adj install AGENT\` wires it in, \`adj hooks test\` tries it; agents: ${hookAgentNames().join(", ")}\n`;
  writeOut(isAskedFor ? usage : `adj: ${usage}`, isAskedFor ? "stdout" : "stderr");
  process.exitCode = isAskedFor ? 0 : 2;
}

async function answerOnce(agent: string): Promise<void> {
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => stop.abort());
  const parts = makeColdParts();
  const answer = createHookAnswerer(parts);
  const payload = readPayload();
  const reply = await answer({
    agent,
    payload: payload ?? "",
    env: selectHookVariables(process.env),
    cwd: currentFolder(),
    signal: stop.signal,
  });
  writeOut(reply.stdout, "stdout");
  const isTold = payload === null && reply.stderr !== "";
  writeOut(isTold ? "adj: the payload is too large to be looked at\n" : reply.stderr, "stderr");
  await offer(parts.program);
  await reply.background;
  reply.record();
}

/** The answer is out: from the next call on, somebody may be there who gives it faster. */
async function offer(entry: readonly string[]): Promise<void> {
  const { env } = process;
  if (!wantsResident(env)) return;
  try {
    const { stateDir } = findPaths(env, env.HOME || homedir());
    await offerResident({ stateDir, version: VERSION, entry, env });
  } catch (error) {
    // A state folder that cannot be used was told of with the answer.
    if (!(error instanceof Fault)) throw error;
  }
}

/** The folder may have been removed under the agent. */
function currentFolder(): string {
  try {
    return process.cwd();
  } catch {
    return "/";
  }
}
