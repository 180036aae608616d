// Markdown commands as prompts: the text that an agent would be sent, for the client to send to its own. Nothing in it is run.
import type { GetPromptResult, Prompt } from "@modelcontextprotocol/server";
import { asText } from "../../agents/log/json-fields.ts";
import type { ArgumentSchema } from "../../core/command/definition.ts";
import { fault } from "../../core/command/fault.ts";
import { asRecord } from "../../core/project/json-value.ts";
import { type Connection, readByCommand } from "./host-calls.ts";
import { type FoundSummary, ownProperties } from "./tools.ts";

const isPrompt = ({ entry }: FoundSummary): boolean => entry.file.endsWith(".md");

export const listPrompts = (found: Iterable<FoundSummary>): Prompt[] =>
  [...found].filter(isPrompt).map(({ entry: { summary } }) => ({
    name: summary.name,
    description: summary.description,
    arguments: argumentsOf(summary).map(([name, argument]) => ({
      name,
      ...(argument.description === undefined ? {} : { description: argument.description }),
      required: summary.schema?.required?.includes(name) ?? false,
    })),
  }));

const argumentsOf = ({ schema }: FoundSummary["entry"]["summary"]) =>
  schema === null ? [] : Object.entries(ownProperties(schema));

export function findPromptArgument(
  found: Iterable<FoundSummary>,
  prompt: string,
  argument: string,
): ArgumentSchema | undefined {
  const command = [...found].find((one) => isPrompt(one) && one.entry.summary.name === prompt);
  if (command === undefined) return undefined;
  return new Map(argumentsOf(command.entry.summary)).get(argument);
}

interface PromptRequest {
  readonly name: string;
  readonly given: Readonly<Record<string, string>>;
  readonly client: string;
}

export async function getPrompt(
  connection: Connection,
  found: Iterable<FoundSummary>,
  { name, given, client }: PromptRequest,
): Promise<GetPromptResult> {
  const command = [...found].find((one) => isPrompt(one) && one.entry.summary.name === name);
  if (command === undefined)
    throw fault("InputInvalid", { what: "a prompt", problem: `there is no \`${name}\`` });
  // How a prompt is run is not the client's to say: a name becomes a flag, so it must be one that was offered.
  const known = argumentsOf(command.entry.summary).map(([argument]) => argument);
  const odd = Object.keys(given).find((key) => !known.includes(key));
  if (odd !== undefined)
    throw fault("InputInvalid", { what: "a prompt", problem: `it has no argument \`${odd}\`` });
  const words = Object.entries(given).map(([key, value]) => `--${key}=${value}`);
  const args = [...words, "--dry-run"];
  const { metadata } = await readByCommand(connection, { name, args, client });
  const text = asText(asRecord(metadata).prompt) ?? "";
  return {
    description: command.entry.summary.description,
    messages: [{ role: "user", content: { type: "text", text } }],
  };
}
