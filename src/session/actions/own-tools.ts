// The tools of commands: what they are called, what they take, and what hooks and approvals see in them.
import { isRecord } from "../../agents/log/json-fields.ts";
import { readCalls, type ToolTable } from "../../agents/steps/tool-table.ts";
import type { CommandTools } from "../../core/command/context.ts";
import { fault } from "../../core/command/fault.ts";
import { parseDuration } from "../../core/command/time.ts";
import { nearestNames } from "../../core/command/words.ts";
import type { StepReader } from "../../hooks/pipeline/decide-step.ts";

export const OWN_TOOLS: ToolTable = {
  mcp: /(?!)/,
  tools: {
    shell: { kind: "shell", line: "command" },
    read: { kind: "read", paths: ["path"] },
    write: { kind: "write", paths: ["path"] },
    edit: { kind: "edit", paths: ["path"] },
    fetch: { kind: "fetch" },
  },
};

/** Handlers are given as long as an agent's hook has. */
const HANDLER_LIMIT_MS = 60_000;

export const OWN_READER: StepReader = {
  ...readCalls(OWN_TOOLS),
  abilities: { hookLimitMs: HANDLER_LIMIT_MS },
};

/** A tool with arguments that were checked. */
export type ToolUse = {
  [Name in keyof CommandTools]: { readonly name: Name; readonly args: CommandTools[Name] };
}[keyof CommandTools];

/** Throws `ArgumentsInvalid` in the words of the command that asked. */
export function readToolUse(command: string, name: string, given: unknown): ToolUse {
  const refuse = (problem: string) => fault("ArgumentsInvalid", { command, problem });
  if (!isRecord(given)) throw refuse(`the tool \`${name}\` takes an object`);
  const text = (key: string): string => {
    const value = given[key];
    if (typeof value === "string" && !value.includes("\0")) return value;
    throw refuse(`the tool \`${name}\` needs \`${key}\`, a text`);
  };
  const optional = (key: string) => (given[key] === undefined ? {} : { [key]: text(key) });
  switch (name) {
    case "shell":
      if (given.timeout !== undefined && parseDuration(text("timeout")) === null)
        throw refuse("`timeout` must be a duration such as `30s`");
      return {
        name,
        args: { command: text("command"), ...optional("cwd"), ...optional("timeout") },
      };
    case "read":
      return { name, args: { path: text("path") } };
    case "write":
      return { name, args: { path: text("path"), content: text("content") } };
    case "edit": {
      const edit = { path: text("path"), oldText: text("oldText"), newText: text("newText") };
      return { name, args: given.all === true ? { ...edit, all: true } : edit };
    }
    case "fetch": {
      const fields = { url: text("url"), ...optional("method"), ...optional("body") };
      return { name, args: { ...fields, ...headersOf(given.headers, refuse) } };
    }
    default: {
      const [nearest] = nearestNames(name, Object.keys(OWN_TOOLS.tools));
      const question = nearest === undefined ? "" : `; did you mean \`${nearest}\`?`;
      throw refuse(`there is no tool \`${name}\`${question}`);
    }
  }
}

function headersOf(given: unknown, refuse: (problem: string) => Error) {
  if (given === undefined) return {};
  const pairs = isRecord(given) ? Object.entries(given) : null;
  const isText = (pair: [string, unknown]): pair is [string, string] => typeof pair[1] === "string";
  if (pairs === null || !pairs.every(isText)) throw refuse("`headers` must be texts by name");
  return { headers: Object.fromEntries(pairs) };
}
