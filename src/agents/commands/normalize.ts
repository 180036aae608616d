// `adj agent normalize`: saved output of an agent's CLI becomes a log.
import { closeSync, openSync, readFileSync, readSync } from "node:fs";
import { resolve } from "node:path";
import type { CommandContext } from "../../core/command/context.ts";
import { fault } from "../../core/command/fault.ts";
import { type CommandResult, ok } from "../../core/command/result.ts";
import { describeFileError } from "../../core/project/files.ts";
import { requireAdapter } from "../roster.ts";
import { normalizeOutput } from "../run/output/read.ts";
import type { AgentArguments } from "./arguments.ts";

/** The output of a run made elsewhere, in the one form that every run has here. */
export async function normalizeSaved(
  { subject, words, stderr, exitCode, signal }: AgentArguments,
  context: CommandContext,
): Promise<CommandResult> {
  const [file, ...more] = words;
  if (subject === undefined || file === undefined || more.length > 0)
    throw fault(
      "ArgumentsInvalid",
      { command: "agent", problem: "`normalize` needs an agent and one file" },
      { hint: "`adj agent normalize gemini saved.jsonl`" },
    );
  const adapter = await requireAdapter(subject);
  const pathOf = (path: string) => resolve(context.workingDirectory, path);
  const pieces = file === "-" ? await context.readInput() : readPieces(pathOf(file));
  const log = normalizeOutput(adapter, pieces, {
    ...(stderr === undefined ? {} : { stderr: readWhole(pathOf(stderr)) }),
    ...(exitCode === undefined ? {} : { exitCode }),
    ...(signal === undefined ? {} : { signal }),
  });
  return ok(JSON.stringify(log, null, 2), { log });
}

const PIECE = 1 << 20;

function* readPieces(path: string): Generator<Uint8Array> {
  const descriptor = withFile(path, () => openSync(path, "r"));
  try {
    for (;;) {
      const piece = Buffer.allocUnsafe(PIECE);
      const length = withFile(path, () => readSync(descriptor, piece));
      if (length === 0) return;
      yield piece.subarray(0, length);
    }
  } finally {
    closeSync(descriptor);
  }
}

const readWhole = (path: string): Uint8Array => withFile(path, () => readFileSync(path));

function withFile<Result>(path: string, act: () => Result): Result {
  try {
    return act();
  } catch (error) {
    throw fault(
      "InputInvalid",
      { what: `\`${path}\``, problem: describeFileError(error) },
      { cause: error },
    );
  }
}
