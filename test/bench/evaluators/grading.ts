// A trial to grade: real folders, a log with little in it.

import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { LogToolCall, RunLog } from "../../../src/agents/log/run-log.ts";
import { EVALUATORS } from "../../../src/bench/evaluators/roster.ts";
import type { Grade, Grading } from "../../../src/bench/suite/evaluator.ts";
import { runProcess } from "../../../src/core/process/run.ts";
import { sampleLog } from "../../agents/log/transcript/sample-log.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

type Files = Readonly<Record<string, string>>;

export interface Facts {
  readonly base?: Files;
  readonly after?: Files;
  readonly suite?: Files;
  readonly answer?: string;
  readonly calls?: readonly Pick<LogToolCall, "name" | "kind">[];
  readonly log?: Partial<RunLog>;
  readonly askAgent?: Grading["askAgent"];
  readonly runCommand?: Grading["runCommand"];
  readonly signal?: AbortSignal;
  readonly source?: Grading["source"];
  /** What no text of a file can say: links, rights. */
  readonly arrange?: (snapshot: Grading["snapshot"]) => void;
}

export function writeFiles(folder: string, files: Files): string {
  mkdirSync(folder, { recursive: true });
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

export function logWith({ answer = "", calls = [], log = {} }: Facts): RunLog {
  return sampleLog({
    execution: { ...sampleLog().execution, duration_ms: 1_000 },
    messages: [{ role: "assistant", content: answer }],
    tool_calls: calls.map((call, at) => ({ id: String(at), arguments: {}, ...call })),
    ...log,
  });
}

export interface Graded {
  readonly grade: Grade;
  /** A character for each byte. */
  readonly kept: ReadonlyMap<string, string>;
}

const refuse = () => Promise.reject(new TypeError("not asked for here"));

/** Reads the options as a suite would, and grades. */
export async function gradeBy(type: string, raw: unknown, facts: Facts = {}): Promise<Graded> {
  const place = temporaryFolder("adj-grade-");
  const evaluator = EVALUATORS.find(type);
  if (evaluator === null) throw new TypeError(`no evaluator ${type}`);
  const reading = evaluator.readOptions(raw);
  if (reading.kind === "invalid") throw new TypeError(reading.problem);
  const kept = new Map<string, string>();
  let copies = 0;
  const snapshot = {
    folder: writeFiles(join(place, "after"), facts.after ?? {}),
    baseFolder: writeFiles(join(place, "base"), facts.base ?? {}),
  };
  facts.arrange?.(snapshot);
  const grade = await evaluator.grade(reading.options, {
    snapshot,
    log: logWith(facts),
    caseId: "case",
    agentId: "agent",
    prompt: "do it",
    source: facts.source ?? { kind: "empty" },
    newFolder: () => join(place, `folder-${++copies}`),
    suiteFolder: writeFiles(join(place, "suite"), facts.suite ?? {}),
    env: { PATH: process.env.PATH ?? "" },
    signal: facts.signal ?? new AbortController().signal,
    copySnapshot: async () => {
      const copy = join(place, `copy-${++copies}`);
      cpSync(snapshot.folder, copy, { recursive: true, verbatimSymlinks: true });
      return copy;
    },
    runProgram: runProcess,
    askAgent: facts.askAgent ?? refuse,
    runCommand: facts.runCommand ?? refuse,
    keep: async (name, bytes) => {
      kept.set(name, Buffer.from(bytes).toString("latin1"));
    },
  });
  return { grade, kept };
}
