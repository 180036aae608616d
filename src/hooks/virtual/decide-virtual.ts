// What becomes of a line that names virtual commands. Pure.
import type { CommandSummary } from "../../command/command.ts";
import type { HookAbilities } from "../agents/hook-agent.ts";
import type { Permission } from "../verdict.ts";

export interface VirtualFacts {
  /** The words of a line that is one simple command with literal words, null for any other. */
  readonly words: readonly string[] | null;
  /** What the first of those words names; null where it could not be loaded. */
  readonly command: CommandSummary | null;
  readonly abilities: HookAbilities;
  /** What the hooks said. */
  readonly permission: Permission | null;
}

export type VirtualPlan =
  /** Run here; the line becomes one that shows what happened. */
  | { readonly kind: "answered" }
  /** Run here; what happened is the reason why the line is not run. */
  | { readonly kind: "denied-with-output" }
  /** The shell finds a real program; the line stays. */
  | { readonly kind: "shim" }
  /** The same, but PATH has to be set in the line. */
  | { readonly kind: "prefixed" }
  | { readonly kind: "denied-with-line" };

export function decideVirtual(facts: VirtualFacts): VirtualPlan {
  const { abilities } = facts;
  const canRewrite = abilities.steps.before_tool?.changes.includes("args") ?? false;
  if (isHarmless(facts)) return { kind: canRewrite ? "answered" : "denied-with-output" };
  if (abilities.shims === "env-file" || abilities.shims === "plugin") return { kind: "shim" };
  const canPrefix = abilities.shims === "line-prefix" && canRewrite && !abilities.rewriteAllows;
  return { kind: canPrefix ? "prefixed" : "denied-with-line" };
}

/** Nobody has to be asked, so it may happen before the agent asks. */
const isHarmless = ({ words, command, permission }: VirtualFacts): boolean =>
  words !== null &&
  command?.safety === "read_only" &&
  command.effect === "read" &&
  permission !== "ask";

/** The same line without virtual commands: `adj-x y` is `adj run x y`. */
export function spellOut(line: string, prefix: string, names: readonly string[]): string {
  const word = new RegExp(`(?<![\\w./-])${prefix}([a-z][a-z0-9-]*)(?![\\w./-])`, "g");
  return line.replace(word, (whole, name: string) =>
    names.includes(name) ? `adj run ${name}` : whole,
  );
}
