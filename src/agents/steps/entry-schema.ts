// The pieces that the agents' hook files share.
import * as z from "zod/mini";

export const positive = z.number().check(z.refine((value) => value > 0, "must be above 0"));

export const commandHandler = z.looseObject({
  type: z.literal("command"),
  command: z.string().check(z.minLength(1)),
  timeout: z.optional(positive),
});

/** A matcher with its handlers. */
export const groupOf = (handler: z.ZodMiniType) =>
  z.looseObject({ matcher: z.optional(z.string()), hooks: z.array(handler) });
