import type { Program } from "../program.ts";

type Settings = Awaited<ReturnType<Program["settings"]>>;

/** `agents.NAME.path` of the settings. */
export function configuredPath({ agents }: Settings, name: string): string | undefined {
  if (typeof agents !== "object" || agents === null || !Object.hasOwn(agents, name))
    return undefined;
  const entry: unknown = Object.entries(agents).find(([known]) => known === name)?.[1];
  const hasPath = typeof entry === "object" && entry !== null && "path" in entry;
  return hasPath && typeof entry.path === "string" ? entry.path : undefined;
}
