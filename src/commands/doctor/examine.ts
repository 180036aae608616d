import type { CommandContext } from "../../command/context.ts";
import type { CommandResult } from "../../command/result.ts";
import { loadHookSet } from "../../hooks/hook-set.ts";
import { INSTALLERS } from "../../hooks/install/roster.ts";
import { findAgents } from "../install/found-agents.ts";
import { pickInstallers, placeOf } from "../install/target.ts";
import type { Program } from "../program.ts";
import { type AgentReport, examineAgent } from "./examine-agent.ts";
import { examineState } from "./examine-state.ts";
import { type Finding, formatFinding } from "./finding.ts";

/** Succeeds when nothing needs attention; warnings and notes are only told. */
export async function examine(
  names: readonly string[],
  context: CommandContext,
  program: Program,
): Promise<CommandResult> {
  const installers = names.length === 0 ? INSTALLERS : pickInstallers(names);
  const place = placeOf(context, program);
  const set = await loadHookSet({ paths: program, root: program.root });
  const found = await findAgents(
    context,
    program,
    installers.map(({ agent }) => agent),
  );
  const agents: AgentReport[] = [];
  for (const [at, installer] of installers.entries()) {
    const here = found[at];
    if (here === undefined) continue;
    context.progress(`asking ${installer.agent}`);
    // One after the other: they are timed.
    agents.push(await examineAgent(installer, here, { place, set, signal: context.signal }));
  }
  const state = await examineState(program, set);
  return report(agents, state);
}

function report(agents: readonly AgentReport[], state: readonly Finding[]): CommandResult {
  const all = [...agents.flatMap(({ findings }) => findings), ...state];
  const troubles = all.filter(({ level }) => level === "attention").length;
  const sections = [
    ...agents.map((agent) => [titleOf(agent), ...agent.findings.map(formatFinding)]),
    ["adjutant", ...state.map(formatFinding)],
    [summarize(troubles)],
  ];
  return {
    success: troubles === 0,
    output: sections.map((lines) => lines.join("\n")).join("\n"),
    errorOutput: null,
    exitCode: troubles === 0 ? 0 : 1,
    metadata: { agents, state, needsAttention: troubles },
  };
}

const titleOf = ({ agent, isFound, version }: AgentReport): string =>
  `${agent} ${isFound ? (version ?? "") : "(not here)"}`.trimEnd();

function summarize(troubles: number): string {
  if (troubles === 0) return "all is well";
  return troubles === 1 ? "1 thing needs attention" : `${troubles} things need attention`;
}
