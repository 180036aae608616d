// A program with hooks of its user, and what `adj hooks` says there.

import { linesOf, textOf } from "../../support/program-of-commands.ts";
import { writeFiles } from "../../support/temporary-folder.ts";
import { type HooksProgram, openHooksProgram } from "./hooks-program.ts";

export const GUARD = `  - name: no-force
    on: before_tool
    match: { kind: shell, command: "git push*--force*" }
    run: { builtin: deny, with: { reason: never by force } }
`;

export function programWith(rules: string): HooksProgram {
  const opened = openHooksProgram();
  writeFiles(opened.configDir, { "hooks.yaml": `hooks:\n${rules}` });
  return opened;
}

export const hooks = async (opened: HooksProgram, ...words: string[]) => {
  const outcome = await opened.adj("hooks", ...words);
  return {
    exitCode: outcome.result.exitCode,
    text: textOf(outcome),
    lines: linesOf(outcome),
    error: outcome.result.errorOutput,
    // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects
    facts: (outcome.result.metadata ?? {}) as any,
  };
};
