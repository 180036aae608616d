import type { ConfigProblem } from "../../agents/config-check.ts";
import { type Fault, fault } from "../../command/fault.ts";
import type { FlagProblem } from "../../markdown/flag-problem.ts";
import type { MarkdownFile } from "../../markdown/markdown-file.ts";
import { SETTING_KEYS } from "../../markdown/portable-keys.ts";

/** A problem where it was made: in the file with its place, in the settings, or on the command line. */
export function flagFault(
  { file, name, at }: MarkdownFile,
  { source, path, part, message, hint }: FlagProblem,
  executable: string,
): Fault {
  const details = hint === null ? {} : { hint };
  if (source === "file")
    return fault("FileInvalid", { problem: message }, { ...details, where: at(path, part) });
  if (source === "flags")
    return fault("ArgumentsInvalid", { command: name, problem: message }, details);
  const problem = `\`commands.${executable}\` in the settings, used by \`${file}\`: ${message}`;
  return fault("FileInvalid", { problem }, details);
}

/** What the adapter finds wrong with a setting, in the words of the front matter. */
export function settingFault(
  file: MarkdownFile,
  { path, message }: ConfigProblem,
  flags: Readonly<Record<string, unknown>>,
): Fault {
  const [, field = "", index] = /^(\w+)(?:\[(\d+)\])?/.exec(path) ?? [];
  const named = [...SETTING_KEYS].find(([, setting]) => setting === field)?.[0];
  const key = named ?? field.replaceAll("_", "-");
  const problem = key === "" ? message : `\`${key}\` ${message}`;
  if (Object.hasOwn(flags, key) || !Object.hasOwn(file.frontMatter, key))
    return fault("ArgumentsInvalid", { command: file.name, problem });
  const where = file.at(index === undefined ? [key] : [key, Number(index)]);
  return fault("FileInvalid", { problem }, { where });
}
