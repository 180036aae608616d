// Commands as tools of the protocol: their names, schemas and hints, and the two tools that go with a run handle. Pure.
import type { Tool } from "@modelcontextprotocol/server";
import type { CommandSummary } from "../../core/command/definition.ts";
import { type Fault, fault } from "../../core/command/fault.ts";
import { isForPerson } from "../../core/command/person.ts";
import type { Resolution } from "../../core/command/registry.ts";
import type { JsonRecord } from "../../core/project/json-value.ts";

export type FoundSummary = Extract<Resolution, { kind: "found" }>;

export const WAIT_TOOL = "adj_wait";
export const CANCEL_TOOL = "adj_cancel";
/** Clients give up at 60 s. */
const MAX_WAIT_SECONDS = 45;
/** Told to every tool that has no argument of that name: it returns a handle at once. */
const BACKGROUND = "background";

/** With the prefixes that clients add, models take names of at most 64 characters. */
const MAX_NAME_LENGTH = 48;

/** What every answer holds, so that it stands alone where a client shows the model nothing else. */
const OUTPUT_SCHEMA: Tool["outputSchema"] = {
  type: "object",
  properties: {
    status: { type: "string", enum: ["done", "running", "waiting"] },
    run_id: { type: "string", description: `for ${WAIT_TOOL} and ${CANCEL_TOOL}` },
    exit_code: { type: "integer" },
    output: { type: "string" },
    error_output: { type: "string" },
    rest: { type: "string", description: "the resource that has the whole output" },
    data: {
      ...{ type: "object", additionalProperties: true },
      description: "what the command says as data",
    },
    next: { type: "string", description: "what to do now" },
  },
  required: ["status"],
};

/** A command by the name of its tool. */
export function indexTools(
  found: readonly FoundSummary[],
  { isAll }: { readonly isAll: boolean },
): ReadonlyMap<string, FoundSummary> {
  const offered = found.filter(
    ({ entry: { summary }, at }) =>
      (isAll || at.layer !== "bundled") && !isAlwaysForPerson(summary),
  );
  return new Map(offered.map((one) => [toolName(one.entry.summary.name), one]));
}

/** An agent is refused whatever it calls it with. */
const isAlwaysForPerson = (summary: CommandSummary): boolean => isForPerson(summary, {});

const toolName = (name: string): string =>
  name.length <= MAX_NAME_LENGTH ? name : `${name.slice(0, MAX_NAME_LENGTH - 9)}-${hashOf(name)}`;

/** FNV-1a: two long names must not become one. */
function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (const character of text)
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return hash.toString(16).padStart(8, "0");
}

export function describeTool(
  name: string,
  { summary }: { readonly summary: CommandSummary },
): Tool {
  const { description, safety, examples } = summary;
  const example = examples[0] === undefined ? "" : `\nExample on a command line: ${examples[0]}`;
  return {
    name,
    title: summary.name,
    description: `${description}${SAFETY_WORDS[safety]}${example}`,
    inputSchema: inputSchemaOf(summary),
    outputSchema: OUTPUT_SCHEMA,
    annotations: {
      title: summary.name,
      readOnlyHint: safety === "read_only",
      destructiveHint: safety === "destructive",
      openWorldHint: safety !== "read_only",
    },
  };
}

const SAFETY_WORDS: Readonly<Record<CommandSummary["safety"], string>> = {
  read_only: "",
  mutating: "",
  destructive: " (destructive: a person is asked first, in a window of their own)",
};

/** Without a schema of its own a command takes words. */
function inputSchemaOf({ schema, argumentHint }: CommandSummary): Tool["inputSchema"] {
  const words = {
    args: {
      type: "array",
      items: { type: "string" },
      description: `words as on a command line${argumentHint === null ? "" : `: ${argumentHint}`}`,
    },
  };
  const properties: JsonRecord = schema === null ? words : ownProperties(schema);
  const background = {
    type: "boolean",
    description: "return at once with a run handle instead of waiting",
  };
  // What else the schema says stays: its `$defs` are what a `$ref` among the properties names.
  return JSON.parse(
    JSON.stringify({
      ...schema,
      type: "object",
      properties:
        BACKGROUND in properties ? properties : { ...properties, [BACKGROUND]: background },
    }),
  );
}

export const ownProperties = ({ properties = {} }: NonNullable<CommandSummary["schema"]>) =>
  Object.fromEntries(Object.entries(properties).filter(([, { operator }]) => operator !== true));

/** What the caller gave, as the dispatcher takes it: how a command is run is not the caller's to say. */
export function readToolArguments(
  { name, schema }: CommandSummary,
  given: JsonRecord,
): { readonly args: readonly string[] | JsonRecord; readonly isBackground: boolean } {
  const isOwn = schema?.properties !== undefined && BACKGROUND in schema.properties;
  const { [BACKGROUND]: background, ...rest } = given;
  const isBackground = !isOwn && background === true;
  if (schema !== null) {
    const own = ownProperties(schema);
    const isOperator = (key: string) => schema.properties?.[key] !== undefined && !(key in own);
    const left = Object.entries(isOwn ? given : rest).filter(([key]) => !isOperator(key));
    return { args: Object.fromEntries(left), isBackground };
  }
  const { args = [], ...odd } = rest;
  const [key] = Object.keys(odd);
  if (key !== undefined) throw refuseCall(name, `there is no \`${key}\`, only \`args\``);
  const isList = Array.isArray(args) && args.every((word) => WORD_TYPES.includes(typeof word));
  if (!isList) throw refuseCall(name, "`args` is a list of words");
  return { args: args.map(String), isBackground };
}

const refuseCall = (tool: string, problem: string): Fault =>
  fault("InputInvalid", { what: `\`${tool}\``, problem });

const WORD_TYPES: readonly string[] = ["string", "number", "boolean"];

/** Which run is meant, and how long it is waited for. */
export function readHandle(
  tool: string,
  { run_id = null, seconds = MAX_WAIT_SECONDS }: JsonRecord,
  lastRun: string | null,
): { readonly id: string; readonly seconds: number } {
  const id = run_id ?? lastRun;
  if (typeof id !== "string") throw refuseCall(tool, "`run_id` is what a tool answered with");
  if (typeof seconds !== "number" || !Number.isFinite(seconds))
    throw refuseCall(tool, "`seconds` is a number");
  return { id, seconds: Math.min(Math.max(seconds, 0), MAX_WAIT_SECONDS) };
}

const HANDLE = {
  type: "string",
  description: "the run_id that a tool of this server answered with; without it the last run",
} as const;

export const HANDLE_TOOLS: readonly Tool[] = [
  {
    name: WAIT_TOOL,
    description: `Wait for a run that has not ended: at most ${MAX_WAIT_SECONDS} seconds a call, so call it again until its status is done`,
    inputSchema: {
      type: "object",
      properties: {
        run_id: HANDLE,
        seconds: { type: "number", minimum: 0, maximum: MAX_WAIT_SECONDS },
      },
    },
    outputSchema: OUTPUT_SCHEMA,
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
  {
    name: CANCEL_TOOL,
    description: "Cancel a run that has not ended",
    inputSchema: { type: "object", properties: { run_id: HANDLE } },
    outputSchema: OUTPUT_SCHEMA,
    annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
  },
];
