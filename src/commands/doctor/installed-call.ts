// What an installed entry calls, read back from the agent's own file.
import { readFileSync } from "node:fs";
import { isRecord } from "../../agents/json-fields.ts";
import { splitWords } from "../../command/words.ts";
import type { HookInstaller } from "../../hooks/install/installer.ts";
import type { HooksSeen } from "../../hooks/install/look.ts";
import { commandOfHandler } from "../../hooks/install/our-entry.ts";

export type InstalledCall =
  /** By a shell, as the agent does it. */
  | { readonly kind: "line"; readonly line: string; readonly program: string }
  | { readonly kind: "words"; readonly words: readonly string[]; readonly program: string }
  | {
      readonly kind: "http";
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
    };

/** Each once, in the order of the file. */
export function listCalls(installer: HookInstaller, seen: HooksSeen): InstalledCall[] {
  const calls =
    installer.kind === "plugin" ? [readPlugin(seen.file)] : seen.ours.map(callOfHandler);
  const distinct = new Map(calls.map((call) => [JSON.stringify(call), call]));
  return [...distinct.values()];
}

function callOfHandler({ handler }: HooksSeen["ours"][number]): InstalledCall {
  const line = commandOfHandler(handler);
  if (line !== null) return { kind: "line", line, program: splitWords(line)[0] ?? "" };
  const entry = isRecord(handler) ? handler : {};
  const headers = isRecord(entry.headers) ? entry.headers : {};
  return {
    kind: "http",
    url: String(entry.url),
    headers: Object.fromEntries(
      Object.entries(headers)
        .map(([name, value]) => [name, String(value)] as const)
        // Those with a variable are filled in by the agent.
        .filter(([, value]) => !value.includes("$")),
    ),
  };
}

function readPlugin(file: string): InstalledCall {
  const text = readFileSync(file, "utf8");
  const program = readConstant(text, "PROGRAM");
  const words = readConstant(text, "WORDS");
  return {
    kind: "words",
    program: typeof program === "string" ? program : "",
    words: Array.isArray(words) ? words.map(String) : [],
  };
}

function readConstant(text: string, name: string): unknown {
  const value = new RegExp(`^const ${name} = (.*);$`, "m").exec(text)?.[1];
  return value === undefined ? undefined : JSON.parse(value);
}
