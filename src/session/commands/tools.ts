import * as z from "zod/mini";
import { CHOICE_VARIABLES, findChosen } from "../../agents/choice/choice.ts";
import { ok } from "../../core/command/result.ts";
import { defineBundled } from "../../core/commands/bundled.ts";
import { screenWidth, WIDTH_VARIABLE } from "../../core/terminal/render.ts";
import { formatTable } from "../../core/terminal/text-columns.ts";

const COLUMNS = [{ title: "TOOL", least: 20 }, { title: "KIND" }, { title: "APPROVAL" }];

export default defineBundled({
  name: "tools",
  description: "Show the tools of the current agent and how a call is approved",
  category: "session",
  safety: "read_only",
  env: [...CHOICE_VARIABLES, WIDTH_VARIABLE],
  args: z.strictObject({}),
  run: async (_, context, program) => {
    const { agent } = await findChosen(context, program, await context.session.get());
    const { mode = "ask" } = await program.settings();
    const { listCards } = await import("../../agents/choice/cards.ts");
    const card = (await listCards()).find(({ name }) => name === agent.value);
    if (agent.value === null || card === undefined) {
      const text =
        agent.value === null
          ? "no agent is chosen; choose one with `adj provider NAME`"
          : `nothing is known of the tools of ${agent.value}`;
      return ok(text, { agent: agent.value, approval: mode, tools: null });
    }
    const rows = card.tools.map(({ name, kind }) => [name, kind, String(mode)]);
    const tools = card.tools.map(({ name, kind }) => ({ name, kind, approval: mode }));
    const lines = formatTable(COLUMNS, rows, screenWidth(context));
    const text = rows.length === 0 ? `${card.name} names no tools` : lines.join("\n");
    return ok(text, { agent: card.name, approval: mode, tools });
  },
});
