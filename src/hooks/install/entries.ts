// Puts Adjutant's entries into an agent's file, or takes them out; everybody else's stay where they are.

import { isDeepStrictEqual } from "node:util";
import type { StepEvent } from "../../agents/steps/hook-agent.ts";
import {
  type EntryInstaller,
  type EntryRequest,
  eventsFor,
  wholeSeconds,
} from "../../agents/steps/installer.ts";
import { joinWords, quoteWord, splitWords } from "../../core/command/words.ts";
import { asRecord, isRecord, type JsonRecord } from "../../core/project/json-value.ts";
import { ENTRY_LIMIT_WORD, limitOfStep } from "../../core/step/step.ts";
import {
  type Change,
  type ConfigText,
  changeText,
  parseConfig,
  readConfigValue,
} from "./config-text.ts";
import { HELD_STEPS } from "./hold-limit.ts";

export const listOurs = (config: ConfigText): InstalledHandler[] =>
  listHandlers(readConfigValue(config)).filter(({ handler }) => isOurHandler(handler));

/** True when exactly the wanted entries are there, once each and alone in their groups. */
export function isInstalled(
  config: ConfigText,
  installer: EntryInstaller,
  request: EntryRequest,
): boolean {
  const wanted = eventsFor(installer, request);
  const ours = listOurs(config);
  if (ours.length !== wanted.length || listSettings(config, installer).length > 0) return false;
  const hooks = hooksOf(config);
  return wanted.every((event) => {
    const at = ours.find((entry) => entry.event === event.event)?.path[0];
    const items = hooks[event.event];
    const item = Array.isArray(items) && at !== undefined ? items[at] : undefined;
    return isDeepStrictEqual(item, makeEntry(installer, event, request));
  });
}

const makeEntry = (
  installer: EntryInstaller,
  event: StepEvent,
  request: EntryRequest,
): JsonRecord =>
  installer.makeEntry(event, {
    ...request,
    command: lineFor(installer, event, request),
    ...(request.exec === undefined ? {} : { exec: [...request.exec, ...wordsOf(event, request)] }),
    limitMs: heldLimitAt(event, request) ?? limitOfStep(event.step, request.limitMs),
  });

/**
 * What is told beside the agent's name: where the time that the same entry gives is a longer one, that; and to the client the
 * event, which the program reads for itself.
 */
function wordsOf(event: StepEvent, request: EntryRequest): string[] {
  const limitMs = heldLimitAt(event, request);
  const seconds = limitMs === null ? [] : [String(wholeSeconds(limitMs))];
  return request.client === undefined
    ? seconds.map((text) => `${ENTRY_LIMIT_WORD}${text}`)
    : [event.event, ...seconds];
}

/** An agent that calls HTTP says nothing of its time. */
const heldLimitAt = ({ step }: StepEvent, { http, heldLimitMs }: EntryRequest) =>
  HELD_STEPS.has(step) && http === null ? (heldLimitMs ?? null) : null;

function lineFor(
  { blocksWithoutProgram }: EntryInstaller,
  event: StepEvent,
  request: EntryRequest,
): string {
  const { client, command, refusals } = request;
  const words = joinWords(wordsOf(event, request));
  const line = [client === undefined ? command : joinWords(client), words]
    .filter((part) => part !== "")
    .join(" ");
  const refusal = refusals?.get(event.event);
  if (refusals === undefined || (refusal === undefined && !blocksWithoutProgram)) return line;
  const [program = ""] = splitWords(line);
  // The agent writes into a pipe that must not be closed on it.
  const answer = refusal === undefined ? "" : `printf %s ${quoteWord(refusal)}; `;
  return `command -v ${quoteWord(program)} >/dev/null 2>&1 || { cat >/dev/null; ${answer}exit 0; }; exec ${line}`;
}

/** What an entry calls, however its line begins. */
export function programOfLine(line: string): string {
  const [first = "", second, third = ""] = splitWords(line);
  return first === "command" && second === "-v" ? third : first;
}

/** Settings that are not yet as the layer needs them. */
const listSettings = (config: ConfigText, { settings = [] }: EntryInstaller): Change[] =>
  settings.filter(({ path, value }) => valueAt(config, path) !== value);

const valueAt = (config: ConfigText, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, key) => asRecord(value)[key], readConfigValue(config));

/** The text with the wanted entries, each after what others have at the event. */
export function addEntries(
  config: ConfigText,
  installer: EntryInstaller,
  request: EntryRequest,
): string {
  const seed = config.root === null ? Object.entries(installer.seed) : [];
  const seeding = seed.map(([key, value]): Change => ({ path: [key], value }));
  const hooks = hooksOf(config);
  const adding = eventsFor(installer, request).map((event): Change => {
    const entry = makeEntry(installer, event, request);
    return hooks[event.event] === undefined
      ? { path: ["hooks", event.event], value: [entry] }
      : { path: ["hooks", event.event, -1], value: entry, isInsertion: true };
  });
  const forcing = listSettings(config, installer);
  return changeText(config.text, [...seeding, ...forcing, ...adding]);
}

