// The installed entry called as its agent would call it, a few times.
import type { InstallPlace } from "../../hooks/install/installer.ts";
import { monotonicMs } from "../../monotonic-ms.ts";
import { runProcess } from "../../process/run-process.ts";
import type { InstalledCall } from "./installed-call.ts";

export type RoundTrip =
  | { readonly kind: "answered"; readonly p50Ms: number; readonly answer: string }
  | { readonly kind: "failed"; readonly problem: string };

const CALLS = 5;
const LIMIT_MS = 20_000;

export interface TripWish {
  readonly call: InstalledCall;
  readonly payload: string;
  readonly place: InstallPlace;
  readonly signal: AbortSignal;
}

export async function makeRoundTrip(wish: TripWish): Promise<RoundTrip> {
  const times: number[] = [];
  let answer = "";
  for (let made = 0; made < CALLS; made++) {
    const startedAt = monotonicMs();
    const reply = await callOnce(wish);
    times.push(monotonicMs() - startedAt);
    if (reply.problem !== null) return { kind: "failed", problem: reply.problem };
    answer = reply.answer;
  }
  const middle = times.toSorted((one, other) => one - other)[Math.floor(CALLS / 2)] ?? 0;
  return { kind: "answered", p50Ms: Math.round(middle * 10) / 10, answer };
}

interface Reply {
  readonly answer: string;
  readonly problem: string | null;
}

async function callOnce(wish: TripWish): Promise<Reply> {
  const { call } = wish;
  const reply = call.kind === "http" ? await post(call, wish) : await spawn(call, wish);
  return reply.problem === null ? { ...reply, problem: findProblem(reply.answer) } : reply;
}

/** An answer is empty or exactly one JSON object. */
function findProblem(answer: string): string | null {
  if (answer.trim() === "") return null;
  try {
    const value: unknown = JSON.parse(answer);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return null;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  return `it printed what is no answer: ${answer.trim().slice(0, 80)}`;
}

async function spawn(
  call: Exclude<InstalledCall, { kind: "http" }>,
  { payload, place, signal }: TripWish,
): Promise<Reply> {
  const words = call.kind === "line" ? ["/bin/sh", "-c", call.line] : [call.program, ...call.words];
  const [executable = "", ...args] = words;
  const ending = await runProcess(
    { executable, args, env: agentEnvironment(place), cwd: place.root },
    // What a cold call leaves running is the resident, which is to stay.
    { stdin: payload, timeoutMs: LIMIT_MS, signal, reap: "on-kill" },
  );
  const answer = Buffer.from(ending.stdout).toString("utf8");
  const said = Buffer.from(ending.stderr).toString("utf8").trim().slice(0, 200);
  if (ending.kind === "not_started") return { answer, problem: ending.problem };
  if (ending.kind !== "exited") return { answer, problem: `it ended as ${ending.kind}` };
  const problem = ending.exitCode === 0 ? null : `it exited with ${ending.exitCode}: ${said}`;
  return { answer, problem };
}

const OWN = /^ADJ_(?!STATE_DIR$|CONFIG_DIR$|RESIDENT|AGENT_)/;

/** What this very call of the program set is not what an agent has. */
const agentEnvironment = ({ env }: InstallPlace): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && !OWN.test(entry[0]),
    ),
  );

async function post(
  { url, headers }: Extract<InstalledCall, { kind: "http" }>,
  { payload, signal }: TripWish,
): Promise<Reply> {
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: payload,
      signal: AbortSignal.any([signal, AbortSignal.timeout(LIMIT_MS)]),
    });
    const answer = await response.text();
    return { answer, problem: response.ok ? null : `it answered with ${response.status}` };
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return { answer: "", problem: cause instanceof Error ? cause.message : String(cause) };
  }
}
