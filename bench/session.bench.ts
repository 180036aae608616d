// What a turn costs beside the agent: in a session of ten turns and of ten thousand, and from the prompt to the agent's
// process, against starting the same program by hand.
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openState } from "../src/core/store/state.ts";
import { findHost, type HostAddress } from "../src/session/host/address.ts";
import { createHostClient } from "../src/session/host/client.ts";
import type { SessionHost } from "../src/session/host/session-host.ts";
import { interleave, report } from "./interleave.ts";

const ADJ = join(import.meta.dirname, "..", "bin", "adj");
const folder = mkdtempSync(join(tmpdir(), "adjutant-bench-"));
const project = join(folder, "project");
mkdirSync(project);
const sessionId = `project:${project}`;
const options = { cwd: project, root: project, agent: null, model: null, params: {}, via: null };

/** A home whose session has so many turns behind it. */
function makeHome(name: string, turns: number): NodeJS.ProcessEnv {
  const stateDir = join(folder, name, "state");
  const store = openState(stateDir);
  for (let number = 1; number <= turns; number++) {
    const id = `${name}-${number}`;
    store.turns.add(id, sessionId, `prompt ${number}`, options);
    store.turns.start(id, { agent: "replay", model: null, runId: `r${number}` });
    const answer = `answer ${number}`;
    store.turns.end(id, { status: "done", answer, conversation: null, problem: null });
  }
  store.turns.writeConversation(sessionId, "replay", {
    conversation: "x",
    cwd: project,
    number: turns,
  });
  store.close();
  const { CI: _, ...rest } = process.env;
  const env = { ...rest, ADJ_STATE_DIR: stateDir, ADJ_CONFIG_DIR: join(folder, name, "config") };
  run(ADJ, ["send", "--agent", "replay", "hello"], env);
  return env;
}

function run(program: string, args: readonly string[], env: NodeJS.ProcessEnv): void {
  const { status, stderr } = spawnSync(program, args, { env, cwd: project });
  if (status !== 0) throw new Error(`${program} ${args.join(" ")} failed: ${stderr}`);
}

function requireHost(stateDir: string): HostAddress {
  const found = findHost(stateDir);
  if (found === null) throw new Error("no host runs");
  return found;
}

/** A window that is there already, as the console is: from the prompt to the end of the turn. */
async function sendAndWait(host: SessionHost, env: NodeJS.ProcessEnv): Promise<void> {
  const own = { ...options, agent: "command", params: { argv: [agent] }, via: "resume" };
  const stop = new AbortController();
  const events = host.follow({ sessionId: "bench", signal: stop.signal });
  const variables = { PATH: env.PATH ?? "", HOME: folder };
  const sent = host.send({ sessionId: "bench", text: "x", options: own, env: variables });
  for await (const event of events)
    if (event.kind === "turn" && event.turn.endedAt !== null) {
      if (event.turn.status !== "done") throw new Error(event.turn.problem?.message);
      break;
    }
  stop.abort();
  await sent;
}

// An agent that takes as long to start as a small CLI does.
const agent = join(folder, "slow-agent");
writeFileSync(agent, "#!/bin/sh\nsleep 0.4\necho done\n");
chmodSync(agent, 0o755);

try {
  const few = makeHome("few", 10);
  const many = makeHome("many", 10_000);
  const host = createHostClient(requireHost(join(folder, "few", "state")));
  const timings = await interleave(
    [
      {
        name: "send after 10 turns",
        run: () => run(ADJ, ["send", "--agent", "replay", "hello"], few),
      },
      {
        name: "send after 10,000 turns",
        run: () => run(ADJ, ["send", "--agent", "replay", "hello"], many),
      },
      { name: "sessions of 10 turns", run: () => run(ADJ, ["sessions"], few) },
      { name: "sessions of 10,000 turns", run: () => run(ADJ, ["sessions"], many) },
      { name: "the agent by hand", run: () => run(agent, [], few) },
      { name: "the agent in a turn", run: () => sendAndWait(host, few) },
    ],
    Number(process.env.ADJ_BENCH_ROUNDS ?? 15),
  );
  report("sessions", timings, [
    { of: "send after 10,000 turns", against: "send after 10 turns", atMost: 2 },
    { of: "sessions of 10,000 turns", against: "sessions of 10 turns", atMost: 2 },
    { of: "the agent in a turn", against: "the agent by hand", atMost: 1.3 },
  ]);
} finally {
  for (const name of ["few", "many"])
    execFileSync(ADJ, ["serve", "stop"], {
      cwd: project,
      env: { ...process.env, ADJ_STATE_DIR: join(folder, name, "state") },
    });
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
}
