// From what a script passed to `agent()` and its like to an effect, or to the error that it gets.

import type { JsonValue } from "../../core/command/context.ts";
import { parseDuration } from "../../core/command/time.ts";
import { isJsonObject, isRecord, type JsonRecord } from "../../core/project/json-value.ts";
import type { AgentEffect, Effect } from "../engine/effect.ts";
import { asJson, type ScriptCall } from "./messages.ts";

export type RequestReading =
  | { readonly kind: "effect"; readonly effect: Effect; readonly unknown: readonly string[] }
  | { readonly kind: "child"; readonly ref: WorkflowRef; readonly args: JsonValue | undefined }
  | { readonly kind: "refused"; readonly message: string };

/** A saved one by its name, or a file. */
export type WorkflowRef = string | { readonly scriptPath: string };

const effect = (found: Effect, unknown: readonly string[] = []): RequestReading => ({
  kind: "effect",
  effect: found,
  unknown,
});

const refused = (message: string): RequestReading => ({ kind: "refused", message });

export function readRequest(call: ScriptCall): RequestReading {
  switch (call.what) {
    case "agent":
      return readAgent(call);
    case "workflow":
      return readChild(call.data);
    case "command":
      return readCommand(call.data);
    case "ask":
      return readQuestion(call.data);
    case "sleep":
      return readSleep(call.data);
    case "now":
    case "random":
      return effect({ kind: call.what });
  }
}

const TEXT_OPTIONS = ["label", "phase", "agent", "model", "effort", "agentType"] as const;
/** `stallMs` is known to the dialect and means nothing here. */
const OPTIONS: readonly string[] = [...TEXT_OPTIONS, "schema", "isolation", "stallMs"];

function readAgent({ data: { prompt, options }, phase }: ScriptCall): RequestReading {
  if (typeof prompt !== "string" || prompt.trim() === "")
    return refused("agent() needs a prompt, a text that is not empty");
  const given = options ?? {};
  if (!isRecord(given)) return refused("the options of agent() are an object");
  const texts = readTexts(given);
  if (typeof texts === "string") return refused(texts);
  const problem = findSchemaProblem(given.schema) ?? findIsolationProblem(given.isolation);
  if (problem !== null) return refused(problem);
  const schema = asJson(given.schema);
  const found: AgentEffect = {
    kind: "agent",
    prompt,
    ...texts,
    phase: texts.phase ?? phase,
    model: texts.model === "inherit" ? null : texts.model,
    schema: isJsonObject(schema) ? schema : null,
    isolation: given.isolation === "worktree" ? "worktree" : null,
    timeoutMs: null,
    maxUsd: null,
    conversation: "fresh",
    stage: null,
  };
  return effect(
    found,
    Object.keys(given).filter((name) => !OPTIONS.includes(name)),
  );
}

type TextOptions = Record<(typeof TEXT_OPTIONS)[number], string | null>;

/** The message where one is no text. */
function readTexts(given: JsonRecord): TextOptions | string {
  const texts: TextOptions = {
    label: null,
    phase: null,
    agent: null,
    model: null,
    effort: null,
    agentType: null,
  };
  for (const name of TEXT_OPTIONS) {
    const value = given[name] ?? null;
    const isShown = (name === "label" || name === "phase") && typeof value === "number";
    if (value !== null && typeof value !== "string" && !isShown)
      return `\`${name}\` of agent() is a text, not ${describeType(value)}`;
    texts[name] = value === null || value === "" ? null : String(value);
  }
  return texts;
}

const describeType = (value: unknown): string => (Array.isArray(value) ? "array" : typeof value);

function findSchemaProblem(schema: unknown): string | null {
  if (schema === undefined || schema === null) return null;
  if (!isRecord(schema)) return "`schema` of agent() is a JSON Schema, an object";
  const { type } = schema;
  const isObject = type === undefined || type === "object" || isOnlyObject(type);
  return isObject ? null : `\`schema\` of agent() needs an object at its root, not \`${type}\``;
}

const isOnlyObject = (type: unknown): boolean =>
  Array.isArray(type) && type.length === 1 && type[0] === "object";

function findIsolationProblem(isolation: unknown): string | null {
  if (isolation === undefined || isolation === null || isolation === "worktree") return null;
  return isolation === "remote"
    ? '`isolation: "remote"` cannot be had here; use "worktree"'
    : '`isolation` of agent() can only be "worktree"';
}

function readChild({ ref, args }: JsonRecord): RequestReading {
  const given = args === undefined ? undefined : asJson(args);
  if (typeof ref === "string" && ref !== "") return { kind: "child", ref, args: given };
  if (isRecord(ref) && typeof ref.scriptPath === "string")
    return { kind: "child", ref: { scriptPath: ref.scriptPath }, args: given };
  return refused("workflow() takes a name or `{ scriptPath }`");
}

function readCommand({ name, args = [] }: JsonRecord): RequestReading {
  if (typeof name !== "string" || name.trim() === "")
    return refused("adj.command() needs the name of a command");
  if (Array.isArray(args)) {
    const isPlain = args.every((word) => /^(?:string|number|boolean)$/.test(typeof word));
    return isPlain
      ? effect({ kind: "command", name, args: args.map(String) })
      : refused("the arguments of adj.command() are words, or an object by name");
  }
  const named = asJson(args);
  return isJsonObject(named)
    ? effect({ kind: "command", name, args: named })
    : refused("the arguments of adj.command() are words, or an object by name");
}

function readQuestion({ question, options }: JsonRecord): RequestReading {
  if (typeof question !== "string" || question.trim() === "")
    return refused("adj.ask() needs a question");
  const { choices = [], input = false, ...rest } = isRecord(options) ? options : {};
  const texts = Array.isArray(choices) ? choices.filter((each) => typeof each === "string") : [];
  if (!Array.isArray(choices) || texts.length !== choices.length)
    return refused("`choices` of adj.ask() is a list of texts");
  const isInput = input === true;
  return effect({ kind: "ask", question, choices: texts, isInput }, Object.keys(rest));
}

function readSleep({ duration }: JsonRecord): RequestReading {
  const ms = typeof duration === "number" ? duration : parseDuration(String(duration));
  return ms !== null && Number.isSafeInteger(ms) && ms >= 0
    ? effect({ kind: "sleep", ms })
    : refused('adj.sleep() takes a duration such as "90s", "2h" or "1d"');
}
