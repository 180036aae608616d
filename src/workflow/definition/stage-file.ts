// NAME.yaml → StageWorkflow: every mistake is a fault with its file, line and column.

import { basename, extname } from "node:path";
import { readAnswerSchema } from "../../agents/log/json-answer.ts";
import { requireAgent } from "../../agents/roster.ts";
import type { JsonValue } from "../../core/command/context.ts";
import type { Fault, Where } from "../../core/command/fault.ts";
import { didYouMean, quoteNames } from "../../core/command/names.ts";
import { parseDuration } from "../../core/command/time.ts";
import { sha256 } from "../../core/project/fingerprint.ts";
import { checkForm, fileFault } from "../../core/project/schema-problem.ts";
import { parseYaml, type YamlFile, type YamlPath } from "../../core/project/yaml-file.ts";
import { TOOL_KINDS } from "../../core/step/envelope.ts";
import type { Permission } from "../../core/step/verdict.ts";
import { readMatch } from "../../hooks/match/read-match.ts";
import { readOutput } from "./output-shape.ts";
import type { KnownNames } from "./parse-expression.ts";
import { findSchemaProblem } from "./schema-check.ts";
import { locateWithin } from "./source-position.ts";
import { checkGraph } from "./stage-graph.ts";
import { readAct, readChecks, readExpression, readTransitions } from "./stage-parts.ts";
import {
  type BudgetEntry,
  STAGE_FILE,
  type StageEntry,
  type StageFileEntry,
} from "./stage-schema.ts";
import type { BudgetLimits, JsonSchema, Stage, StageWorkflow } from "./workflow.ts";

export const STAGE_EXTENSIONS: readonly string[] = [".yaml", ".yml"];

/** What a stage is read with: the names it may use, and where its parts stand. */
export interface StageReader {
  readonly workflow: string;
  readonly stage: string;
  readonly path: YamlPath;
  readonly known: KnownNames;
  complain(path: YamlPath, problem: string, hint?: string, part?: "key" | "value"): Fault;
  complainAt(where: Where, problem: string): Fault;
  /** Places within a text of the file. */
  locate(path: YamlPath, text: string): (offset: number) => Where;
}

const DEFAULT_VISITS = 10;
const ROOTS = ["inputs", "stages", "check", "output"];

/** Throws `FileInvalid` with file, line and column. */
export function readStageWorkflow(source: string, file: string): StageWorkflow {
  const yaml = parseYaml(source, file);
  const given = checkForm(yaml.value, STAGE_FILE, yaml.at);
  const name = basename(file, extname(file));
  const known = {
    roots: ROOTS,
    inputs: Object.keys(given.inputs ?? {}),
    stages: Object.keys(given.stages),
  };
  const reader = (stage: string): StageReader => ({
    workflow: name,
    stage,
    path: ["stages", stage],
    known,
    complain: (path, problem, hint, part) => fileFault(problem, yaml.at(path, part), hint),
    complainAt: (where, problem) => fileFault(problem, where),
    locate: (path, text) => locateWithin(source, yaml.at(path), text),
  });
  const stages = Object.entries(given.stages).map(([stage, entry]): [string, Stage] => [
    stage,
    readStage(entry, reader(stage), yaml),
  ]);
  const workflow: StageWorkflow = {
    form: "stages",
    name,
    description: given.description,
    file,
    source,
    hash: sha256(source),
    inputs: readInputs(given.inputs),
    requires: given.requires ?? [],
    agent: readAgent(given, [], yaml),
    model: given.model ?? null,
    mode: given.mode ?? null,
    budget: readBudget(given.budget),
    start: given.start,
    stages: Object.fromEntries(stages),
  };
  checkGraph(workflow, (path, problem, hint) => fileFault(problem, yaml.at(path), hint));
  return workflow;
}

/** Refused before anything runs, and not when its stage has its turn. */
function readAgent(
  { agent }: { agent?: string | undefined },
  path: YamlPath,
  yaml: YamlFile,
): string | null {
  if (agent !== undefined) requireAgent(agent, yaml.at([...path, "agent"]));
  return agent ?? null;
}

function readInputs(given: StageFileEntry["inputs"]): StageWorkflow["inputs"] {
  const inputs = Object.entries(given ?? {}).map(([name, input]) =>
    typeof input === "string"
      ? [name, { description: input, default: undefined }]
      : [name, { description: input.description, default: input.default }],
  );
  return Object.fromEntries(inputs);
}

