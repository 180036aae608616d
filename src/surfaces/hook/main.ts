// `adj hook AGENT`, cold: stdin → reply → stdout. It always ends with 0; an agent may take anything else for a "no".
import { createHookAnswerer } from "../../hooks/answer-hook.ts";
import { selectHookVariables } from "../../resident/hook-variables.ts";
import { writeOut } from "../cli/write-out.ts";
import { makeColdParts } from "./cold-parts.ts";
import { readPayload } from "./read-payload.ts";

export async function runHook(agent: string): Promise<void> {
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => stop.abort());
  const answer = createHookAnswerer(makeColdParts());
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
  reply.record();
  await reply.background;
}

/** The folder may have been removed under the agent. */
function currentFolder(): string {
  try {
    return process.cwd();
  } catch {
    return "/";
  }
}
