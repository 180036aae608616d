// The skill that tells an agent which commands there are and how it runs one. Pure.
import { SKILL_FILE } from "../../agents/native/markdown-text.ts";
import type { InstallScope } from "../../agents/steps/installer.ts";
import type { CommandSummary } from "../../core/command/definition.ts";
import { plainLine } from "../../core/terminal/text-columns.ts";
import { formatUsageLine } from "../../core/terminal/usage-text.ts";

export const SKILL_NAME = "adjutant";
export const SKILL_PATH = `${SKILL_NAME}/${SKILL_FILE}`;

/** Null where there is no command that an agent may run. */
export function makeSkill(commands: readonly CommandSummary[], scope: InstallScope) {
  const offered = commands.filter(({ person }) => person !== true);
  if (offered.length === 0) return null;
  const whose = scope === "project" ? "this project" : "the person you work for";
  const names = offered.map(({ name }) => name).join(", ");
  const description = `Commands of ${whose}, run in the shell with adj: ${names}. Use one where it does what is asked, instead of finding out by yourself how it is done here.`;
  return {
    fields: { name: SKILL_NAME, description: description.slice(0, MAX_DESCRIPTION) },
    body: [
      `These commands of ${whose} are run by \`adj\`, in the shell:`,
      "",
      ...offered.map(describeCommand),
      "",
      "- `adj run NAME …` always means the command NAME, also where a word of `adj` is called the same.",
      "- `adj help NAME` shows its arguments, `adj commands` all that there is, `adj --json run NAME …` one JSON object with the outcome.",
      "- Exit code 0 is success, 2 wrong words, 126 refused; stderr then says what to do next.",
      "- What is marked as destructive waits for a person's consent. Do not work around a refusal: report it.",
      "",
    ].join("\n"),
  };
}

/** Agents cut off more than that. */
const MAX_DESCRIPTION = 1_024;

function describeCommand(summary: CommandSummary): string {
  const { description, safety } = summary;
  const usage = formatUsageLine(summary).replace(/^adj /, "adj run ");
  const mark = safety === "destructive" ? " (destructive)" : "";
  return `- \`${plainLine(usage)}\`${mark}: ${plainLine(description)}`;
}
