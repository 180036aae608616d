// What a scenario file may say. The keys are closed: a misspelt one is an error, not a silent no-op.

import { readFile } from "node:fs/promises";
import * as z from "zod/mini";
import { fault } from "../core/command/fault.ts";
import { quoteNames } from "../core/command/names.ts";
import { describeFileError } from "../core/project/files.ts";
import { checkForm } from "../core/project/schema-problem.ts";
import { parseYaml } from "../core/project/yaml-file.ts";
import { SIM_AGENTS } from "./agents.ts";
import {
  countValue,
  durationValue,
  ordinalValue,
  someText,
  textMatcher,
} from "./scenario-value.ts";

/** Reads a scenario file; what is wrong with it is a fault with its place in the file. */
export async function loadScenario(path: string): Promise<Scenario> {
  const text = await readFile(path, "utf8").catch((cause: unknown) => {
    throw fault(
      "FileInvalid",
      { problem: `the scenario cannot be read: ${describeFileError(cause)}` },
      { where: { file: path }, cause },
    );
  });
  return parseScenario(text, path);
}

/** `file` is only what messages call it. */
export function parseScenario(text: string, file: string): Scenario {
  const yaml = parseYaml(text, file);
  return checkForm(yaml.value, scenarioSchema, yaml.at);
}

const countBounds = z
  .strictObject({ at_least: z.optional(countValue), at_most: z.optional(countValue) })
  .check(z.refine((value) => Object.keys(value).length > 0, "needs `at_least` or `at_most`"));

const expectationFields = z.strictObject({
  /** How many requests asked for a turn. */
  requests: z.optional(
    z.union([countValue, countBounds], "must be a whole number from 0, or bounds"),
  ),
  /** Which of them the matchers below are about; any of them, if nothing is said. */
  request: z.optional(
    z.union(
      [z.enum(["any", "every", "none", "last"]), ordinalValue],
      "must be a whole number from 1, or `any`, `every`, `none`, `last`",
    ),
  ),
  text: z.optional(textMatcher),
  system: z.optional(textMatcher),
  user: z.optional(textMatcher),
  tool_result: z.optional(textMatcher),
  tool_offered: z.optional(someText),
  header: z.optional(z.union([someText, z.strictObject({ name: someText, value: textMatcher })])),
  /** These texts appear one after the other over all the requests. */
  order: z.optional(z.array(someText).check(z.minLength(2))),
  exit_code: z.optional(
    z.union([countValue, z.literal("nonzero")], "must be a whole number from 0, or `nonzero`"),
  ),
});
export type Expectation = z.output<typeof expectationFields>;

const WHOLE_RUN = ["requests", "order", "exit_code"];

function findExpectationProblem(line: Expectation): string | null {
  const given = Object.keys(line);
  const wholeRun = given.find((key) => WHOLE_RUN.includes(key));
  if (wholeRun !== undefined && given.length > 1)
    return `has more than \`${wholeRun}\`, which stands alone`;
  if (given.every((key) => key === "request"))
    return "must check something, such as `requests`, `user`, `tool_result` or `order`";
  return null;
}

const expectation = expectationFields.check(
  z.superRefine((line, context) => {
    const problem = findExpectationProblem(line);
    if (problem !== null) context.addIssue({ code: "custom", message: problem, input: line });
  }),
);

const KINDS = [
  "status",
  "drop_after",
  "hang",
  "hang_after",
  "malformed_frame",
  "content_type",
] as const;

const TIMES = "must be a whole number from 1, or `forever`";
const STATUS = "must be a status from 400 to 599";

const scriptedFault = z
  .strictObject({
    status: z.optional(countValue.check(z.refine((value) => value >= 400 && value <= 599, STATUS))),
    /** The connection is cut after this many events of the answer. */
    drop_after: z.optional(countValue),
    /** Nothing is ever sent, not even headers. */
    hang: z.optional(z.literal(true)),
    /** The stream falls silent after this many events. */
    hang_after: z.optional(countValue),
    /** This event of the answer is broken JSON; 1 is the first. */
    malformed_frame: z.optional(ordinalValue),
    /** The answer is labelled as this instead of what it is. */
    content_type: z.optional(someText),
    /** Instead of the answer, under that label: a login page, say. */
    body: z.optional(z.string()),
    retry_after: z.optional(durationValue),
    message: z.optional(someText),
    /** How often before the turn itself is played; once, if nothing is said. */
    times: z.optional(z.union([ordinalValue, z.literal("forever")], TIMES)),
  })
  .check(
    z.refine(
      (fault) => KINDS.filter((kind) => fault[kind] !== undefined).length === 1,
      `needs exactly one of ${quoteNames(KINDS)}`,
    ),
    z.refine(
      (fault) =>
        fault.status !== undefined ||
        (fault.retry_after === undefined && fault.message === undefined),
      "has `retry_after` or `message`, which belong to `status`",
    ),
    z.refine(
      (fault) => fault.content_type !== undefined || fault.body === undefined,
      "has `body`, which belongs to `content_type`",
    ),
  );
export type ScriptedFault = z.output<typeof scriptedFault>;

export function describeFault(fault: ScriptedFault): string {
  const kind = KINDS.find((name) => fault[name] !== undefined) ?? "status";
  return kind === "hang" ? "hang" : `${kind} ${fault[kind]}`;
}

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

function findCallProblem(call: CallFields): string | null {
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

const toolCall = callFields.check(
  z.superRefine((call, context) => {
    const problem = findCallProblem(call);
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

/** The words mean what they mean in a run log: caches are part of input, reasoning is part of output. */
const usage = z.strictObject({
  input_tokens: z.optional(countValue),
  output_tokens: z.optional(countValue),
  cache_read_tokens: z.optional(countValue),
  cache_write_tokens: z.optional(countValue),
  reasoning_tokens: z.optional(countValue),
});
export type ScriptedUsage = z.output<typeof usage>;

const AGENTS = `must be one or a list of ${SIM_AGENTS.join(", ")}`;

const condition = z.strictObject({
  /** The last message of the user. */
  user: z.optional(textMatcher),
  /** The results of the tools since the last answer. */
  tool_result: z.optional(textMatcher),
  agent: z.optional(z.union([z.enum(SIM_AGENTS), z.array(z.enum(SIM_AGENTS))], AGENTS)),
  /** The number of this request in its conversation, retries counted. */
  request: z.optional(ordinalValue),
});
export type Condition = z.output<typeof condition>;

const turn = z
  .strictObject({
    /** A turn whose condition does not hold is passed over. */
    when: z.optional(condition),
    fault: z.optional(scriptedFault),
    thinking: z.optional(someText),
    text: z.optional(someText),
    tool_calls: z.optional(z.array(toolCall).check(z.minLength(1))),
    usage: z.optional(usage),
    /** A pause before every event of the answer. */
    delay: z.optional(durationValue),
  })
  .check(
    z.refine(
      (value) => [value.fault, value.text, value.tool_calls].some((part) => part !== undefined),
      "needs `text`, `tool_calls` or `fault`",
    ),
  );
export type ScriptedTurn = z.output<typeof turn>;

const scenarioSchema = z.strictObject({
  adjutant: z.optional(z.literal(1)),
  name: z.optional(someText),
  /** Counts for every turn that has no usage of its own. */
  usage: z.optional(usage),
  turns: z.array(turn).check(z.minLength(1)),
  expect: z.optional(z.array(expectation)),
});
export type Scenario = z.output<typeof scenarioSchema>;
