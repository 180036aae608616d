// A desk with hooks of its user, and what `adj hooks` says there.

import { linesOf, textOf } from "../../support/program-of-commands.ts";
import { writeFiles } from "../../support/temporary-folder.ts";
import { type HooksDesk, openHooksDesk } from "./hooks-desk.ts";

export const GUARD = `  - name: no-force
    on: before_tool
    match: { kind: shell, command: "git push*--force*" }
    run: { builtin: deny, with: { reason: never by force } }
`;

export function deskWith(rules: string): HooksDesk {
  const desk = openHooksDesk();
  writeFiles(desk.configDir, { "hooks.yaml": `hooks:\n${rules}` });
  return desk;
}

export const hooks = async (desk: HooksDesk, ...words: string[]) => {
  const outcome = await desk.adj("hooks", ...words);
  return {
    exitCode: outcome.result.exitCode,
    text: textOf(outcome),
    lines: linesOf(outcome),
    error: outcome.result.errorOutput,
    // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects
    facts: (outcome.result.metadata ?? {}) as any,
  };
};
