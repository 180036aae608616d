// The one rule that nobody wrote: what keeps the others in force. It is there as soon as any guard is.
import { readdirSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { AGENTS } from "../../agents/roster.ts";
import { isFile } from "../../core/project/files.ts";
import { readJsonObject } from "../../core/project/kept-value.ts";
import { findDataDir, findPaths, LAYER_FOLDER } from "../../core/project/paths.ts";
import { decidesTool, STEP_RULES, type StepName } from "../../core/step/step.ts";
import type { SelfOptions } from "../builtins/self-protection.ts";
import { resolvePath } from "../match/paths.ts";
import type { HookRule, HookSet } from "../match/rule.ts";

export const SELF_RULE = "adjutant";

interface SelfContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly root: string;
  readonly stateDir: string;
}

/** The rule itself where it counts, else nothing. */
export function selfRules(step: StepName, set: HookSet, place: SelfContext): HookRule[] {
  if (!decidesTool(step) || !(set.broken.length > 0 || set.rules.some(isGuard))) return [];
  return [
    {
      ...{ name: SELF_RULE, on: [step], match: {}, protocol: "adjutant", timeoutMs: 5_000 },
      run: { type: "builtin", builtin: "self-protection", with: {}, options: listOwn(set, place) },
      ...{ onError: "block", isStrict: false, isOnce: false, isAsync: false, isEnabled: true },
      ...{ cwd: null, env: {}, inheritEnv: false, layer: "bundled", file: "bundled", folder: "/" },
      ...{ line: 1, column: 1 },
    },
  ];
}

/** A rule that can say no. */
function isGuard({ on, onError, isEnabled, isAsync }: HookRule): boolean {
  const blocks = (step: StepName): boolean =>
    STEP_RULES[step].canVeto && (onError ?? STEP_RULES[step].onError) === "block";
  return isEnabled && !isAsync && on.some(blocks);
}

function listOwn({ rules }: HookSet, { env, home, root, stateDir }: SelfContext): SelfOptions {
  const { configDir } = findPaths(env, home);
  const project = join(root, LAYER_FOLDER);
  const programs = rules.flatMap((rule) => filesOf(rule, { home, root }));
  const place = { env, home, root };
  const settings = AGENTS.flatMap((agent) => {
    const files = agent.settings?.(place);
    return files === undefined ? [] : [...files.user, ...files.project, ...files.managed];
  });
  const nested = AGENTS.flatMap((agent) =>
    (agent.settings?.(place).project ?? []).map((file) => relative(root, file)),
  );
  return {
    own: [
      ...[configDir, stateDir, findDataDir(env, home), join(project, "hooks.yaml")],
      ...[...programs, ...ownProgram(root)],
    ],
    settings: [...new Set([...settings, ...listInstalled(stateDir)])],
    nested: [...new Set(nested)],
  };
}

/**
 * What a rule runs. Of a project's the files in the working tree: after the next trust that is what counts. Of others
 * whatever stands below the home; elsewhere it is the system's.
 */
function filesOf(
  { run, file, layer }: HookRule,
  place: Pick<SelfContext, "home" | "root">,
): string[] {
  const text = run.type === "shell" ? run.command : "";
  const words = run.type === "argv" ? run.argv : text.split(/[\s"'`;|&<>(){}=]+/);
  const isProject = layer === "project";
  const folders = isProject ? [dirname(file), place.root] : [dirname(file)];
  const within = isProject ? place.root : place.home;
  return words
    .map((word) => word.replace(/^(?:~|\$\{?HOME\}?)(?=\/)/, place.home).replace(/^\$/, ""))
    .flatMap((word) => (word === "" ? [] : folders.map((folder) => resolve(folder, word))))
    .filter((path) => path.startsWith(`${within}/`) && isFile(path));
}

/** The program by which hooks are answered. Where it is the project's own, its source or a package of it, the project's
 * everyday work touches it: a build writes it, an install removes it. */
function ownProgram(root: string): string[] {
  const [, file] = process.argv;
  if (file === undefined) return [];
  const folder = dirname(resolvePath(file, { folder: root, home: root }));
  return `${folder}/`.startsWith(`${root}/`) ? [] : [folder];
}

/** The files that our entries were put into, also where a variable said where they are. */
function listInstalled(stateDir: string): string[] {
  const folder = join(stateDir, "installed");
  try {
    return readdirSync(folder).flatMap((name) => {
      const file = readJsonObject(join(folder, name))?.file;
      return typeof file === "string" ? [file] : [];
    });
  } catch {
    // Nothing was installed from here.
    return [];
  }
}
