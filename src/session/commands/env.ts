import { join } from "node:path";
import * as z from "zod/mini";
import { CHOICE_VARIABLES, findChosen } from "../../agents/choice/choice.ts";
import type { AgentAdapter } from "../../agents/run/adapter.ts";
import { ok } from "../../core/command/result.ts";
import { type BundledContext, defineBundled } from "../../core/commands/bundled.ts";

export default defineBundled({
  name: "env",
  description: "Name the environment variables that this session would hand to its agent",
  category: "session",
  safety: "read_only",
  env: CHOICE_VARIABLES,
  // Names alone are shown; which of them an agent is given is decided as for a run.
  inheritEnv: true,
  args: z.strictObject({}),
  run: async (_, context, program) => {
    const { requireAdapter } = await import("../../agents/roster.ts");
    const { findFirstAgent } = await import("../../agents/choice/first-agent.ts");
    const { openAgentSearch } = await import("../../agents/run/availability.ts");
    const { agent, model } = await findChosen(context, program, await context.session.get());
    const adapter =
      agent.value === null
        ? await findFirstAgent(await openAgentSearch(context, program))
        : await requireAdapter(agent.value);
    if (adapter === null) {
      const text = "no agent is chosen and none is here; choose one with `adj provider NAME`";
      return ok(text, { agent: null, names: [], params: [] });
    }
    const { names, referred } = await listPassed(adapter, model.value, { context, program });
    const read = referred.map(({ name, path }) => `read for the param \`${path}\`: ${name}`);
    return ok([...names, ...read].join("\n"), { agent: adapter.name, names, params: referred });
  },
});

/** What the very functions that build a run's command say. */
async function listPassed(
  adapter: AgentAdapter,
  model: string | null,
  { context, program }: BundledContext,
) {
  const { listParams, paramValues, referenceIn, resolveParams } = await import(
    "../../agents/choice/params.ts"
  );
  const { pickEnvironment } = await import("../../agents/run/login.ts");
  const { checkRun } = await import("../../agents/run/prepare-run.ts");
  const { params: session } = await context.session.get();
  const { params: settings } = await program.settings();
  const inForce = listParams({ session, settings });
  const all = context.env.forChild();
  const { settings: fields } = resolveParams(adapter, null, paramValues(inForce), all);
  const env = pickEnvironment(adapter, all);
  const checked = await checkRun(adapter, {
    config: { ...fields, ...(model === null ? {} : { model }), prompt: "…" },
    workspaceDir: context.workingDirectory,
    timeout: 0,
    env,
    runId: "RUN",
    logDir: join(program.stateDir, "runs", "RUN"),
  });
  const handed = checked.kind === "ready" ? checked.plan.command.env : env;
  const referred = inForce.flatMap(({ path, value }) => {
    const name = referenceIn(value);
    return name === null ? [] : [{ name, path }];
  });
  return { names: Object.keys(handed).sort(), referred };
}
