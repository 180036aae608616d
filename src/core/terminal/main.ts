// argv → Request → Outcome → streams and exit code. Nothing else.
import { resolve } from "node:path";
import { isatty } from "node:tty";
import { Fault, fault, formatFault } from "../command/fault.ts";
import { newId } from "../command/new-id.ts";
import type { Attachment, Outcome } from "../command/request.ts";
import { monotonicMs } from "../command/time.ts";
import { VERSION } from "../command/version.ts";
import type { Adjutant, CreateAdjutant } from "../dispatch/adjutant.ts";
import { endWithFault } from "../dispatch/ending.ts";
import {
  type CommandCall,
  type Invocation,
  type ProgramOptions,
  parseInvocation,
  readCommonFlags,
} from "./invocation.ts";
import { formatMessage, renderJson, renderOutcome } from "./render.ts";
import { createScreen, createTerminalInteractor, type Screen, watchSignals } from "./screen.ts";
import { writeOut } from "./write-out.ts";

/** A bug is the one thing that throws up to here. */
const EXIT_BUG = 70;
/** What a shell reports for a program that was ended by SIGPIPE. */
const EXIT_READER_GONE = 141;

export async function runCommandLine(create: CreateAdjutant): Promise<void> {
  const correlationId = newId();
  // Until there is an outcome.
  process.exitCode = EXIT_BUG;
  try {
    process.exitCode = await runInvocation(parseInvocation(process.argv.slice(2)), {
      create,
      correlationId,
    });
  } catch (error) {
    if (error instanceof Fault) {
      writeOut(formatMessage(formatFault(error)), "stderr");
      process.exitCode = error.exitCode;
      return;
    }
    const stack = error instanceof Error ? error.stack : String(error);
    writeOut(`adj: this is a bug (correlation ${correlationId})\n${stack}\n`, "stderr");
    process.exitCode = EXIT_BUG;
  }
}

interface RunContext {
  readonly create: CreateAdjutant;
  readonly correlationId: string;
}

async function runInvocation(invocation: Invocation, context: RunContext): Promise<number> {
  if (invocation.kind === "version") {
    writeOut(`${VERSION}\n`, "stdout");
    return 0;
  }
  const startedAt = monotonicMs();
  try {
    return await openAndRun(invocation, context);
  } catch (error) {
    if (!(error instanceof Fault) || !invocation.options.json) throw error;
    const durationMs = Math.round(monotonicMs() - startedAt);
    const { correlationId } = context;
    writeOut(renderJson({ ...outcomeOf(error), correlationId, durationMs }), "stdout");
    return error.exitCode;
  }
}

/** Of a fault that came before any dispatch: whoever reads JSON gets JSON. */
function outcomeOf(raised: Fault): Pick<Outcome, "kind" | "result" | "error"> {
  const { error, ...ending } = endWithFault(raised);
  return error === null ? ending : { ...ending, error };
}

type RunnableInvocation = Exclude<Invocation, { kind: "version" }>;

async function openAndRun(
  invocation: RunnableInvocation,
  { create, correlationId }: RunContext,
): Promise<number> {
  const { options } = invocation;
  const cwd = resolveFolder(options.cwd ?? ".");
  // Not closed: the program ends here, and the stores lose nothing by it. Closing would write all of the
  // journal back into the database each time, which takes longer than most commands.
  const adjutant = await create({ cwd, env: environment(), surface: "cli" });
  const [name, words] =
    invocation.kind === "help" ? ["help", []] : [invocation.name, invocation.words];
  return runCommand(adjutant, { name, words, options, correlationId });
}

function resolveFolder(given: string): string {
  try {
    return resolve(given);
  } catch (error) {
    // A shell can stand in a folder that somebody removed.
    const facts = { path: given, problem: "the working directory was removed" };
    throw fault("FolderUnreadable", facts, { hint: "go to a folder that exists", cause: error });
  }
}

/** Commands learn the width of the screen like any program would. */
function environment(): NodeJS.ProcessEnv {
  if (!isatty(1)) return process.env;
  return { ...process.env, COLUMNS: String(process.stdout.columns) };
}

interface InvokedCommand {
  readonly name: string;
  readonly words: readonly string[];
  readonly options: ProgramOptions;
  readonly correlationId: string;
}

async function runCommand(adjutant: Adjutant, call: InvokedCommand): Promise<number> {
  const summary = await adjutant.registry.find(call.name);
  const asked = readCommonFlags(summary, call);
  if (asked.json) sendConsoleToStderr();
  const watch = watchSignals(asked.name, (exitCode) => process.exit(exitCode));
  const screen = createScreen(watch.cancel);
  if (!asked.quiet)
    for (const notice of await adjutant.notices(asked.name))
      screen.write(formatMessage(notice), "stderr");
  const outcome = await adjutant.dispatch(
    {
      name: asked.name,
      args: asked.words,
      signal: watch.signal,
      correlationId: call.correlationId,
      ...(call.options.session === null ? {} : { sessionId: call.options.session }),
    },
    attach(asked, screen),
  );
  screen.clearProgress();
  // Cancelled because of it, which is nothing to tell anybody.
  if (screen.isReaderGone && outcome.kind === "cancelled") return EXIT_READER_GONE;
  show(outcome, { screen, json: asked.json });
  return screen.isReaderGone ? EXIT_READER_GONE : outcome.result.exitCode;
}

/** What a command prints by `console.log` is for its author: whoever reads JSON gets one object. */
function sendConsoleToStderr(): void {
  globalThis.console = new console.Console(process.stderr);
}

function attach({ name, yes, json }: CommandCall, screen: Screen): Attachment {
  const isInteractive = isatty(0);
  return {
    yes,
    isInteractive,
    ...(isInteractive ? {} : { pipedInput: readStdin }),
    interactors: isInteractive && isatty(2) ? [createTerminalInteractor(name)] : [],
    ...(json ? {} : { onOutput: screen.stream }),
    onProgress: screen.progress,
  };
}

async function readStdin(): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function show(outcome: Outcome, { screen, json }: { screen: Screen; json: boolean }): void {
  const rendered = json
    ? { stdout: renderJson(outcome), stderr: "" }
    : renderOutcome(outcome, screen.streamed);
  screen.write(rendered.stdout, "stdout");
  screen.write(rendered.stderr, "stderr");
}
