import * as z from "zod/mini";
import { CHOICE_VARIABLES, findChosen } from "../../agents/choice/choice.ts";
import type { CommandContext } from "../../core/command/context.ts";
import { ok } from "../../core/command/result.ts";
import { defineBundled, type Program } from "../../core/commands/bundled.ts";
import type { ToolKind } from "../../core/step/envelope.ts";
import { screenWidth, WIDTH_VARIABLE } from "../../core/terminal/render.ts";
import { formatTable } from "../../core/terminal/text-columns.ts";
import { describeApproval, modeInForce } from "../approvals/decide.ts";

const COLUMNS = [
  { title: "TOOL", least: 20 },
  { title: "KIND" },
  { title: "APPROVAL", least: 20 },
] as const;

export default defineBundled({
  name: "tools",
  description: "Show the tools of the current agent and what approval would do with a call now",
  category: "session",
  safety: "read_only",
  env: [...CHOICE_VARIABLES, WIDTH_VARIABLE],
  args: z.strictObject({}),
  run: async (_, context, program) => {
    const state = await context.session.get();
    const { agent } = await findChosen(context, program, state);
    const stage = program.sessions().stages.read(context.session.id);
    const { mode } = modeInForce(state, await program.settings(), stage);
    if (agent.value === null) {
      const text = "no agent is chosen; choose one with `adj provider NAME`";
      return ok(text, { agent: null, approval: mode, tools: null });
    }
    const known = await listTools(agent.value, context, program);
    const { readStagePosture } = await import("../approvals/rules.ts");
    const posture = stage === null ? null : await readStagePosture(stage);
    const approvalOf = (kind: ToolKind) => describeApproval(kind, mode, posture);
    const tools = known.map((tool) => ({ ...tool, approval: approvalOf(tool.kind) }));
    const rows = tools.map(({ name, kind, approval }) => [name, kind, approval]);
    const lines = formatTable(COLUMNS, rows, screenWidth(context));
    const text = rows.length === 0 ? `${agent.value} names no tools` : lines.join("\n");
    return ok(text, { agent: agent.value, approval: mode, tools });
  },
});

interface KnownTool {
  readonly name: string;
  readonly kind: ToolKind;
  /** Its last run named it, and the agent's table does not: an MCP server's, or a newer version's. */
  readonly isFromRun: boolean;
}

/** The agent's one table, joined by what its last run stated. */
async function listTools(
  agent: string,
  context: CommandContext,
  program: Program,
): Promise<KnownTool[]> {
  const { requireAdapter, findAgent } = await import("../../agents/roster.ts");
  const { readLastTools } = await import("../../agents/choice/history.ts");
  const adapter = await requireAdapter(agent);
  const table = (await findAgent(agent)?.tools?.())?.tools ?? {};
  const own = Object.entries(table).map(([name, { kind }]) => ({ name, kind, isFromRun: false }));
  const stated = readLastTools(program, context.session.id, agent)
    .filter((name) => !Object.hasOwn(table, name))
    .map((name) => ({ name, kind: adapter.kindOfTool(name), isFromRun: true }));
  return [...own, ...stated];
}
