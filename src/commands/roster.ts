// Every bundled command, one line each. Only the one that is dispatched gets loaded.
import type { BundledCommand } from "./program.ts";

type Loading = () => Promise<{ readonly default: BundledCommand }>;

const ROSTER: ReadonlyMap<string, Loading> = new Map<string, Loading>([
  ["agent", () => import("./agent.ts")],
  ["approve", () => import("./approve.ts")],
  ["bench", () => import("./bench.ts")],
  ["commands", () => import("./commands.ts")],
  ["completion", () => import("./completion.ts")],
  ["config", () => import("./config.ts")],
  ["doctor", () => import("./doctor.ts")],
  ["env", () => import("./env.ts")],
  ["explain", () => import("./explain.ts")],
  ["forget", () => import("./forget.ts")],
  ["help", () => import("./help.ts")],
  ["hooks", () => import("./hooks.ts")],
  ["import", () => import("./import.ts")],
  ["install", () => import("./install.ts")],
  ["log", () => import("./log.ts")],
  ["model", () => import("./model.ts")],
  ["new", () => import("./new.ts")],
  ["params", () => import("./params.ts")],
  ["provider", () => import("./provider.ts")],
  ["reload", () => import("./reload.ts")],
  ["resident", () => import("./resident.ts")],
  ["resume", () => import("./resume.ts")],
  ["save", () => import("./save.ts")],
  ["sessions", () => import("./sessions.ts")],
  ["sim", () => import("./sim.ts")],
  ["sync", () => import("./sync.ts")],
  ["tools", () => import("./tools.ts")],
  ["tour", () => import("./tour.ts")],
  ["trust", () => import("./trust.ts")],
  ["uninstall", () => import("./uninstall.ts")],
]);

export async function loadBundled(name: string): Promise<BundledCommand> {
  const load = ROSTER.get(name);
  if (load === undefined) throw new TypeError(`no bundled command ${name}`);
  return (await load()).default;
}

export const loadAllBundled = (): Promise<BundledCommand[]> =>
  Promise.all([...ROSTER.keys()].map(loadBundled));
