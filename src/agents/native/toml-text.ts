// Commands in TOML, with the text under `prompt`: what some agents have instead of Markdown.
import { parse, stringify, TomlError } from "smol-toml";
import { fault } from "../../core/command/fault.ts";
import type { NativeText } from "./format.ts";

// Within three quotes everything stands for itself, but for what ends them and for control characters.
const UNQUOTABLE = /'''|'$|[^\P{Cc}\t\n]/u;

export function printToml({ fields, body }: NativeText): string {
  const head = stringify(fields).trimEnd();
  const prompt = UNQUOTABLE.test(body) ? stringify({ prompt: body }) : `prompt = '''\n${body}'''\n`;
  return `${head}\n${prompt}`;
}

export function readToml(text: string, file: string): NativeText {
  const { prompt, ...fields } = parseToml(text, file);
  if (typeof prompt !== "string")
    throw fault("FileInvalid", { problem: "it has no `prompt`" }, { where: { file } });
  return { fields, body: prompt };
}

function parseToml(text: string, file: string): Record<string, unknown> {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const problem = `not TOML: ${error.message.split("\n")[0] ?? ""}`;
    const { line, column } = error;
    throw fault("FileInvalid", { problem }, { where: { file, line, column }, cause: error });
  }
}
