// What an agent itself decides about hooks: its settings in every layer, and the trust that it wants for them.
import { realpathSync } from "node:fs";
import type { FoundAgent } from "../../agents/commands/install-target.ts";
import { findAgent, requireInstaller } from "../../agents/roster.ts";
import type { HookInstaller, HookScope } from "../../agents/steps/installer.ts";
import { findHooksOff } from "../../agents/steps/settings-layers.ts";
import {
  attentionFinding,
  type Finding,
  noteFinding,
  okFinding,
  warningFinding,
} from "../../core/commands/finding.ts";
import { isOurCommand } from "../../hooks/install/entries.ts";
import type { Examination } from "./calls.ts";
import type { ScopeSeen } from "./entries.ts";

/** Settings by which the agent calls no hooks, whoever wrote them. */
export async function judgeSwitches(
  name: string,
  installed: readonly HookScope[],
  { target, cwd }: Examination,
): Promise<Finding[]> {
  const agent = findAgent(name);
  const { managed } = await requireInstaller(name);
  const gap = typeof managed === "string" ? undefined : managed.gap;
  const switches = agent === null ? [] : await findHooksOff(agent, { ...target, cwd });
  return switches.map(({ layer, file, why, effect }) => {
    const text = `${why} in ${file}`;
    if (effect === "moved") {
      const moved = `by that our hooks may look at other files than yours: \`${name}\` is not guarded here until it is changed`;
      return installed.length > 0 ? attentionFinding(text, moved) : warningFinding(text, moved);
    }
    if (layer !== "managed" && installed.includes("managed") && !gap?.why.test(why))
      return noteFinding(`${text}, which does not reach the hooks for everybody on this machine`);
    const repair =
      layer === "project"
        ? `this project switches hooks off: \`${name}\` calls none of ours here until it is changed`
        : `\`${name}\` calls no hook of ours until it is changed`;
    return installed.length > 0 ? attentionFinding(text, repair) : warningFinding(text, repair);
  });
}

/** Some read the project's settings where they are started, not at its root: our entries there do not count below it. */
export function judgeStartFolder(
  { agent, configFile }: HookInstaller,
  scopes: readonly ScopeSeen[],
  { target, cwd }: Examination,
): Finding[] {
  const installed = scopes.filter(({ seen }) => seen.kind === "installed");
  const [only] = installed;
  if (findAgent(agent)?.projectFolders !== "start") return [];
  if (only?.scope !== "project" || installed.length > 1) return [];
  if (realpathSync(cwd) === realpathSync(target.root)) return [];
  const file = configFile("project", target);
  return [
    attentionFinding(
      `it does not read ${file} when it is started in ${cwd}, so no guard is in force there`,
      `start it in ${target.root}, or \`adj install ${agent}\` for yourself`,
    ),
  ];
}

/** An agent that skips what nobody trusted is asked which of our entries it calls. */
export async function judgeHookTrust(
  { agent: name, isFound, program }: FoundAgent,
  { target, cwd, signal }: Examination,
): Promise<Finding[]> {
  const ask = await findAgent(name)?.hookTrust?.();
  if (ask === undefined || !isFound) return [];
  const env = Object.fromEntries(
    Object.entries(target.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  const hooks = await ask({ program, root: cwd, env, signal });
  const repair = `start \`${name}\` and trust the hooks it shows`;
  if (hooks === null)
    return [attentionFinding("it did not say whether it trusts our hooks", repair)];
  const ours = hooks.filter(({ command }) => isOurCommand(command, name));
  if (ours.length === 0)
    return [
      attentionFinding("it knows none of our hooks, so it calls none", `look into its settings`),
    ];
  const skipped = ours.filter(({ trust }) => !TRUSTED.has(trust));
  if (skipped.length === 0) return [okFinding(`it trusts our ${ours.length} hooks`)];
  const words = [...new Set(skipped.map(({ trust }) => trust))].join(", ");
  return [
    attentionFinding(
      `it skips ${skipped.length} of our ${ours.length} hooks silently (${words})`,
      repair,
    ),
  ];
}

const TRUSTED: ReadonlySet<string> = new Set(["trusted", "managed"]);
