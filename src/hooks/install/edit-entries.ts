// Puts Adjutant's entries into an agent's file, or takes them out; everybody else's stay where they are.
import { isDeepStrictEqual } from "node:util";
import type { StepEvent } from "../agents/hook-agent.ts";
import { limitOfStep } from "../step-limit.ts";
import { type Change, type ConfigText, changeText, parseConfig, readValue } from "./config-text.ts";
import { type EntryInstaller, type EntryWish, eventsFor, type JsonObject } from "./installer.ts";
import { type HandlerPlace, isOurHandler, listHandlers } from "./our-entry.ts";

export const listOurs = (config: ConfigText): HandlerPlace[] =>
  listHandlers(readValue(config)).filter(({ handler }) => isOurHandler(handler));

/** True when exactly the wanted entries are there, once each and alone in their groups. */
export function isInstalled(
  config: ConfigText,
  installer: EntryInstaller,
  wish: EntryWish,
): boolean {
  const wanted = eventsFor(installer, wish);
  const ours = listOurs(config);
  if (ours.length !== wanted.length) return false;
  const hooks = hooksOf(config);
  return wanted.every((event) => {
    const at = ours.find((place) => place.event === event.event)?.path[0];
    const items = hooks[event.event];
    const item = Array.isArray(items) && at !== undefined ? items[at] : undefined;
    return isDeepStrictEqual(item, makeEntry(installer, event, wish));
  });
}

const makeEntry = (installer: EntryInstaller, event: StepEvent, wish: EntryWish): JsonObject =>
  installer.makeEntry(event, { ...wish, limitMs: limitOfStep(event.step, wish.limitMs) });

/** The text with the wanted entries, each after what others have at the event. */
export function addEntries(config: ConfigText, installer: EntryInstaller, wish: EntryWish): string {
  const seed = config.root === null ? Object.entries(installer.seed) : [];
  const seeding = seed.map(([key, value]): Change => ({ path: [key], value }));
  const hooks = hooksOf(config);
  const adding = eventsFor(installer, wish).map((event): Change => {
    const entry = makeEntry(installer, event, wish);
    return hooks[event.event] === undefined
      ? { path: ["hooks", event.event], value: [entry] }
      : { path: ["hooks", event.event, -1], value: entry, isInsertion: true };
  });
  return changeText(config.text, [...seeding, ...adding]);
}

const hooksOf = (config: ConfigText): JsonObject => asObject(asObject(readValue(config)).hooks);

const asObject = (value: unknown): JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : {};

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
  const hadHooks = before !== null && asObject(readValue(before)).hooks !== undefined;
  if (!hadHooks && isEmpty(asObject(readValue(reread(text))).hooks))
    text = changeText(text, [removal(["hooks"])]);
  return text;

  function reread(changed: string): ConfigText {
    return parseConfig(config.file, changed, installer);
  }
}

const removal = (path: Change["path"]): Change => ({ path, value: undefined });

/** From the last to the first, so that indexes hold; a group with nothing but ours goes whole. */
function listRemovals(config: ConfigText, ours: readonly HandlerPlace[]): Change[] {
  const all = listHandlers(readValue(config));
  const inGroup = (places: readonly HandlerPlace[], { event, path }: HandlerPlace) =>
    places.filter((other) => other.event === event && other.path[0] === path[0]).length;
  const paths = ours.map((place) => {
    const isWhole = inGroup(all, place) === inGroup(ours, place);
    return ["hooks", place.event, ...(isWhole ? place.path.slice(0, 1) : place.path)];
  });
  const distinct = new Map(paths.map((path) => [JSON.stringify(path), path]));
  return [...distinct.values()].toReversed().map(removal);
}

const isEmpty = (value: unknown): boolean =>
  typeof value === "object" && value !== null && Object.keys(value).length === 0;
