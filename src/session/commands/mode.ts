import * as z from "zod/mini";
import { withWarnings } from "../../agents/choice/choice.ts";
import { APPROVAL_MODES, type ApprovalMode, type JsonValue } from "../../core/command/context.ts";
import { misuse } from "../../core/command/fault.ts";
import { PERSON_USES } from "../../core/command/person.ts";
import { ok } from "../../core/command/result.ts";
import { choiceArgument, defineBundled, flagArgument } from "../../core/commands/bundled.ts";
import { modeInForce } from "../approvals/decide.ts";

export default defineBundled({
  name: "mode",
  description: "Show or set how this session approves tools",
  category: "session",
  effect: "write",
  person: PERSON_USES.mode,
  argumentHint: "[ask|allowlist|auto]",
  examples: ["adj mode", "adj mode auto", "adj mode --reset"],
  args: z.strictObject({
    to: choiceArgument(APPROVAL_MODES, "`ask`, `allowlist` by the rules, or `auto`", {
      positional: 0,
    }),
    reset: flagArgument("go back to the mode of the settings"),
  }),
  run: async ({ to, reset }, context, program) => {
    if (to !== undefined && reset) throw misuse("mode", "`--reset` takes no mode");
    const before = await context.session.get();
    const isChange = to !== undefined || reset;
    const state = isChange
      ? await context.session.update((now) => ({ ...now, mode: to ?? null }))
      : before;
    const settings = await program.settings();
    const stage = program.sessions().stages.read(context.session.id);
    const { mode, source } = modeInForce(state, settings, stage);
    const warnings = mode === "allowlist" ? await findUnreadable(settings.allow) : [];
    const text = `${mode} (from ${SOURCES[source]})`;
    const metadata = { mode, source, ...(isChange ? { before: before.mode } : {}) };
    const line = `${isChange ? "mode is now " : ""}${text}: ${MEANINGS[mode]}`;
    return ok(withWarnings(line, warnings), metadata);
  },
});

const SOURCES = {
  stage: "the stage of its workflow",
  session: "this session",
  settings: "the settings",
} as const;

/** Rules of the settings that allow nothing, because nobody understands them. */
async function findUnreadable(rules: JsonValue | undefined): Promise<string[]> {
  const { readAllowRule } = await import("../approvals/rules.ts");
  const warnings: string[] = [];
  for (const rule of Array.isArray(rules) ? rules : []) {
    const reading = await readAllowRule(rule);
    if (reading.kind === "invalid")
      warnings.push(`the rule ${JSON.stringify(rule)} allows nothing: ${reading.problem}`);
  }
  return warnings;
}

const MEANINGS: Readonly<Record<ApprovalMode, string>> = {
  ask: "what only reads inside the project passes, everything else is asked",
  allowlist: "what the rules allow passes, everything else is asked",
  auto: "everything passes that the hooks let pass",
};
