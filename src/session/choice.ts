// Which agent, model and params count now. One order everywhere: environment, session, settings.
import type { JsonValue, SessionState } from "../command/session-access.ts";

export type Source = "environment" | "session" | "settings" | "none";

export interface Choice {
  readonly value: string | null;
  readonly source: Source;
}

export interface ChoiceFacts {
  /** What `ADJ_AGENT` or `ADJ_MODEL` says. */
  readonly environment: string | undefined;
  readonly session: string | null;
  readonly settings: JsonValue | undefined;
}

export function choose({ environment, session, settings }: ChoiceFacts): Choice {
  if (environment !== undefined && environment !== "")
    return { value: environment, source: "environment" };
  if (session !== null) return { value: session, source: "session" };
  if (typeof settings === "string") return { value: settings, source: "settings" };
  return { value: null, source: "none" };
}

export interface ParamInForce {
  readonly path: string;
  readonly value: JsonValue;
  readonly source: "session" | "settings";
}

/** Params of the session over those of the settings, by path. */
export function listParams(
  session: SessionState["params"],
  settings: JsonValue | undefined,
): ParamInForce[] {
  const lower = isRecord(settings) ? settings : {};
  const found = new Map<string, ParamInForce>();
  for (const [path, value] of Object.entries(lower))
    found.set(path, { path, value, source: "settings" });
  for (const [path, value] of Object.entries(session))
    found.set(path, { path, value, source: "session" });
  return [...found.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

const isRecord = (value: JsonValue | undefined): value is { readonly [key: string]: JsonValue } =>
  typeof value === "object" && value !== null && !Array.isArray(value);
