// The one place where programs are run: argv commands, hook handlers, agents and evaluators.
import { Readable, type Writable } from "node:stream";
import {
  type CommandSpec,
  describeCancelledBeforeStart,
  describeEnding,
  describeNotStarted,
  type ProcessEnding,
  type RunOptions,
  type RunTimes,
  startRunClock,
} from "./command-spec.ts";
import { nestRunId, RUN_ID_NAME } from "./environment.ts";
import { bindToThisProcess, killLeftovers, signalTree } from "./kill-tree.ts";
import { type CollectedOutput, drainOutput, OutputCollection } from "./output.ts";
import type { ProcessTree } from "./process-tree.ts";
import { closeRawFiles, openRawFiles, type RawFilePair } from "./raw-output.ts";
import { type StartedChild, startChild } from "./spawn.ts";
import { type ObservedExit, openStopRequest, waitForExit } from "./stop.ts";

const DEFAULT_GRACE_MS = 5_000;
/** For what a child left running when it ended by itself: a background `git gc` tidies up on SIGTERM. */
const LEFTOVER_GRACE_MS = 250;

/**
 * Runs a program to its end in a process group of its own, without a shell. When it returns, nothing
 * that the program started is alive. Every ending is a value; it rejects only with what `onChunk` threw.
 *
 * @example
 * const spec = { executable: "cat", args: [], env: {}, cwd: "/" };
 * const ending = await runProcess(spec, { stdin: "hello" });
 * ending.kind; // "exited", with `exitCode` 0 and the bytes of "hello" in `stdout`
 */
export async function runProcess(
  spec: CommandSpec,
  options: RunOptions = {},
): Promise<ProcessEnding> {
  const readClock = startRunClock();
  if (options.signal?.aborted) return describeCancelledBeforeStart(readClock());
  const opening = openRawFiles(options.rawFiles);
  if (opening.kind === "failed") return describeNotStarted(readClock(), opening);
  const runId = nestRunId(spec.env[RUN_ID_NAME], options.runId ?? crypto.randomUUID());
  const stdin = decideStdin(options);
  const start = await startChild(spec, { runId, stdio: [stdin, "pipe", "pipe"], ownsGroup: true });
  if (start.kind === "failed") {
    await closeRawFiles(opening.files);
    return describeNotStarted(readClock(), start);
  }
  const run = await superviseChild(start, options, opening.files);
  return describeRun(run, start.tree.pid, readClock());
}

const NO_OUTPUT = {
  stdout: new Uint8Array(),
  stderr: new Uint8Array(),
  truncated: false,
  ioProblem: null,
};

/**
 * Lends the program this terminal: editors, `sudo` and `ssh` need stdin, stdout and the foreground
 * group. The terminal's own keys (interrupt, suspend) reach it without us; a cancel ends it and what
 * it started. After a normal exit its background processes go on, as they do in a shell.
 */
export async function runInteractive(
  spec: CommandSpec,
  signal?: AbortSignal,
): Promise<ProcessEnding> {
  const readClock = startRunClock();
  if (signal?.aborted) return describeCancelledBeforeStart(readClock());
  const runId = nestRunId(spec.env[RUN_ID_NAME], crypto.randomUUID());
  const start = await startChild(spec, { runId, stdio: "inherit", ownsGroup: false });
  if (start.kind === "failed") return describeNotStarted(readClock(), start);
  const { tree } = start;
  const stop = openStopRequest(signal === undefined ? {} : { signal });
  const exit = await waitForExit(start.exit, {
    requested: stop.requested,
    graceMs: DEFAULT_GRACE_MS,
    signalAll: (name) => signalTree(tree, name),
  });
  stop.close();
  const { cause, exitCode, graceLeftMs } = exit;
  const survivors =
    cause === null ? [] : await killLeftovers(tree, { wasSignalled: true, graceMs: graceLeftMs });
  if (!exit.hasEnded) start.child.unref();
  const facts = { ...NO_OUTPUT, pid: tree.pid, exitCode, signal: exit.signal, survivors };
  return describeEnding({ ...readClock(), ...facts }, cause === null ? null : "cancelled");
}

