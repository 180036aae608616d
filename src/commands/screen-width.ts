import type { CommandContext } from "../command/context.ts";

/** How many cells a line has; the surface sets it where a person is looking. */
export const WIDTH_VARIABLE = "COLUMNS";

const NARROWEST = 40;

/** Null where lines are read by a program and may have any length. */
export function screenWidth({ env }: CommandContext): number | null {
  const width = Number(env.get(WIDTH_VARIABLE) ?? "");
  return Number.isInteger(width) && width > 0 ? Math.max(NARROWEST, width) : null;
}
