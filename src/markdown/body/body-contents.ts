// What a body would use and do, without doing it.
import type { Where } from "../../command/fault.ts";
import type { Body } from "./body.ts";
import { mentionsVariable } from "./commands/shell-variables.ts";

/** The names of the template's variables, in order of appearance. */
export const listVariables = (body: Body): readonly string[] =>
  body.variables.map(({ name }) => name);

/** In the template, or as `$stdin` in an inline command. */
export function mentionsStdin(body: Body): boolean {
  return (
    listVariables(body).includes("stdin") ||
    body.directives.some(
      (directive) => directive.kind === "command" && mentionsVariable(directive.command, "stdin"),
    )
  );
}

export interface Effect {
  readonly kind: "file" | "glob" | "url" | "command";
  /** The command, the address, or the path as it was written. */
  readonly subject: string;
  readonly where: Where;
  /** It may not be reached. */
  readonly isConditional: boolean;
}

/** Every import and inline command, in order of appearance. */
export function listEffects(body: Body): readonly Effect[] {
  return body.directives.map((directive) => {
    const { where, isConditional } = directive;
    if (directive.kind === "command")
      return { kind: "command", subject: directive.command, where, isConditional };
    const subject = directive.written.slice(1);
    const kind = directive.kind === "url" ? "url" : directive.isGlob ? "glob" : "file";
    return { kind, subject, where, isConditional };
  });
}
