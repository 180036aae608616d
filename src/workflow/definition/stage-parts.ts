// The act, the checks and the ways out of one stage, from the entry of the file to what is run.
import { didYouMean, quoteNames } from "../../core/command/names.ts";
import type { YamlPath } from "../../core/project/yaml-file.ts";
import type { Expression } from "./expression.ts";
import { findNameProblem, listPaths, parseExpression } from "./parse-expression.ts";
import type { StageReader } from "./stage-file.ts";
import { END, type StageEntry } from "./stage-schema.ts";
import { checkLine, checkText } from "./template.ts";
import type { StageAct, StageCheck, Transition } from "./workflow.ts";

const ACT_KEYS = ["prompt", "command", "ask", "workflow", "each"] as const;
const DEFAULT_AT_ONCE = 4;

type OneAct = Exclude<StageAct, { kind: "each" } | { kind: "ask" }>;
type ActEntry = Pick<StageEntry, "prompt" | "command" | "workflow" | "inputs">;

export function readAct(entry: StageEntry, reader: StageReader): StageAct {
  requireOne(
    ACT_KEYS.filter((key) => entry[key] !== undefined),
    { keys: ACT_KEYS, what: `stage \`${reader.stage}\``, path: reader.path },
    reader,
  );
  const { ask, choices, each, next } = entry;
  if (choices !== undefined && ask === undefined)
    throw reader.complain(
      [...reader.path, "choices"],
      "`choices` belong to `ask`",
      undefined,
      "key",
    );
  if (ask !== undefined) return readAsk(ask, { choices, next }, reader);
  if (each === undefined) return readOneAct(entry, reader.path, reader);
  const path = [...reader.path, "each"];
  refuseInputs(entry, reader.path, reader);
  const inner = { ...reader, known: { ...reader.known, roots: [...reader.known.roots, each.as] } };
  const keys = ["prompt", "command", "workflow"] as const;
  requireOne(
    keys.filter((key) => each.do[key] !== undefined),
    { keys, what: "`do`", path: [...path, "do"] },
    reader,
  );
  return {
    kind: "each",
    in: readExpression(each.in, [...path, "in"], reader),
    as: each.as,
    do: readOneAct(each.do, [...path, "do"], inner),
    atOnce: each.at_once ?? DEFAULT_AT_ONCE,
    isolate: each.isolate === "worktree",
  };
}

interface Alternatives {
  readonly keys: readonly string[];
  readonly what: string;
  readonly path: YamlPath;
}

function requireOne(
  given: readonly string[],
  { keys, what, path }: Alternatives,
  { complain }: StageReader,
): void {
  const list = quoteNames(keys);
  if (given.length === 0)
    throw complain(path, `${what} does nothing`, `give it one of ${list}`, "key");
  const second = given[1];
  if (second !== undefined)
    throw complain(
      [...path, second],
      `${what} has ${quoteNames(given, " and ")}`,
      `one of ${list} is what it does`,
      "key",
    );
}

function readAsk(
  question: string,
  { choices, next }: Pick<StageEntry, "choices" | "next">,
  reader: StageReader,
): StageAct {
  const { path, complain } = reader;
  checkText(question, reader.known, reader.locate([...path, "ask"], question));
  if (choices === undefined) return { kind: "ask", question, choices: null };
  if (next !== undefined)
    throw complain(
      [...path, "next"],
      "`choices` already say where each answer leads",
      "leave `next` out",
      "key",
    );
  if (Object.keys(choices).length === 0)
    throw complain([...path, "choices"], "there is nothing to choose");
  for (const [answer, to] of Object.entries(choices))
    requireTarget(to, [...path, "choices", answer], reader);
  return { kind: "ask", question, choices };
}

function refuseInputs({ inputs }: ActEntry, path: YamlPath, { complain }: StageReader): void {
  if (inputs !== undefined)
    throw complain([...path, "inputs"], "`inputs` belong to `workflow`", undefined, "key");
}

