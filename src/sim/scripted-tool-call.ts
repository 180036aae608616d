import * as z from "zod/mini";
import { someText } from "./scenario-value.ts";

/** A call named by what it does, or by the agent's own name for the tool. */
export type ScriptedToolCall =
  | { readonly tool: "shell"; readonly command: string }
  | { readonly tool: "write"; readonly path: string; readonly content: string }
  | { readonly tool: "edit"; readonly path: string; readonly old: string; readonly new: string }
  | { readonly tool: "read"; readonly path: string }
  | {
      readonly tool: "exact";
      readonly name: string;
      readonly arguments: Readonly<Record<string, unknown>> | string;
    };

const FIELDS_OF = {
  shell: ["command"],
  write: ["path", "content"],
  edit: ["path", "old", "new"],
  read: ["path"],
} as const;

const callFields = z.strictObject({
  tool: z.optional(z.enum(["shell", "write", "edit", "read"])),
  command: z.optional(z.string()),
  path: z.optional(someText),
  content: z.optional(z.string()),
  old: z.optional(someText),
  new: z.optional(z.string()),
  name: z.optional(someText),
  /** A text is passed as it is, for tools that take free text. */
  arguments: z.optional(
    z.union([z.record(z.string(), z.unknown()), z.string()], "must be a map or text"),
  ),
});
type CallFields = z.output<typeof callFields>;

function findProblem(call: CallFields): string | null {
  if ((call.tool === undefined) === (call.name === undefined))
    return "must have either `tool` (shell, write, edit, read) or the agent's own `name`";
  const given = Object.keys(call).filter((key) => key !== "tool" && key !== "name");
  const wanted: readonly string[] = call.tool === undefined ? ["arguments"] : FIELDS_OF[call.tool];
  const owner = call.tool === undefined ? "name" : `tool: ${call.tool}`;
  const missing = call.tool === undefined ? undefined : wanted.find((key) => !given.includes(key));
  if (missing !== undefined) return `with \`${owner}\` needs \`${missing}\``;
  const extra = given.find((key) => !wanted.includes(key));
  return extra === undefined ? null : `has \`${extra}\`, which does not belong to \`${owner}\``;
}

export const toolCall = callFields.check(
  z.superRefine((call, context) => {
    const problem = findProblem(call);
    if (problem !== null) context.addIssue({ code: "custom", message: problem, input: call });
  }),
);

/** The fields of a checked call as one of the kinds. */
export function readToolCall(call: z.output<typeof toolCall>): ScriptedToolCall {
  const { tool, path = "", name = "" } = call;
  if (tool === "shell") return { tool, command: call.command ?? "" };
  if (tool === "write") return { tool, path, content: call.content ?? "" };
  if (tool === "edit") return { tool, path, old: call.old ?? "", new: call.new ?? "" };
  if (tool === "read") return { tool, path };
  return { tool: "exact", name, arguments: call.arguments ?? {} };
}
