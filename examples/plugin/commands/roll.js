import { defineCommand, ok, z } from "adjutant";

export default defineCommand({
  description: "Roll a die; the same seed gives the same roll",
  safety: "read_only",
  args: z.object({
    seed: z.number().int().meta({ positional: 0, plain: true }),
    sides: z.number().int().min(2).default(6),
  }),
  run: ({ seed, sides }) => ok(String((((seed * 48_271) % 2_147_483_647) % sides) + 1)),
});