const hooksOf = (config: ConfigText): JsonRecord =>
  asRecord(asRecord(readConfigValue(config)).hooks);

/**
 * The text without our entries. Lists and objects that are empty now are removed too, unless `before`,
 * the file as it was before we came, had them.
 */
export function removeEntries(
  config: ConfigText,
  installer: EntryInstaller,
  before: ConfigText | null,
): string {
  const ours = listOurs(config);
  if (ours.length === 0) return config.text;
  let text = changeText(config.text, listRemovals(config, ours));
  const events = new Set(ours.map(({ event }) => event));
  const had = before === null ? {} : hooksOf(before);
  for (const event of events)
    if (had[event] === undefined && isEmpty(hooksOf(reread(text))[event]))
      text = changeText(text, [removal(["hooks", event])]);
  const hadHooks = before !== null && asRecord(readConfigValue(before)).hooks !== undefined;
  if (!hadHooks && isEmpty(asRecord(readConfigValue(reread(text))).hooks))
    text = changeText(text, [removal(["hooks"])]);
  for (const { path, value } of installer.settings ?? []) {
    if (valueAt(reread(text), path) !== value) continue;
    const old = before === null ? undefined : valueAt(before, path);
    text = changeText(text, [{ path, value: old }]);
    const above = path.slice(0, -1);
    if (above.length > 0 && isEmpty(valueAt(reread(text), above)))
      text = changeText(text, [removal(above)]);
  }
  return text;

  function reread(changed: string): ConfigText {
    return parseConfig(config.file, changed, installer);
  }
}

const removal = (path: Change["path"]): Change => ({ path, value: undefined });

/** From the last to the first, so that indexes hold; a group with nothing but ours goes whole. */
function listRemovals(config: ConfigText, ours: readonly InstalledHandler[]): Change[] {
  const all = listHandlers(readConfigValue(config));
  const inGroup = (handlers: readonly InstalledHandler[], { event, path }: InstalledHandler) =>
    handlers.filter((other) => other.event === event && other.path[0] === path[0]).length;
  const paths = ours.map((handler) => {
    const isWhole = inGroup(all, handler) === inGroup(ours, handler);
    return ["hooks", handler.event, ...(isWhole ? handler.path.slice(0, 1) : handler.path)];
  });
  const distinct = new Map(paths.map((path) => [JSON.stringify(path), path]));
  return [...distinct.values()].toReversed().map(removal);
}

const isEmpty = (value: unknown): boolean =>
  typeof value === "object" && value !== null && Object.keys(value).length === 0;

// How an entry is known for Adjutant's: by what it runs. Some agents refuse keys they do not know, so there is no mark.

/** `adj hook NAME` by any path, or the copy in a data folder (a state folder before 0.3), quoted or not. */
export function isOurCommand(line: string, agent?: string): boolean {
  const words = /(?:^|[\s/'"])(?:adj['"]?\s+hook|adj-hook['"]?)\s+([a-z][a-z-]*)/.exec(line);
  return words !== null && (agent === undefined || words[1] === agent);
}

/** The resident's, for agents that call HTTP themselves. */
const isOurUrl = (url: string): boolean =>
  /^http:\/\/127\.0\.0\.1:\d+\/hook\/[a-z][a-z0-9-]*$/.test(url);

const LINES = ["command", "bash", "exec"] as const;

/** What a handler runs, null where it runs no program. */
export function commandOfHandler(handler: unknown): string | null {
  if (!isRecord(handler)) return null;
  for (const key of LINES) {
    const line = handler[key];
    if (typeof line !== "string") continue;
    return Array.isArray(handler.args) ? joinWords([line, ...handler.args.map(String)]) : line;
  }
  return null;
}

export function isOurHandler(handler: unknown): boolean {
  if (!isRecord(handler)) return false;
  if (typeof handler.url === "string" && isOurUrl(handler.url)) return true;
  const line = commandOfHandler(handler);
  return line !== null && isOurCommand(line);
}

export interface InstalledHandler {
  readonly event: string;
  /** Below `hooks.EVENT`: the index of the group or handler, then that of the handler in its group. */
  readonly path: readonly [number] | readonly [number, "hooks", number];
  readonly handler: unknown;
}

/** Every handler of every event, in groups or not. */
export function listHandlers(config: unknown): InstalledHandler[] {
  const hooks = isRecord(config) ? config.hooks : undefined;
  if (!isRecord(hooks)) return [];
  return Object.entries(hooks).flatMap(([event, items]) =>
    Array.isArray(items) ? items.flatMap((item, at) => handlersOf(event, item, at)) : [],
  );
}

function handlersOf(event: string, item: unknown, at: number): InstalledHandler[] {
  if (!isRecord(item) || !Array.isArray(item.hooks)) return [{ event, path: [at], handler: item }];
  return item.hooks.map((handler, inner) => ({ event, path: [at, "hooks", inner], handler }));
}
