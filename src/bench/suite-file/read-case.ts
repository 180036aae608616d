import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { parseDuration } from "../../command/duration.ts";
import { nearestNames } from "../../command/nearest-names.ts";
import { problemOf } from "../../config/file-problem.ts";
import type { Evaluator } from "../evaluator.ts";
import type { CaseTask, EvaluatorEntry, SetupStep, SuiteCase, WorkspaceSource } from "../suite.ts";
import { checkBy, invalid, type PlacedEntry } from "./placed-entry.ts";
import { CASE, type CaseEntry, isId } from "./suite-schema.ts";

/** The evaluators there are. */
export interface EvaluatorTable {
  find(type: string): Evaluator | null;
  types(): readonly string[];
}

const STEP_LIMIT_MS = 300_000;

export function readCase(placed: PlacedEntry, evaluators: EvaluatorTable): SuiteCase {
  const given = checkBy(CASE, placed.entry, placed.at);
  const folder = dirname(placed.at([]).file);
  return {
    id: placed.label === "" ? given.id : `${given.id}[${placed.label}]`,
    tags: given.tags ?? [],
    workspace: readWorkspace(given, placed, folder),
    task: readTask(given, placed, folder),
    setup: (given.setup ?? []).map(readStep),
    teardown: (given.teardown ?? []).map(readStep),
    env: given.env ?? [],
    evaluators: readEvaluators(given, placed, evaluators),
    solution: given.solution === undefined ? null : resolve(folder, given.solution),
    timeoutMs: given.timeout === undefined ? null : parseDuration(given.timeout),
    labels: given.labels ?? [],
    unsupported: given.unsupported ?? null,
  };
}

function readWorkspace(
  { workspace }: CaseEntry,
  { at }: PlacedEntry,
  folder: string,
): WorkspaceSource {
  if (workspace === undefined) return { kind: "empty" };
  const { template, git, branch = null, commit = null } = workspace;
  if ((template === undefined) === (git === undefined))
    throw invalid(
      "`workspace` needs exactly one of `template` and `git`",
      at(["workspace"], "key"),
    );
  if (template !== undefined) {
    const extra = branch === null ? (commit === null ? null : "commit") : "branch";
    if (extra !== null)
      throw invalid(`\`${extra}\` goes with \`git\``, at(["workspace", extra], "key"));
    return { kind: "template", folder: resolve(folder, template) };
  }
  const source = git ?? "";
  const isPath = source.startsWith(".") || source.startsWith("/");
  return { kind: "git", source: isPath ? resolve(folder, source) : source, branch, commit };
}

function readTask(given: CaseEntry, { at }: PlacedEntry, folder: string): CaseTask {
  const named = (["command", "prompt", "prompt_file"] as const).filter(
    (key) => given[key] !== undefined,
  );
  const [first, second] = named;
  if (first === undefined)
    throw invalid(
      `case \`${given.id}\` asks for nothing: give \`command\`, \`prompt\` or \`prompt_file\``,
      at([]),
    );
  if (second !== undefined)
    throw invalid(`give \`${first}\` or \`${second}\`, not both`, at([second], "key"));
  const { command } = given;
  if (command !== undefined)
    return typeof command === "string"
      ? { kind: "command", name: command, args: [] }
      : { kind: "command", name: command.name, args: command.args ?? [] };
  if (given.prompt !== undefined) return { kind: "prompt", text: given.prompt };
  const file = resolve(folder, given.prompt_file ?? "");
  try {
    return { kind: "prompt", text: readFileSync(file, "utf8") };
  } catch (error) {
    throw invalid(`\`prompt_file\` cannot be read: ${problemOf(error)}`, at(["prompt_file"]));
  }
}

const readStep = (step: string | { run: string; timeout?: string | undefined }): SetupStep =>
  typeof step === "string"
    ? { run: step, timeoutMs: STEP_LIMIT_MS }
    : { run: step.run, timeoutMs: parseDuration(step.timeout ?? "") ?? STEP_LIMIT_MS };

function readEvaluators(
  given: CaseEntry,
  { at }: PlacedEntry,
  evaluators: EvaluatorTable,
): EvaluatorEntry[] {
  const seen = new Map<string, number>();
  const ids = new Set<string>();
  return (given.evaluators ?? []).map((entry, index) => {
    const { weight = 1, id, ...rest } = entry;
    const path = ["evaluators", index];
    const [type, second] = Object.keys(rest);
    if (type === undefined || second !== undefined)
      throw invalid(
        "an evaluator is a map with exactly one type, beside `weight` and `id`",
        second === undefined ? at(path) : at([...path, second], "key"),
        `known are ${evaluators
          .types()
          .map((name) => `\`${name}\``)
          .join(", ")}`,
      );
    if (typeof weight !== "number" || !(weight >= 0))
      throw invalid("`weight` must be a number from 0", at([...path, "weight"]));
    if (id !== undefined && !isId(id))
      throw invalid("`id` must be letters, digits, `.`, `_` and `-`", at([...path, "id"]));
    const options = readOptions(type, rest[type], {
      evaluators,
      at: (inner, part) => at([...path, ...inner], part),
    });
    const count = (seen.get(type) ?? 0) + 1;
    seen.set(type, count);
    const name = id ?? (count === 1 ? type : `${type}-${count}`);
    if (ids.has(name)) throw invalid(`evaluator \`${name}\` is there twice`, at(path));
    ids.add(name);
    return { id: name, type, weight, options };
  });
}

function readOptions(
  type: string,
  raw: unknown,
  { evaluators, at }: { evaluators: EvaluatorTable; at: PlacedEntry["at"] },
): unknown {
  const evaluator = evaluators.find(type);
  if (evaluator === null) {
    const [nearest] = nearestNames(type, evaluators.types());
    throw invalid(
      `unknown evaluator \`${type}\`${nearest === undefined ? "" : `; did you mean \`${nearest}\`?`}`,
      at([type], "key"),
      nearest === undefined
        ? `known are ${evaluators
            .types()
            .map((name) => `\`${name}\``)
            .join(", ")}`
        : null,
    );
  }
  const reading = evaluator.readOptions(raw);
  if (reading.kind === "options") return reading.options;
  throw invalid(reading.problem, at([type, ...reading.path]));
}
