// Whether there is colour. What paints is loaded only where there is.
import { fault } from "../command/fault.ts";

export const COLOR_CHOICES = ["always", "never", "auto"] as const;
export type ColorChoice = (typeof COLOR_CHOICES)[number];

export function requireColorChoice(given: string): ColorChoice {
  const choice = COLOR_CHOICES.find((one) => one === given);
  if (choice !== undefined) return choice;
  const problem = `\`--color\` is \`always\`, \`never\` or \`auto\`, not \`${given}\``;
  throw fault("InputInvalid", { what: "`adj`", problem });
}

interface ColorFacts {
  readonly choice: ColorChoice;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The stream it is for is a terminal. */
  readonly isTerminal: boolean;
}

/** The flag counts first, then `NO_COLOR`, then `FORCE_COLOR`, then where it is shown. */
export function wantsColor({ choice, env, isTerminal }: ColorFacts): boolean {
  if (choice !== "auto") return choice === "always";
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR) return !["0", "false"].includes(env.FORCE_COLOR);
  return isTerminal && env.TERM !== "dumb";
}
