import * as z from "zod/mini";
import { APPROVAL_MODES, type ApprovalMode } from "../../core/command/context.ts";
import { misuse } from "../../core/command/fault.ts";
import { PERSON_USES } from "../../core/command/person.ts";
import { ok } from "../../core/command/result.ts";
import { defineBundled, flagArgument } from "../../core/commands/bundled.ts";
import { modeInForce } from "../tool-approval.ts";

export default defineBundled({
  name: "mode",
  description: "Show or set how this session approves tools",
  category: "session",
  effect: "write",
  person: PERSON_USES.mode,
  argumentHint: "[ask|allowlist|auto]",
  examples: ["adj mode", "adj mode auto", "adj mode --reset"],
  args: z.strictObject({
    to: z.optional(
      z.enum(APPROVAL_MODES).check(
        z.meta({
          positional: 0,
          plain: true,
          description: "`ask`, `allowlist` by the rules, or `auto`",
        }),
      ),
    ),
    reset: flagArgument("go back to the mode of the settings"),
  }),
  run: async ({ to, reset }, context, program) => {
    if (to !== undefined && reset) throw misuse("mode", "`--reset` takes no mode");
    const before = await context.session.get();
    const isChange = to !== undefined || reset;
    const state = isChange
      ? await context.session.update((now) => ({ ...now, mode: to ?? null }))
      : before;
    const stage = program.sessions().stages.read(context.session.id);
    const { mode, source } = modeInForce(state, await program.settings(), stage);
    const text = `${mode} (from ${SOURCES[source]})`;
    const metadata = { mode, source, ...(isChange ? { before: before.mode } : {}) };
    return ok(`${isChange ? "mode is now " : ""}${text}: ${MEANINGS[mode]}`, metadata);
  },
});

const SOURCES = {
  stage: "the stage of its workflow",
  session: "this session",
  settings: "the settings",
} as const;

const MEANINGS: Readonly<Record<ApprovalMode, string>> = {
  ask: "what only reads inside the project passes, everything else is asked",
  allowlist: "what the rules allow passes, everything else is asked",
  auto: "everything passes that the hooks let pass",
};
