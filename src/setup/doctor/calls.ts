// Whether what is installed can be called, and how long that takes.

import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { requireHookAgent } from "../../agents/roster.ts";
import type { HookInstaller, HookScope, InstallContext } from "../../agents/steps/installer.ts";
import { messageOf } from "../../core/command/fault.ts";
import { monotonicMs } from "../../core/command/time.ts";
import { quoteWord } from "../../core/command/words.ts";
import { attentionFinding, type Finding, okFinding } from "../../core/commands/finding.ts";
import { findProgram } from "../../core/process/find-program.ts";
import { runProcess } from "../../core/process/run.ts";
import { isRecord } from "../../core/project/json-value.ts";
import { findDataDir } from "../../core/project/paths.ts";
import { isOpenToOthers } from "../../hooks/commands/entry-request.ts";
import { makePayload, makeToolCall } from "../../hooks/commands/step-request.ts";
import { commandOfHandler, programOfLine } from "../../hooks/install/entries.ts";
import type { HooksSeen } from "../../hooks/install/look.ts";
import type { HookSet } from "../../hooks/match/rule.ts";
import { isOtherClient } from "../../hooks/resident/client.ts";
import type { ScopeSeen } from "./entries.ts";

export interface Examination {
  readonly target: InstallContext;
  /** Where the person is, and would start the agent. */
  readonly cwd: string;
  readonly set: HookSet;
  readonly stateDir: string;
  readonly signal: AbortSignal;
}

interface CallsSeen {
  readonly p50Ms: number | null;
  readonly findings: readonly Finding[];
}

export async function examineCalls(
  installer: HookInstaller,
  installed: readonly ScopeSeen[],
  examination: Examination,
): Promise<CallsSeen> {
  const { target } = examination;
  const findings: Finding[] = [];
  let p50Ms: number | null = null;
  for (const { scope, seen } of installed)
    for (const call of listCalls(installer, seen)) {
      const checked = await examineCall(installer, call, examination);
      findings.push({ ...checked.finding, text: `${scope}: ${checked.finding.text}` });
      if (call.kind !== "http" && isOldClient(call.program, examination))
        findings.push(judgeOldClient(installer.agent, scope));
      if (call.kind === "http" && isOpenToOthers(seen.file))
        findings.push(judgeShared(scope, seen.file));
      if (call.kind !== "http" && isOtherClient(call.program, findDataDir(target.env, target.home)))
        findings.push(judgeOtherClient(installer.agent, scope));
      p50Ms ??= checked.p50Ms;
    }
  return { p50Ms, findings };
}

/** Versions before 0.3 had it in the state folder, and it refuses nothing where that folder fails. */
const isOldClient = (program: string, { stateDir }: Examination): boolean =>
  dirname(resolve(program)) === join(resolve(stateDir), "client");

const judgeOldClient = (agent: string, scope: HookScope): Finding =>
  attentionFinding(
    `${scope}: the entries call the client of an earlier version, which this one still answers and the next will not`,
    `\`adj install ${agent} --${scope}\` moves them`,
  );

/** Whoever has the secret of the entry can ask the guards what they let pass. */
const judgeShared = (scope: HookScope, file: string): Finding =>
  attentionFinding(
    `${scope}: others can read ${file}, and \`--http\` wrote a secret into it`,
    `\`chmod 600 ${quoteWord(file)}\``,
  );

/** What guards it asks, if any, cannot be told from an answer: silence is also that of a guard. */
const judgeOtherClient = (agent: string, scope: HookScope): Finding =>
  attentionFinding(
    `${scope}: the entries call a client that is not this version's: it may ask no guard`,
    `\`adj install ${agent} --${scope}\` writes it anew`,
  );

async function examineCall(
  installer: HookInstaller,
  call: InstalledCall,
  { target, signal }: Examination,
): Promise<{ finding: Finding; p50Ms: number | null }> {
  if (call.kind !== "http") {
    const search = await findProgram(call.program, { path: target.env.PATH, cwd: target.root });
    if (search.kind !== "found")
      return { finding: judgeMissing(installer, call.program), p50Ms: null };
  }
  const payload = await makeSamplePayload(installer, target.root, new Date());
  const trip = await makeRoundTrip({ call, payload, target, signal });
  const way = call.kind === "http" ? "over HTTP" : "through the installed command";
  if (trip.kind === "answered")
    return {
      finding: okFinding(`a round trip ${way} takes ${trip.p50Ms} ms (p50)`),
      p50Ms: trip.p50Ms,
    };
  const repair = `\`adj install ${installer.agent}\` again, or look with \`adj log\``;
  return {
    finding: attentionFinding(`a round trip ${way} failed: ${trip.problem}`, repair),
    p50Ms: null,
  };
}

function judgeMissing({ agent, blocksWithoutProgram }: HookInstaller, program: string): Finding {
  const effect = blocksWithoutProgram
    ? `\`${agent}\` blocks every tool call`
    : `\`${agent}\` runs everything unguarded`;
  return attentionFinding(
    `the entries call \`${program}\`, which is not there: ${effect}`,
    `\`adj install ${agent}\` mends them, \`adj uninstall ${agent}\` takes them away`,
  );
}

