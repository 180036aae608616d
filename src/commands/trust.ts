import * as z from "zod/mini";
import { misuse } from "../command/misuse.ts";
import { flag } from "./argument-shapes.ts";
import { defineBundled } from "./program.ts";

export default defineBundled({
  name: "trust",
  description: "Let this project's commands run, as they are now",
  category: "program",
  examples: ["adj trust", "adj trust --diff", "adj trust --list"],
  args: z.strictObject({
    diff: flag("only show what changed since it was trusted"),
    hash: z.optional(
      z
        .string()
        .check(
          z.regex(/^[0-9a-f]{64}$/, "is 64 small hexadecimal digits, as `adj trust` shows them"),
          z.meta({ plain: true, description: "trust only this state, without a question" }),
        ),
    ),
    list: flag("only list the projects that are trusted"),
    revoke: flag("trust this project no longer"),
  }),
  run: async ({ diff, hash, list, revoke }, context, program) => {
    const wishes = [diff, list, revoke, hash !== undefined].filter(Boolean);
    if (wishes.length > 1)
      throw misuse("trust", "`--diff`, `--hash`, `--list` and `--revoke` exclude each other");
    if (diff || list) {
      const { listTrusted, showDiff } = await import("./trust/show-trust.ts");
      return diff ? showDiff(program) : listTrusted(program);
    }
    const { approveByHash, askToApprove, revokeTrust } = await import("./trust/change-trust.ts");
    if (revoke) return revokeTrust(context, program);
    return hash === undefined
      ? askToApprove(context, program)
      : approveByHash(hash, context, program);
  },
});