function readOneAct(entry: ActEntry, path: YamlPath, reader: StageReader): OneAct {
  const { known, locate } = reader;
  const { prompt, command, workflow } = entry;
  if (workflow === undefined) refuseInputs(entry, path, reader);
  if (prompt !== undefined) {
    checkText(prompt, known, locate([...path, "prompt"], prompt));
    return { kind: "prompt", prompt };
  }
  if (command !== undefined) {
    readLine(command, [...path, "command"], reader);
    return { kind: "command", line: command };
  }
  const name = workflow ?? "";
  if (name === reader.workflow)
    throw reader.complain(
      [...path, "workflow"],
      `the workflow \`${name}\` runs itself: a loop without a limit`,
    );
  const inputs = entry.inputs ?? {};
  for (const [key, value] of Object.entries(inputs))
    if (typeof value === "string") checkText(value, known, locate([...path, "inputs", key], value));
  return { kind: "workflow", name, inputs };
}

function readLine(line: string, path: YamlPath, { known, locate, complain }: StageReader): void {
  try {
    checkLine(line, known, locate(path, line));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "QuoteUnclosed")
      throw complain(path, error.message);
    throw error;
  }
}

export function readExpression(text: string, path: YamlPath, reader: StageReader): Expression {
  const reading = parseExpression(text);
  const locate = reader.locate(path, text);
  const refuse = (offset: number, problem: string) =>
    reader.complainAt(locate(offset), `\`${text}\`: ${problem}`);
  if (reading.kind === "wrong") throw refuse(reading.column - 1, reading.problem);
  for (const used of listPaths(reading.expression)) {
    const problem = findNameProblem(used, reader.known);
    if (problem !== null) throw refuse(Math.max(0, text.indexOf(used.join("."))), problem);
  }
  return reading.expression;
}

const CHECK_KEYS = ["command", "file", "output", "ask"] as const;

export function readChecks(given: StageEntry["check"], reader: StageReader): StageCheck[] {
  if (given === undefined) return [];
  const path = [...reader.path, "check"];
  if (!Array.isArray(given)) return [readCheck(given, path, reader)];
  return given.map((entry, index) => readCheck(entry, [...path, index], reader));
}

type CheckEntry = Exclude<NonNullable<StageEntry["check"]>, readonly unknown[]>;

function readCheck(entry: CheckEntry, path: YamlPath, reader: StageReader): StageCheck {
  requireOne(
    CHECK_KEYS.filter((key) => entry[key] !== undefined),
    { keys: CHECK_KEYS, what: "the check", path },
    reader,
  );
  const { command, file, output, ask } = entry;
  if (command !== undefined) {
    readLine(command, [...path, "command"], reader);
    return { kind: "command", line: command };
  }
  if (output !== undefined)
    return { kind: "output", expression: readExpression(output, [...path, "output"], reader) };
  const text = file ?? ask ?? "";
  const key = file === undefined ? "ask" : "file";
  checkText(text, reader.known, reader.locate([...path, key], text));
  return key === "file" ? { kind: "file", path: text } : { kind: "ask", question: text };
}

export function readTransitions(
  given: StageEntry["next"],
  path: YamlPath,
  reader: StageReader,
): Transition[] {
  if (given === undefined) return [];
  if (typeof given === "string") {
    requireTarget(given, path, reader);
    return [{ when: null, to: given }];
  }
  const always = given.findIndex(({ when }) => when === undefined);
  if (always >= 0 && always < given.length - 1)
    throw reader.complain(
      [...path, always + 1],
      `nothing comes to this entry: the one before it has no \`when\``,
      "put the one without `when` last",
    );
  return given.map(({ when, to }, index) => {
    requireTarget(to, [...path, index, "to"], reader);
    const at = [...path, index, "when"];
    return { when: when === undefined ? null : readExpression(when, at, reader), to };
  });
}

function requireTarget(to: string, path: YamlPath, { known, complain }: StageReader): void {
  if (to === END || known.stages.includes(to)) return;
  throw complain(path, `there is no stage \`${to}\`${didYouMean(to, [...known.stages, END])}`);
}
