import * as z from "zod/mini";
import { count, duration, ordinal, someText } from "./scenario-value.ts";

const KINDS = [
  "status",
  "drop_after",
  "hang",
  "hang_after",
  "malformed_frame",
  "content_type",
] as const;

const TIMES = "must be a whole number from 1, or `forever`";
const STATUS = "must be a status from 400 to 599";

export const scriptedFault = z
  .strictObject({
    status: z.optional(count.check(z.refine((value) => value >= 400 && value <= 599, STATUS))),
    /** The connection is cut after this many events of the answer. */
    drop_after: z.optional(count),
    /** Nothing is ever sent, not even headers. */
    hang: z.optional(z.literal(true)),
    /** The stream falls silent after this many events. */
    hang_after: z.optional(count),
    /** This event of the answer is broken JSON; 1 is the first. */
    malformed_frame: z.optional(ordinal),
    /** The answer is labelled as this instead of what it is. */
    content_type: z.optional(someText),
    /** Instead of the answer, under that label: a login page, say. */
    body: z.optional(z.string()),
    retry_after: z.optional(duration),
    message: z.optional(someText),
    /** How often before the turn itself is played; once, if nothing is said. */
    times: z.optional(z.union([ordinal, z.literal("forever")], TIMES)),
  })
  .check(
    z.refine(
      (fault) => KINDS.filter((kind) => fault[kind] !== undefined).length === 1,
      `needs exactly one of ${KINDS.map((kind) => `\`${kind}\``).join(", ")}`,
    ),
    z.refine(
      (fault) =>
        fault.status !== undefined ||
        (fault.retry_after === undefined && fault.message === undefined),
      "has `retry_after` or `message`, which belong to `status`",
    ),
    z.refine(
      (fault) => fault.content_type !== undefined || fault.body === undefined,
      "has `body`, which belongs to `content_type`",
    ),
  );
export type ScriptedFault = z.output<typeof scriptedFault>;

export function describeFault(fault: ScriptedFault): string {
  const kind = KINDS.find((name) => fault[name] !== undefined) ?? "status";
  return kind === "hang" ? "hang" : `${kind} ${fault[kind]}`;
}
