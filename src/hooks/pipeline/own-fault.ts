// What an agent is told when it is we who fail: where blocking guards were in force at the last good look the step is
// refused, with what is wrong; where none were it passes, and the person is told.
import { homedir } from "node:os";
import { isAbsolute } from "node:path";
import { findAgent } from "../../agents/roster.ts";
import type { HookAgent } from "../../agents/steps/hook-agent.ts";
import { isFolder } from "../../core/project/files.ts";
import { findDataDir, findPaths, isInside } from "../../core/project/paths.ts";
import type { Envelope, NativePayload } from "../../core/step/envelope.ts";
import { decidesTool, type StepName } from "../../core/step/step.ts";
import { NO_DECISION } from "../../core/step/verdict.ts";
import {
  EVERYWHERE,
  IN_FORCE,
  linesOf,
  MAY_BE_IN_FORCE,
  markerFile,
  REASON_MARK,
  readMarker,
} from "./guard-marker.ts";
import { type HookCall, type HookReply, silentReply } from "./hook-call.ts";

interface OwnFault {
  readonly call: Pick<HookCall, "env" | "cwd" | "event">;
  readonly agent: HookAgent;
  /** Null where it cannot be read. */
  readonly payload: NativePayload | null;
  readonly problem: string;
  /** A person was asked, so it is refused whatever guards there are. */
  readonly isHeld?: boolean;
}

export async function replyToFault(fault: OwnFault): Promise<HookReply> {
  const { call, agent, payload, problem, isHeld } = fault;
  const { env, cwd } = call;
  const dataDir = findDataDir(env, env.HOME || homedir());
  const found = readMarker(dataDir);
  const marker = found === "" && hasRelativeDataDir(env) ? null : found;
  const envelope = payload === null ? null : readFaultyStep(agent, payload, call);
  const isStep = envelope !== null || payload === null;
  const event = envelope === null ? (call.event ?? null) : eventOf(agent, envelope);
  const { projectVariables } = agent.abilities;
  const named = projectVariables.map((name) => env[name] ?? "");
  const folders = [cwd, ...(envelope === null ? [] : [envelope.cwd]), ...named];
  const query = { agent: agent.name, event, configDir: findConfigDir(env), folders };
  const isUnknown = marker === null;
  const isGuarded = isHeld || isUnknown || hadGuards(marker, query);
  const refusal = isStep && isGuarded ? await refuse() : "";
  return refusal === ""
    ? silentReply(agent.silence(payload ?? {}), findAgent(agent.name)?.readsStderr ? "" : problem)
    : silentReply(refusal, "");

  async function refuse(): Promise<string> {
    const reason = `${problem}; ${isUnknown ? unreadable(dataDir) : IN_FORCE}`;
    if (envelope !== null) return refuseStep(agent, envelope, reason);
    return isUnknown
      ? ((await writeRefusal(agent, event, reason)) ?? "")
      : (markedRefusal(marker, query, problem) ?? "");
  }
}

/** The marker is looked for in the usual place then, which need not be where it was written. */
const hasRelativeDataDir = ({ ADJ_DATA_DIR = "", XDG_DATA_HOME = "" }: HookCall["env"]): boolean =>
  [ADJ_DATA_DIR, XDG_DATA_HOME].some((folder) => folder !== "" && !isAbsolute(folder));

const unreadable = (dataDir: string): string =>
  `\`${markerFile(dataDir)}\`, which says what is in force, cannot be read: make it a file that you can read, or write it anew with \`adj install\`; ${MAY_BE_IN_FORCE}`;

/** What made us fail may make this fail too; then it is a step of which nothing is known. */
function readFaultyStep(
  agent: HookAgent,
  payload: NativePayload,
  { env, cwd }: Pick<HookCall, "env" | "cwd">,
): Envelope | null {
  try {
    return agent.readStep(payload, { env, cwd, correlationId: "fault", time: "" });
  } catch {
    return null;
  }
}

const eventOf = ({ abilities }: HookAgent, { step }: Envelope): string =>
  abilities.steps[step]?.event ?? step;

function findConfigDir(env: HookCall["env"]): string | null {
  // Of an override that is no absolute path, or names no folder, it is not known whose guards these were.
  try {
    const { configDir } = findPaths(
      { ...env, ADJ_STATE_DIR: undefined, XDG_STATE_HOME: undefined },
      env.HOME || homedir(),
    );
    return isFolder(configDir) ? configDir : null;
  } catch {
    return null;
  }
}

interface GuardQuery {
  readonly agent: string;
  /** Null where it is not known: then any event's guard counts. */
  readonly event: string | null;
  /** Null where it cannot be found out. */
  readonly configDir: string | null;
  /** Where the agent is, as far as that is known. */
  readonly folders: readonly string[];
}

function hadGuards(marker: string, { agent, event, configDir, folders }: GuardQuery) {
  return linesOf(marker, "guard").some(
    ([name, at, config = "", root = ""]) =>
      name === agent &&
      (event === null || event === at) &&
      (configDir === null || configDir === config) &&
      (root === EVERYWHERE || folders.some((folder) => isInside(folder, root))),
  );
}

/** The agent's own refusal, without its payload having been read; null where there is none for the event. */
function markedRefusal(
  marker: string,
  { agent, event }: Pick<GuardQuery, "agent" | "event">,
  reason: string,
): string | null {
  const lines = linesOf(marker, "deny").filter(([name]) => name === agent);
  const [, , answer] = lines.find(([, at]) => event === null || at === event) ?? [];
  const text = JSON.stringify(reason.toWellFormed()).slice(1, -1);
  return answer?.replaceAll(REASON_MARK, () => text) ?? null;
}

// What an agent of a turn is told where nobody can be asked: inside a turn no tool runs that nobody approved.

type TurnFault = Omit<OwnFault, "call"> & { readonly call: Pick<HookCall, "env" | "cwd"> };

/** A tool's refusal in the agent's own words; at every other step its silence. */
export async function refuseInTurn({ call, agent, payload, problem }: TurnFault): Promise<string> {
  const reason = `${problem}; nobody could be asked whether it may run, so it did not`;
  if (payload === null) return (await writeRefusal(agent, null, reason)) ?? agent.silence({});
  const envelope = readFaultyStep(agent, payload, call);
  const isTool = envelope !== null && decidesTool(envelope.step);
  return isTool ? refuseStep(agent, envelope, reason) : agent.silence(payload);
}

const refuseStep = (agent: HookAgent, envelope: Envelope, reason: string): string =>
  agent.writeAnswer({ ...NO_DECISION, control: "veto", permission: "deny", reason }, envelope)
    .stdout;

/** Its refusal at an event of which there is no payload; without an event it is taken for a tool's. */
async function writeRefusal(
  agent: HookAgent,
  event: string | null,
  reason: string,
): Promise<string | null> {
  const installer = await findAgent(agent.name)?.install?.();
  if (installer === undefined) return null;
  const { writeRefusals } = await import("./write-marker.ts");
  const refusals = await writeRefusals(installer, reason);
  const isIt = (one: { event: string; step: StepName }): boolean =>
    event === null ? one.step === "before_tool" : one.event === event;
  return refusals.find(isIt)?.answer ?? null;
}
