// Settings of git that a line writes: some have programs run or pushes go elsewhere, at once or later.
import { hidesByValue } from "../../../core/shell/git/programs.ts";
import { classifyGit } from "../../../core/shell/git/safety.ts";
import { type GitCall, readGitCall } from "../../../core/shell/git-call.ts";
import type { LineAnalysis } from "../../../core/shell/simple-command.ts";

/** They are looked up again when they count, or what they run is looked at by itself, as with an alias. */
const HARMLESS_NOW =
  /^(alias\..*|branch\..*|remote\..*\.(tagopt|proxy)|push\.default|gc\.(?!.*(?:expire|prune)).*|submodule\..*|safe\..*|core\.(bare|sparsecheckout|trustctime|checkstat|repositoryformatversion|attributesfile)|extensions\..*|help\..*)$/;
const ADDRESS = /^(remote\..*\.(url|pushurl)|url\..*)$/;
const PLAIN_ADDRESS = /^(?!-)(?![\w+.-]+::)/;
const EDITS = /^(-e|--ed.*|edit|--rename.*|rename-section)$/;
const TAKES_AWAY = /^(--unset.*|unset|--remove.*|remove-section)$/;
const VALUED = /^(-f|--file|--blob|--type|--default|--comment|--value|--url)$/;

/** The setting by which the call of `git config` has git do something else; null where it writes none. */
export function findWrittenSetting({ subcommand, args }: GitCall): string | null {
  if (subcommand !== "config") return null;
  const words = args.map(({ text }) => text);
  const edit = words.find((word) => EDITS.test(word));
  if (edit !== undefined) return edit;
  if (words.some((word) => TAKES_AWAY.test(word))) return null;
  const operands = args.filter(
    ({ text }, index) =>
      !text.startsWith("-") && text !== "set" && !VALUED.test(words[index - 1] ?? ""),
  );
  const [name, value] = operands;
  if (name === undefined || value === undefined) return null;
  const setting = {
    name: name.kind === "literal" ? name.text.toLowerCase() : "*",
    value: value.kind === "literal" ? value.text : null,
  };
  const isLine = /^submodule\..*\.update$/.test(setting.name) && setting.value?.[0] === "!";
  if (HARMLESS_NOW.test(setting.name) && !isLine) return null;
  if (ADDRESS.test(setting.name) && PLAIN_ADDRESS.test(setting.value ?? "")) return null;
  return hidesByValue(setting) ? name.text : null;
}

/** Whether the line itself changes settings, so that those that were looked up no longer count. */
export const changesSettings = ({ commands }: LineAnalysis): boolean =>
  commands.some((command) => {
    const subcommand = readGitCall(command)?.subcommand ?? "";
    return /^(config|remote)$/.test(subcommand) && classifyGit(command) !== "read_only";
  });
