// The list of features. Nothing else decides what the program is made of.
import { agentsFeature } from "./agents/feature.ts";
import { benchFeature } from "./bench/feature.ts";
import type { BundledCommand, Feature, Program } from "./core/commands/bundled.ts";
import { coreFeature } from "./core/feature.ts";
import type { FileKind } from "./core/load/command-file.ts";
import { hooksFeature } from "./hooks/feature.ts";
import { markdownFeature } from "./markdown/feature.ts";
import { serverFeature } from "./server/feature.ts";
import { sessionFeature } from "./session/feature.ts";
import { setupFeature } from "./setup/feature.ts";
import { simFeature } from "./sim/feature.ts";
import { workflowFeature } from "./workflow/feature.ts";

export const FEATURES: readonly Feature[] = [
  coreFeature,
  agentsFeature,
  hooksFeature,
  markdownFeature,
  simFeature,
  sessionFeature,
  workflowFeature,
  benchFeature,
  serverFeature,
  setupFeature,
];

/** Only the command that is dispatched gets loaded. */
export async function loadBundled(name: string): Promise<BundledCommand> {
  const load = FEATURES.map(({ commands }) => commands[name]).find((found) => found !== undefined);
  if (load === undefined) throw new TypeError(`no bundled command ${name}`);
  return (await load()).default;
}

export const loadAllBundled = (): Promise<BundledCommand[]> =>
  Promise.all(
    FEATURES.flatMap(({ commands }) => Object.keys(commands))
      .sort()
      .map(loadBundled),
  );

/** The kinds of command files; without a program they can be looked at and not run. */
export const fileKinds = (program: (() => Program) | null): FileKind[] =>
  FEATURES.flatMap(({ loaders }) => loaders?.(program) ?? []);
