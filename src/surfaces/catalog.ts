// The layers as one program sees them: loaded when first asked for, swapped whole by a reload.

import type { Command } from "../command/command.ts";
import { type FaultReport, fault, formatFault } from "../command/fault.ts";
import { PROGRAM_WORDS } from "../command/name.ts";
import { listNames, type Resolution, resolveCommand } from "../command/registry.ts";
import type { ReloadReport } from "../commands/program.ts";
import type { Catalog } from "../dispatch/ports.ts";
import { type LoadedLayers, type LoadRequest, loadLayers, reloadLayers } from "../load/layers.ts";
import { loadCommand } from "../load/load-command.ts";
import { isNameOfProject } from "../load/untrusted-name.ts";

export interface ProgramCatalog extends Catalog {
  /** With a name, only as much as finding that command needs. */
  loaded(name?: string): Promise<LoadedLayers>;
  reload(): Promise<ReloadReport>;
}

const TRUST_HINT = "look with `adj trust --diff`, allow with `adj trust`";

export function createCatalog(request: Omit<LoadRequest, "name">): ProgramCatalog {
  let current: { readonly name: string | null; readonly layers: Promise<LoadedLayers> } | null =
    null;

  // What was loaded once stays, until a reload.
  const inUse = new Map<string, Command>();

  const loaded = (name?: string): Promise<LoadedLayers> => {
    const isEnough = current !== null && (current.name === null || current.name === name);
    if (current === null || !isEnough)
      current = {
        // A second name is a sign that more will follow.
        name: current === null ? (name ?? null) : null,
        layers: loadLayers(current === null && name !== undefined ? { ...request, name } : request),
      };
    return current.layers;
  };

  return {
    loaded,
    resolve: async (name) => {
      const layers = await loaded(name);
      const found = resolveCommand(layers.layers, name);
      if (found.kind === "unknown") explainUnknown(layers, name);
      return found;
    },
    load: async (entry, at) => {
      const key = `${at.layer} ${at.file} ${entry.name}`;
      const known = inUse.get(key);
      if (known !== undefined) return known;
      const command = await loadCommand(await loaded(entry.name), entry, at);
      inUse.set(key, command);
      return command;
    },
    reload: async () => {
      const reload = await reloadLayers(await loaded());
      current = { name: null, layers: Promise.resolve(reload.loaded) };
      inUse.clear();
      const commands = listNames(reload.loaded.layers).length;
      const problems = reload.kind === "kept" ? reload.problems : reload.loaded.warnings;
      return { kind: reload.kind, commands, problems };
    },
  };
}

/** A name that nobody answers to may still be one that means something. */
function explainUnknown({ project: { root, trust } }: LoadedLayers, name: string): void {
  if (PROGRAM_WORDS.has(name)) throw fault("WordUnavailable", { word: name });
  const isInDoubt = trust.kind === "untrusted" || trust.kind === "changed";
  if (!isInDoubt || !isNameOfProject(root, name)) return;
  const since = trust.kind === "changed" ? "it is newer than what you trusted; " : "";
  throw fault("Untrusted", { root, name }, { hint: since + TRUST_HINT });
}

/** These say themselves what there is to say. */
const SILENT: ReadonlySet<string> = new Set(["commands", "completion", "trust"]);

/** What a person should know before the command runs, a line each. */
export function noticesOf(loaded: LoadedLayers, found: Resolution): FaultReport[] {
  // Nobody may answer to a name because a file could not be read.
  if (found.kind === "unknown") return [...loaded.warnings];
  if (found.kind === "found" && SILENT.has(found.entry.name)) return [];
  return [...trustNotices(loaded), ...loaded.warnings, ...passedOverNotices(found)];
}

function passedOverNotices(found: Exclude<Resolution, { kind: "unknown" }>): FaultReport[] {
  // Of a broken command that is the outcome itself.
  if (found.kind === "broken") return [];
  const hint = `\`${found.entry.name}\` of the ${found.at.layer} layer runs instead`;
  return found.passedOver.map(({ fault: raised }) => ({
    ...raised,
    message: formatFault(raised),
    hint,
  }));
}

function trustNotices({ project: { trust } }: LoadedLayers): FaultReport[] {
  const notice = (message: string, hint = TRUST_HINT): FaultReport[] => [
    { class: "Trust", code: "Untrusted", message, hint },
  ];
  if (trust.kind === "untrusted")
    return notice("this project is not trusted, so its commands and settings do not count");
  if (trust.kind !== "changed") return [];
  if (trust.problem !== null)
    return notice(
      "this project changed since you trusted it; what you trusted stays in force",
      trust.problem.message,
    );
  return notice("this project changed since you trusted it; what you trusted stays in force");
}
