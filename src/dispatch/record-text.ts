// Free text on its way to the record: whatever this dispatch was given in confidence is masked in it.
import type { CommandSummary } from "../command/command.ts";
import { maskSecrets } from "../command/secrets.ts";
import { privateTexts } from "../command/shape.ts";
import type { Request } from "./request.ts";
import { rawTexts, type SpokenCommand } from "./spoken-command.ts";

export interface RecordText {
  /** Arguments that only became known on the way: parsed, or rewritten by a hook. */
  concealArguments(args: unknown): void;
  /** A value of the environment that the command was given. */
  concealValue(value: string | undefined): void;
  mask(text: string): string;
}

export function createRecordText(
  summary: CommandSummary,
  { spoken, env }: { spoken: SpokenCommand; env: Request["env"] },
): RecordText {
  const concealed = new Set([...rawTexts(summary, spoken), ...declaredValues(summary, env)]);
  return {
    concealArguments: (args) => {
      for (const text of privateTexts(summary.schema, args)) concealed.add(text);
    },
    concealValue: (value) => {
      if (value !== undefined) concealed.add(value);
    },
    mask: (text) => maskSecrets(withoutLine(text, summary.name, spoken), [...concealed]),
  };
}

/** A line quotes its values in ways that an exact search does not see; the name says enough. */
function withoutLine(text: string, name: string, { line }: SpokenCommand): string {
  return /\S\s+\S/.test(line) ? text.replaceAll(line, name) : text;
}

function declaredValues({ env: declared }: CommandSummary, env: Request["env"]): string[] {
  const names: readonly string[] = Array.isArray(declared) ? declared : [];
  const given = names.map((name) => env[name]).filter((value) => value !== undefined);
  return Array.isArray(declared) ? given : Object.values(declared);
}
