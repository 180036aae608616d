import type { ZodMiniType } from "zod/mini";
import type { OptionsReading } from "../../command/options-reading.ts";
import { describeIssues } from "../../config/schema-problem.ts";

/** The options by their schema; what is wrong is said in the words of the suite's file. */
export const readOptionsBy =
  <Options>(schema: ZodMiniType<Options>) =>
  (raw: unknown): OptionsReading<Options> => {
    const checked = schema.safeParse(raw, { reportInput: true });
    if (checked.success) return { kind: "options", options: checked.data };
    const { path, message, hint } = describeIssues(checked.error.issues, schema);
    const steps = path.filter((step) => typeof step !== "symbol");
    return {
      kind: "invalid",
      path: steps,
      problem: hint === null ? message : `${message}; ${hint}`,
    };
  };
