// The hooks in force for one place: the project's as it was trusted, the plugins', the user's. While nothing
// changed this is a few stats and one JSON file.
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Paths } from "../config/paths.ts";
import { LAYER_FOLDER } from "../config/project-root.ts";
import { type GuardState, inspectGuards } from "../config/trust.ts";
import { VERSION } from "../version.ts";
import { placeCompiled, readCompiled, writeCompiled } from "./compiled-set.ts";
import type { HookSet } from "./rule.ts";

export interface HookSetRequest {
  readonly paths: Paths;
  /** Of the project; inside an agent the one it was started in. */
  readonly root: string;
  /** Of the running Adjutant; a form that another compiled is made anew. */
  readonly version?: string;
}

export async function loadHookSet(request: HookSetRequest): Promise<HookSet> {
  const { paths, root, version = VERSION } = request;
  const trust = await inspectGuards(root, paths.stateDir);
  const copyDir = "copyDir" in trust ? trust.copyDir : null;
  const warnings = trustWarnings(root, trust);
  if (copyDir === null && !hasUserFiles(paths)) return { rules: [], broken: [], warnings };
  const of = { ...paths, root, copyDir, version };
  const place = placeCompiled(of);
  const known = readCompiled(place);
  const set = known ?? (await compile(of, place));
  return { ...set, warnings: [...warnings, ...set.warnings] };
}

/** `config.yaml` names the plugins, which may bring hooks. */
const hasUserFiles = ({ configDir }: Paths): boolean =>
  existsSync(join(configDir, "hooks.yaml")) || existsSync(join(configDir, "config.yaml"));

async function compile(
  of: Parameters<typeof placeCompiled>[0],
  place: ReturnType<typeof placeCompiled>,
): Promise<HookSet> {
  const { compileHooks } = await import("./compile-hooks.ts");
  const compiled = compileHooks(of);
  writeCompiled(place, compiled);
  return compiled.set;
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
    case "changed":
      return hasHooks(root) || hasHooks(trust.copyDir)
        ? [
            `this project changed since you trusted it; its hooks of then stay in force; ${TRUST_HINT}`,
          ]
        : [];
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