// What an installed entry calls, read back from the agent's own file.

type InstalledCall =
  /** A line that is run by a shell, as the agent does it. */
  | { readonly kind: "line"; readonly line: string; readonly program: string }
  | { readonly kind: "words"; readonly words: readonly string[]; readonly program: string }
  | {
      readonly kind: "http";
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
    };

/** Every program once, as it is called for a tool where it is, in the order of the file. */
function listCalls(installer: HookInstaller, seen: HooksSeen): InstalledCall[] {
  if (installer.kind === "plugin") return [readPlugin(seen.file)];
  const deciding = installer.abilities.steps.before_tool?.event;
  const ofTools = seen.ours.filter(({ event }) => event === deciding);
  const distinct = new Map(
    [...seen.ours, ...ofTools].map(callOfHandler).map((call) => [calledBy(call), call]),
  );
  return [...distinct.values()];
}

const calledBy = (call: InstalledCall): string => (call.kind === "http" ? call.url : call.program);

function callOfHandler({ handler }: HooksSeen["ours"][number]): InstalledCall {
  const line = commandOfHandler(handler);
  if (line !== null) return { kind: "line", line, program: programOfLine(line) };
  const entry = isRecord(handler) ? handler : {};
  const headers = isRecord(entry.headers) ? entry.headers : {};
  return {
    kind: "http",
    url: String(entry.url),
    headers: Object.fromEntries(
      Object.entries(headers)
        .map(([name, value]) => [name, String(value)] as const)
        // Those with a variable are filled in by the agent.
        .filter(([, value]) => !value.includes("$")),
    ),
  };
}

function readPlugin(file: string): InstalledCall {
  const text = readFileSync(file, "utf8");
  const program = readConstant(text, "PROGRAM");
  const words = readConstant(text, "WORDS");
  return {
    kind: "words",
    program: typeof program === "string" ? program : "",
    words: Array.isArray(words) ? words.map(String) : [],
  };
}

function readConstant(text: string, name: string): unknown {
  const value = new RegExp(`^const ${name} = (.*);$`, "m").exec(text)?.[1];
  return value === undefined ? undefined : JSON.parse(value);
}

// The installed entry called as its agent would call it, a few times.

type RoundTrip =
  | { readonly kind: "answered"; readonly p50Ms: number; readonly answer: string }
  | { readonly kind: "failed"; readonly problem: string };

const CALLS = 5;
const LIMIT_MS = 20_000;

interface RoundTripOptions {
  readonly call: InstalledCall;
  readonly payload: string;
  readonly target: InstallContext;
  readonly signal: AbortSignal;
}

async function makeRoundTrip(options: RoundTripOptions): Promise<RoundTrip> {
  const times: number[] = [];
  let answer = "";
  for (let made = 0; made < CALLS; made++) {
    const startedAt = monotonicMs();
    const reply = await callOnce(options);
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

async function callOnce(options: RoundTripOptions): Promise<Reply> {
  const { call } = options;
  const reply = call.kind === "http" ? await post(call, options) : await spawn(call, options);
  return reply.problem === null ? { ...reply, problem: findProblem(reply.answer) } : reply;
}

/** An answer is empty or exactly one JSON object. */
function findProblem(answer: string): string | null {
  if (answer.trim() === "") return null;
  try {
    const value: unknown = JSON.parse(answer);
    if (isRecord(value)) return null;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  return `it printed what is no answer: ${answer.trim().slice(0, 80)}`;
}

async function spawn(
  call: Exclude<InstalledCall, { kind: "http" }>,
  { payload, target, signal }: RoundTripOptions,
): Promise<Reply> {
  const words = call.kind === "line" ? ["/bin/sh", "-c", call.line] : [call.program, ...call.words];
  const [executable = "", ...args] = words;
  const ending = await runProcess(
    { executable, args, env: agentEnvironment(target), cwd: target.root },
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
const agentEnvironment = ({ env }: InstallContext): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && !OWN.test(entry[0]),
    ),
  );

async function post(
  { url, headers }: Extract<InstalledCall, { kind: "http" }>,
  { payload, signal }: RoundTripOptions,
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
    return { answer: "", problem: messageOf(cause) };
  }
}

/** A tool call that harms nobody, as the agent would tell of it. */
async function makeSamplePayload(
  installer: HookInstaller,
  cwd: string,
  time: Date,
): Promise<string> {
  const agent = await requireHookAgent(installer.agent);
  const payload = makePayload(installer, {
    ...{ step: "before_tool", session: "adj-doctor", cwd, time, prompt: "", output: "" },
    call: makeToolCall(agent, { command: "true" }, cwd),
  });
  if (payload === null) throw new TypeError(`${agent.name} has no event before a tool`);
  return JSON.stringify(payload);
}
