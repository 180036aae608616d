// How an entry is known for Adjutant's: by what it runs. Some agents refuse keys they do not know, so there is no mark.
import type { JsonObject } from "./installer.ts";

const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** `adj hook NAME` by any path, or the copy in a state folder, quoted or not. */
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
  if (!isObject(handler)) return null;
  for (const key of LINES) {
    const line = handler[key];
    if (typeof line !== "string") continue;
    const words = Array.isArray(handler.args) ? handler.args.map(String) : [];
    return [line, ...words].join(" ");
  }
  return null;
}

export function isOurHandler(handler: unknown): boolean {
  if (!isObject(handler)) return false;
  if (typeof handler.url === "string" && isOurUrl(handler.url)) return true;
  const line = commandOfHandler(handler);
  return line !== null && isOurCommand(line);
}

export interface HandlerPlace {
  readonly event: string;
  /** Below `hooks.EVENT`: the index of the group or handler, then that of the handler in its group. */
  readonly path: readonly [number] | readonly [number, "hooks", number];
  readonly handler: unknown;
}

/** Every handler of every event, in groups or not. */
export function listHandlers(config: unknown): HandlerPlace[] {
  const hooks = isObject(config) ? config.hooks : undefined;
  if (!isObject(hooks)) return [];
  return Object.entries(hooks).flatMap(([event, items]) =>
    Array.isArray(items) ? items.flatMap((item, at) => handlersOf(event, item, at)) : [],
  );
}

function handlersOf(event: string, item: unknown, at: number): HandlerPlace[] {
  if (!isObject(item) || !Array.isArray(item.hooks)) return [{ event, path: [at], handler: item }];
  return item.hooks.map((handler, inner) => ({ event, path: [at, "hooks", inner], handler }));
}
