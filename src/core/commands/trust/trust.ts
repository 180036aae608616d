import * as z from "zod/mini";
import { misuse } from "../../command/fault.ts";
import { PERSON_USES } from "../../command/person.ts";
import { screenWidth, WIDTH_VARIABLE } from "../../terminal/render.ts";
import { defineBundled, flagArgument } from "../bundled.ts";

export default defineBundled({
  name: "trust",
  description: "Let this project's commands run, as they are now",
  category: "program",
  person: PERSON_USES.trust,
  examples: ["adj trust", "adj trust --diff", "adj trust --watch", "adj trust --list"],
  textParts: ["diff", "table"],
  env: [WIDTH_VARIABLE],
  args: z.strictObject({
    diff: flagArgument("only show what changed since it was trusted"),
    hash: z.optional(
      z
        .string()
        .check(
          z.regex(/^[0-9a-f]{64}$/, "is 64 small hexadecimal digits, as `adj trust` shows them"),
          z.meta({ plain: true, description: "trust only this state, without a question" }),
        ),
    ),
    list: flagArgument("only list the projects that are trusted"),
    revoke: flagArgument("trust this project no longer"),
    watch: flagArgument("show each change as you make it, and ask"),
  }),
  run: async ({ diff, hash, list, revoke, watch }, context, program) => {
    const actions = [diff, list, revoke, watch, hash !== undefined].filter(Boolean);
    if (actions.length > 1)
      throw misuse(
        "trust",
        "`--diff`, `--hash`, `--list`, `--revoke` and `--watch` exclude each other",
      );
    if (watch) return (await import("./watch.ts")).watchTrust(context, program);
    if (diff || list) {
      const { listTrusted, showDiff } = await import("./actions.ts");
      return diff ? showDiff(program) : listTrusted(program, screenWidth(context));
    }
    const { approveByHash, askToApprove, revokeTrust } = await import("./actions.ts");
    if (revoke) return revokeTrust(context, program);
    return hash === undefined
      ? askToApprove(context, program)
      : approveByHash(hash, context, program);
  },
});
