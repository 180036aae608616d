// Writes the marker: what was known of other projects stays, the words and limits are those of this version. It loads
// every agent, so it is loaded only when something changed.
import { lstatSync } from "node:fs";
import { AGENTS, loadInstallers, requireHookAgent } from "../../agents/roster.ts";
import { eventsOf, type StepEvent } from "../../agents/steps/hook-agent.ts";
import type { HookInstaller } from "../../agents/steps/installer.ts";
import { replaceCache, statOf } from "../../core/project/files.ts";
import { limitOfStep, type StepName } from "../../core/step/step.ts";
import { NO_DECISION } from "../../core/step/verdict.ts";
import {
  EVERYWHERE,
  IN_FORCE,
  linesOf,
  MARKER_HEAD,
  type MarkedSet,
  markerFile,
  REASON_MARK,
  readMarker,
} from "./guard-marker.ts";

/**
 * A folder that cannot be written keeps what it has. What was known of a configuration that is gone stays known, unless a
 * person has it written anew.
 */
export async function writeMarker(
  dataDir: string,
  sets: readonly MarkedSet[],
  isAnew = false,
): Promise<void> {
  const before = readMarker(dataDir) ?? "";
  const kept = keptSets(before, sets).filter(({ configDir }) => !isAnew || isThere(configDir));
  const text = await formatMarker([...kept, ...sets]);
  if (text !== before) replaceCache(markerFile(dataDir), text);
}

/** Those of others, but for projects that are gone; a folder that cannot be looked at is not gone. */
function keptSets(marker: string, sets: readonly MarkedSet[]): MarkedSet[] {
  const isNew = (one: MarkedSet) =>
    sets.some(({ configDir, root }) => configDir === one.configDir && root === one.root);
  return linesOf(marker, "set")
    .map(([configDir = "", root = "", steps = "", files = ""]) => ({
      configDir,
      root,
      steps,
      files,
    }))
    .filter((one) => !isNew(one))
    .filter(({ root }) => root === EVERYWHERE || isThere(root));
}

function isThere(folder: string): boolean {
  try {
    return lstatSync(folder, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return statOf(folder, lstatSync) === null;
  }
}

async function formatMarker(sets: readonly MarkedSet[]): Promise<string> {
  const inForce = sets.filter(({ steps }) => steps !== "");
  const lines: string[][] = Object.entries(SENTENCES).map(([key, text]) => ["say", key, text]);
  for (const { name, readsStderr } of AGENTS) if (readsStderr) lines.push(["quiet", name]);
  for (const installer of await loadInstallers()) lines.push(...(await linesFor(installer)));
  for (const { configDir, root, steps, files } of inForce)
    lines.push(["set", configDir, root, steps, files]);
  for (const installer of await loadInstallers())
    for (const set of inForce) lines.push(...guardLines(installer, set));
  return `${MARKER_HEAD}${lines.map((fields) => `${fields.join("\t")}\n`).join("")}`;
}

/** What the client says where the program cannot: plain letters only, for they go into JSON as they are. */
const SENTENCES = {
  late: "the guards had no answer in time; try again, and if it happens again look with `adj doctor`",
  failed: "`adj hook` ended without an answer; look with `adj doctor`",
  gone: "the program was removed; `adj uninstall` takes its hooks away",
  large: "the payload of this step is over 64 MiB; do it in smaller pieces",
} as const;

/** The client ends this long before the agent gives up on it. */
const SPARE_SECONDS = 1;

async function linesFor(installer: HookInstaller): Promise<string[][]> {
  const { agent, abilities } = installer;
  const refusals = await writeRefusals(installer, WITH_GUARDS);
  // Where the event is not known the first answer is taken, and tools are what guards are for.
  const events = calledEvents(installer).toSorted(
    (one, other) => Number(other.step === "before_tool") - Number(one.step === "before_tool"),
  );
  const variables = abilities.projectVariables.map((name) => ["project", agent, name]);
  const ofEvents = events.flatMap(({ event, step }) => {
    const seconds = limitOfStep(step, abilities.hookLimitMs) / 1_000 - SPARE_SECONDS;
    const limit = ["limit", agent, event, String(seconds)];
    const refusal = refusals.find((one) => one.event === event);
    return refusal === undefined ? [limit] : [limit, ["deny", agent, event, refusal.answer]];
  });
  return [...variables, ...ofEvents];
}

const calledEvents = (installer: HookInstaller): readonly StepEvent[] =>
  installer.kind === "entries" ? installer.events : eventsOf(installer.abilities);

interface EventRefusal extends StepEvent {
  /** What the agent takes for a refusal at this event. */
  readonly answer: string;
}

/** A refusal in the agent's own words, for every event at which it blocks. */
export async function writeRefusals(
  installer: HookInstaller,
  reason: string,
): Promise<EventRefusal[]> {
  const { agent, abilities, writeSample } = installer;
  const hooks = await requireHookAgent(agent);
  const texts = { session: "s", cwd: "/", prompt: "", output: "", time: new Date(0) };
  const context = { env: {}, cwd: "/", correlationId: "c", time: "t" };
  const refusal = { ...NO_DECISION, control: "veto", permission: "deny", reason } as const;
  return calledEvents(installer).flatMap(({ event, step }) => {
    if (!canBlock(abilities.steps, step)) return [];
    const payload = writeSample(event, { ...texts, step, call: { tool: "tool", args: {} } });
    const envelope = hooks.readStep(payload, context);
    if (envelope === null) return [];
    return [{ event, step, answer: hooks.writeAnswer(refusal, envelope).stdout }];
  });
}

const WITH_GUARDS = `${REASON_MARK}; ${IN_FORCE}`;

/** An agent that would carry a turn on, or only warn, is not stopped for a fault of ours. */
const canBlock = (steps: HookInstaller["abilities"]["steps"], step: StepName): boolean =>
  steps[step]?.veto === "blocks";

function guardLines(
  { agent, abilities }: HookInstaller,
  { configDir, root, steps }: MarkedSet,
): string[][] {
  return steps.split(" ").flatMap((field) => {
    const [name, agents = ""] = field.split("=");
    const found = eventsOf(abilities).find(({ step }) => step === name);
    if (found === undefined || !canBlock(abilities.steps, found.step)) return [];
    const isMeant = agents === EVERYWHERE || agents.split(",").includes(agent);
    return isMeant ? [["guard", agent, found.event, configDir, root]] : [];
  });
}
