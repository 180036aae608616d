// The hooks in force for a project: the project's as it was trusted, the plugins', the user's. While nothing
// changed this is a few stats and one JSON file.
import { accessSync, constants, existsSync, lstatSync, statSync } from "node:fs";
import { join } from "node:path";
import { fault } from "../../core/command/fault.ts";
import { VERSION } from "../../core/command/version.ts";
import { describeFileError, fileErrorCode, makeFolder, statOf } from "../../core/project/files.ts";
import { writeKept } from "../../core/project/kept-value.ts";
import { LAYER_FOLDER, type Paths } from "../../core/project/paths.ts";
import { inspectGuards } from "../../core/project/trust/guards.ts";
import { describeTrustChange, type GuardState } from "../../core/project/trust/inspect.ts";
import type { HookSet } from "../match/rule.ts";
import { findGoneGuards, findLostApproval } from "./guard-marker.ts";
import { type CompiledOf, compiledFile, readCompiled } from "./kept-forms.ts";

interface HookSetRequest {
  readonly paths: Paths;
  /** The root of the project; inside an agent the one it was started in. */
  readonly root: string;
  /** The version of the running Adjutant; a form that another compiled is made anew. */
  readonly version?: string;
  /** Where the marker lies, for those who ask the guards: what it says was in force and is gone counts as broken. */
  readonly dataDir?: string;
}

export async function loadHookSet({ dataDir, ...request }: HookSetRequest): Promise<HookSet> {
  const set = await loadRules(request);
  if (dataDir === undefined) return set;
  const gone = [
    ...findGoneGuards(dataDir, request.paths.configDir),
    ...findLostApproval(dataDir, request.paths, request.root),
  ];
  return gone.length === 0 ? set : { ...set, broken: [...set.broken, ...gone] };
}

async function loadRules(request: HookSetRequest): Promise<HookSet> {
  const { paths, root, version = VERSION } = request;
  const trust = await inspectGuards(root, paths.stateDir);
  const copyDir = "copyDir" in trust ? trust.copyDir : null;
  const warnings = trustWarnings(root, trust);
  const notice = warnings[0] === undefined ? {} : { notice: warnings[0] };
  if (copyDir === null && !hasUserFiles(paths))
    return { rules: [], broken: [], warnings, ...notice };
  const of = { ...paths, root, copyDir, version };
  const set = readCompiled(compiledFile(of)) ?? (await compile(of));
  return { ...set, warnings: [...warnings, ...set.warnings], ...notice };
}

/** `config.yaml` names the plugins, which may bring hooks. A link that leads nowhere is there: it says nothing good. */
const hasUserFiles = ({ configDir }: Paths): boolean =>
  ["hooks.yaml", "config.yaml"].some((name) => statOf(join(configDir, name), lstatSync) !== null);

async function compile(of: CompiledOf): Promise<HookSet> {
  const { compileHooks } = await import("./compile.ts");
  const { set, stamps } = compileHooks(of);
  writeKept(compiledFile(of), stamps, set);
  return set;
}

const TRUST_HINT = "look with `adj trust --diff`, allow with `adj trust`";

function trustWarnings(root: string, trust: GuardState): string[] {
  const hasHooks = (folder: string): boolean =>
    existsSync(join(folder, LAYER_FOLDER, "hooks.yaml"));
  switch (trust.kind) {
    case "untrusted":
      return hasHooks(root)
        ? [`this project is not trusted, so its hooks do not count; ${TRUST_HINT}`]
        : [];
    case "trusted":
    case "changed": {
      const change = describeTrustChange(trust, "its hooks of then stay in force");
      const isTold = change !== null && (hasHooks(root) || hasHooks(trust.copyDir));
      return isTold ? [`${change}; ${TRUST_HINT}`] : [];
    }
    case "removed":
      return hasHooks(trust.copyDir)
        ? [
            "`.adjutant` is gone; the hooks you trusted stay in force; end that with `adj trust --revoke`",
          ]
        : [];
    default:
      return [];
  }
}

// Whether the folders that guards are read from can be looked into. What is there and cannot be read hides guards.

/** Folders that are not there yet are no fault; but the state's must be such that it can be made. */
export function requireFolders({ stateDir, configDir }: Paths): void {
  for (const folder of [stateDir, configDir, join(stateDir, "trust")]) {
    const problem = problemOf(folder) ?? (folder === stateDir ? makeStateFolder(folder) : null);
    if (problem === null) continue;
    const hint = "make it a folder that you can read and write, then look with `adj doctor`";
    throw fault("FolderUnreadable", { path: folder, problem }, { hint });
  }
}

function makeStateFolder(folder: string): string | null {
  try {
    makeFolder(folder, 0o700);
    return null;
  } catch (error) {
    const why = fileErrorCode(error) === "ENOENT" ? "" : `: ${describeFileError(error)}`;
    return `there is none and it cannot be made${why}`;
  }
}

function problemOf(folder: string): string | null {
  try {
    const stat = statSync(folder, { throwIfNoEntry: false });
    // Another call may make the folder between the two looks.
    if (stat === undefined)
      return lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink()
        ? "it is a link to nothing"
        : null;
    if (!stat.isDirectory()) return "it is not a folder";
    accessSync(folder, constants.R_OK | constants.X_OK);
    return null;
  } catch (error) {
    return describeFileError(error);
  }
}