function decideStdin({ stdin, inheritsStdin }: RunOptions): "inherit" | "pipe" | "ignore" {
  if (inheritsStdin) return "inherit";
  return stdin === undefined ? "ignore" : "pipe";
}

function describeRun(run: SupervisedRun, pid: number, times: RunTimes): ProcessEnding {
  const { exit, output, ioProblem, survivors } = run;
  if (output.failure !== null) throw output.failure.error;
  const { stdout, stderr, truncated } = output;
  const { exitCode, signal } = exit;
  const facts = { stdout, stderr, truncated, pid, exitCode, signal, ioProblem, survivors };
  return describeEnding({ ...times, ...facts }, decideStop(run));
}

/** A child that wrote too much and ended before it could be stopped has still written too much. */
function decideStop({ exit: { cause }, output }: SupervisedRun) {
  if (cause !== null && cause !== "consumer_failed") return cause;
  return output.isOverKillLimit ? "output_limit" : null;
}

/** What happened to a child that was started. */
interface SupervisedRun {
  readonly exit: ObservedExit;
  readonly output: CollectedOutput;
  readonly ioProblem: string | null;
  readonly survivors: readonly number[];
}

/** Stays with a child until the last process of its tree has ended and its output is in. */
async function superviseChild(
  start: StartedChild,
  options: RunOptions,
  files: RawFilePair | null,
): Promise<SupervisedRun> {
  const { tree } = start;
  const unbind = bindToThisProcess(tree);
  const stop = openStopRequest(options);
  const output = new OutputCollection(start.child, { run: options, files, stop: stop.ask });
  const feeding = feedStdin(start.child.stdin, options.stdin);
  const exit = await waitForExit(start.exit, {
    requested: stop.requested,
    graceMs: options.graceMs ?? DEFAULT_GRACE_MS,
    signalAll: (signal) => signalTree(tree, signal),
  });
  stop.close();
  const survivors = await killRest(tree, exit, options.reap ?? "always");
  await drainOutput(output, { isStopped: exit.cause !== null, signal: options.signal });
  if (!exit.hasEnded) abandon(start);
  unbind();
  const fileProblem = await closeRawFiles(files);
  const collected = output.conclude();
  const ioProblem = feeding.problem ?? collected.problem ?? fileProblem;
  return { exit, output: collected, ioProblem, survivors };
}

async function killRest(
  tree: ProcessTree,
  { cause, graceLeftMs }: ObservedExit,
  reap: "always" | "on-kill",
): Promise<number[]> {
  if (cause !== null) return killLeftovers(tree, { wasSignalled: true, graceMs: graceLeftMs });
  if (reap === "on-kill") return [];
  return killLeftovers(tree, { wasSignalled: false, graceMs: LEFTOVER_GRACE_MS });
}

/** A child that nothing can end must not keep this process alive as well. */
function abandon({ child }: StartedChild): void {
  child.stdin?.destroy();
  child.unref();
}

// A child need not read what it is given. Pipes are socket pairs here, which name it differently.
const BROKEN_PIPE_CODES: ReadonlySet<unknown> = new Set(["EPIPE", "ECONNRESET"]);

interface Feeding {
  /** A failure to write, other than a broken pipe. */
  readonly problem: string | null;
}

/** Writes while the child runs, then closes. */
function feedStdin(stdin: Writable | null, input: RunOptions["stdin"]): Feeding {
  let problem: string | null = null;
  stdin?.on("error", (error) => {
    const isBrokenPipe = "code" in error && BROKEN_PIPE_CODES.has(error.code);
    if (!isBrokenPipe) problem = `stdin cannot be written: ${error.message}`;
  });
  if (!isStream(input)) stdin?.end(input);
  else if (stdin !== null) Readable.from(input).pipe(stdin);
  return {
    get problem() {
      return problem;
    },
  };
}

const isStream = (input: RunOptions["stdin"]): input is AsyncIterable<string> =>
  typeof input === "object" && Symbol.asyncIterator in input;
