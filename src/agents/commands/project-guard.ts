// Before an agent is started by us: what the project's own files would do to it, and whether that was allowed.

import { homedir } from "node:os";
import { relative } from "node:path";
import type { CommandContext } from "../../core/command/context.ts";
import { fault } from "../../core/command/fault.ts";
import { quoteNames } from "../../core/command/names.ts";
import type { Program } from "../../core/commands/bundled.ts";
import { findProjectRoot } from "../../core/project/paths.ts";
import { inspectTrust } from "../../core/project/trust/inspect.ts";
import type { ProjectLeftOut, SettingsContext } from "../agent.ts";
import { AGENTS, findAgent } from "../roster.ts";
import { findHooksOff, listProjectFiles } from "../steps/settings-layers.ts";

interface GuardedRun {
  readonly agent: string;
  readonly workspaceDir: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The person knows that the project switches hooks off. */
  readonly allowHooksOff: boolean;
  /** The person wants the project's own settings to count though it is not trusted. */
  readonly projectSettings: boolean;
}

interface GuardContext {
  /** Where the person is told what does not count. */
  readonly context: Pick<CommandContext, "write">;
  readonly program: Program;
}

/** How the run leaves the project's own files out; empty where they may count. Throws where it must not start. */
export async function guardProject(
  run: GuardedRun,
  { context, program }: GuardContext,
): Promise<{ readonly withoutProject?: ProjectLeftOut }> {
  const agent = findAgent(run.agent);
  if (agent?.settings === undefined) return {};
  const root = findProjectRoot(run.workspaceDir);
  const target = { env: run.env, home: run.env.HOME || homedir(), root, cwd: run.workspaceDir };
  if (!run.allowHooksOff) await refuseHooksOff(run.agent, target, program);
  const { kind } = await inspectTrust(root, program.stateDir);
  if (run.projectSettings || kind === "trusted" || kind === "changed") return {};
  const files = listProjectFiles(agent, target).map((file) => relative(root, file));
  if (files.length === 0) return {};
  const named = quoteNames(files.slice(0, 3));
  const hint = "`--project-settings` lets them count";
  if (agent.withoutProject === undefined) {
    const problem = `the project is not trusted and has ${named}, which it would run hooks and servers from`;
    throw fault("AgentNotStarted", { agent: agent.name, problem }, { hint });
  }
  const warning = `the project is not trusted, so ${agent.name} does not take ${named}`;
  await context.write(`adj: ${warning}; ${hint}\n`, "stderr");
  return { withoutProject: agent.withoutProject(root) };
}

async function refuseHooksOff(
  name: string,
  context: SettingsContext,
  program: Program,
): Promise<void> {
  const agent = findAgent(name);
  const switches = agent === null ? [] : await findHooksOff(agent, context);
  const off = switches.find(({ layer }) => layer === "project");
  if (off === undefined || !(await hasGuards(program, context.root))) return;
  const then =
    off.effect === "off"
      ? "so it would call none of your guards"
      : "so your guards would look at other files";
  const problem = `${off.why} in \`${off.file}\`, ${then}`;
  throw fault(
    "AgentNotStarted",
    { agent: name, problem },
    { hint: "`--allow-hooks-off` starts it all the same" },
  );
}

async function hasGuards(program: Program, root: string): Promise<boolean> {
  for (const feature of program.features)
    if ((await feature.hasGuards?.(program, root)) === true) return true;
  return false;
}

/** For the question whether to trust a project: what its files say to agents is not part of what is trusted. */
export async function listSwitchNotes(
  context: CommandContext,
  { root }: Program,
): Promise<string[]> {
  const env = context.env.forChild();
  const target = { env, home: env.HOME || homedir(), root, cwd: context.workingDirectory };
  const found = await Promise.all(AGENTS.map((agent) => findHooksOff(agent, target)));
  return AGENTS.flatMap(({ name }, at) =>
    (found[at] ?? []).map(({ file, why, effect }) =>
      effect === "off"
        ? `careful: ${why} in ${file}, so \`${name}\` calls no hooks here at all`
        : `careful: ${why} in ${file}, so \`${name}\` has hooks look at other files than yours`,
    ),
  );
}