const readBudget = (given: BudgetEntry | undefined): BudgetLimits => ({
  usd: given?.usd ?? null,
  tokens: given?.tokens ?? null,
  calls: given?.calls ?? null,
  timeMs: parseDuration(given?.time ?? ""),
});

/** They say how a turn is done, so they mean nothing where there is none. */
const TURN_KEYS = [
  ...["agent", "model", "mode", "tools", "conversation", "isolate", "timeout", "budget"],
] as const;

function readStage(entry: StageEntry, reader: StageReader, yaml: YamlFile): Stage {
  const { path, stage: name } = reader;
  const act = readAct(entry, reader);
  const turn = act.kind === "each" ? act.do : act;
  const useless = TURN_KEYS.find((key) => key in entry);
  if (turn.kind !== "prompt" && useless !== undefined)
    throw reader.complain(
      [...path, useless],
      `\`${useless}\` is for a stage with a \`prompt\``,
      undefined,
      "key",
    );
  return {
    name,
    where: yaml.at(path, "key"),
    act,
    agent: readAgent(entry, path, yaml),
    model: entry.model ?? null,
    mode: entry.mode ?? null,
    posture: readPosture(entry.tools ?? {}, reader),
    conversation: entry.conversation ?? "same",
    isolate: entry.isolate === "worktree",
    timeoutMs: parseDuration(entry.timeout ?? ""),
    budget: readBudget(entry.budget),
    when: entry.when === undefined ? null : readExpression(entry.when, [...path, "when"], reader),
    checks: readChecks(entry.check, reader),
    attempts: entry.attempts ?? 1,
    visits: entry.visits ?? DEFAULT_VISITS,
    output: readStageOutput(entry, reader),
    next: readTransitions(entry.next, [...path, "next"], reader),
    otherwise: readTransitions(entry.otherwise, [...path, "otherwise"], reader),
    commands: entry.commands ?? [],
    hide: entry.hide ?? [],
  };
}

function readStageOutput({ output, ask }: StageEntry, reader: StageReader): JsonSchema | null {
  if (output === undefined) return null;
  const path = [...reader.path, "output"];
  if (ask !== undefined)
    throw reader.complain(path, "the answer to a question has no shape", undefined, "key");
  const reading = readOutput(output);
  if (reading.kind === "wrong") {
    const { problem, hint, part } = reading;
    throw reader.complain([...path, ...reading.path], problem, hint, part);
  }
  const { schema } = reading;
  const problem = findSchemaProblem(schema) ?? findUnusable(schema);
  if (problem !== null) throw reader.complain(path, problem);
  return schema;
}

/** An answer will be checked by it, so it must be one that can be checked by. */
function findUnusable(schema: JsonSchema): string | null {
  const reading = readAnswerSchema(schema);
  return reading.kind === "invalid" ? `no usable schema: ${reading.problem}` : null;
}

// `tools: { allow, ask, deny }` of a stage as rules in the language of `match`.

/** Strictest first. */
const ACTIONS = ["deny", "ask", "allow"] as const satisfies readonly Permission[];

function readPosture(
  tools: NonNullable<StageEntry["tools"]>,
  reader: StageReader,
): Stage["posture"] {
  return ACTIONS.flatMap((action) =>
    (tools[action] ?? []).map((entry, index) => ({
      action,
      rule: readRule(entry, [...reader.path, "tools", action, index], reader),
    })),
  );
}

/** A word alone is a kind of tool. */
function readRule(
  entry: string | Readonly<Record<string, unknown>>,
  path: readonly PropertyKey[],
  reader: StageReader,
): JsonValue {
  if (typeof entry === "string") {
    const kind = TOOL_KINDS.find((one) => one === entry);
    if (kind !== undefined) return { kind };
    throw reader.complain(
      path,
      `\`${entry}\` is no kind of tool${didYouMean(entry, TOOL_KINDS)}`,
      `kinds are ${quoteNames(TOOL_KINDS)}; one tool is \`{ tool: ${entry} }\``,
    );
  }
  const reading = readMatch(entry);
  if (reading.kind === "invalid") throw reader.complain(path, reading.problem);
  return Object.fromEntries(
    Object.entries(reading.match).map(([key, value]): [string, JsonValue] => [key, [...value]]),
  );
}
