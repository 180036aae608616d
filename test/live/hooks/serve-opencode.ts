// `opencode run` ends with the first answer; a session that a server keeps goes on when it is told to.
import { createServer } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { runProcess } from "../../../src/core/process/run.ts";
import { closeServer, LOOPBACK, listenOnLoopback } from "../../../src/sim/server.ts";
import { start } from "../../program/adj.ts";
import type { RunCli } from "./drive-guarded.ts";
import type { HookedPlace } from "./hooked-place.ts";

const TIME_LIMIT = 60_000;

export const runServed: RunCli = async (place, [executable = "", verb = "", ...rest]) => {
  const { env, workspace: cwd } = place;
  const port = await findPort();
  const server = start(executable, ["serve", "--port", String(port)], { cwd, env });
  try {
    await server.printed("listening on");
    const args = [verb, "--attach", `http://${LOOPBACK}:${port}`, ...rest];
    const ending = await runProcess({ executable, args, env, cwd }, { timeoutMs: TIME_LIMIT });
    await awaitLastEnd(place);
    return ending;
  } finally {
    server.child.kill();
    await server.ended;
  }
};

/** The end of the turn at which the gate is asked no more. */
async function awaitLastEnd({ adj }: HookedPlace): Promise<void> {
  const until = performance.now() + TIME_LIMIT;
  while (performance.now() < until) {
    const { stdout } = await adj("log", "--json", "--last", "20");
    if (stdout.includes("was continued 3 times")) return;
    await pause(100);
  }
}

async function findPort(): Promise<number> {
  const server = createServer();
  const port = await listenOnLoopback(server, 0);
  await closeServer(server);
  return port;
}
