// argv → Request → Outcome → streams and exit code. Nothing else.
import { resolve } from "node:path";
import type { TextPart } from "../command/definition.ts";
import { Fault, fault, formatFault, reportFault } from "../command/fault.ts";
import { newId } from "../command/new-id.ts";
import type { Attachment, Outcome } from "../command/request.ts";
import { type Output, textOfOutput } from "../command/result.ts";
import { monotonicMs } from "../command/time.ts";
import { VERSION } from "../command/version.ts";
import { escapeControls } from "../command/words.ts";
import type { Adjutant, CreateAdjutant } from "../dispatch/adjutant.ts";
import { endWithFault } from "../dispatch/ending.ts";
import type { Channel } from "../process/command-spec.ts";
import { describeFileError } from "../project/files.ts";
import { type ColorChoice, wantsColor } from "./color.ts";
import {
  type CommandCall,
  type Invocation,
  type ProgramOptions,
  parseInvocation,
  readCommonFlags,
  wantsJson,
} from "./invocation.ts";
import { describeStack, formatMessage, renderJson, renderOutcome, withStack } from "./render.ts";
import {
  createScreen,
  createTerminalInteractor,
  isTerminal,
  type Screen,
  watchSignals,
} from "./screen.ts";
import { OutputLost, writeOut } from "./write-out.ts";

/** A bug is the one thing that throws up to here. */
const EXIT_BUG = 70;
/** What a shell reports for a program that was ended by SIGPIPE. */
const EXIT_READER_GONE = 141;

export async function runCommandLine(create: CreateAdjutant): Promise<void> {
  const correlationId = newId();
  // Until there is an outcome.
  process.exitCode = EXIT_BUG;
  try {
    process.exitCode = await runWords(process.argv.slice(2), { create, correlationId });
  } catch (error) {
    if (error instanceof OutputLost) {
      writeOut(`adj: ${error.message}: ${describeFileError(error.cause)}\n`, "stderr");
      process.exitCode = 1;
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

type ReportOptions = Pick<ProgramOptions, "json" | "debug" | "color">;

async function runWords(argv: readonly string[], context: RunContext): Promise<number> {
  const startedAt = monotonicMs();
  // All that is known of a line that cannot be read.
  let options: ReportOptions = { json: wantsJson(argv), debug: false, color: "auto" };
  try {
    const invocation = parseInvocation(argv);
    if (invocation.kind === "version") {
      writeOut(`${VERSION}\n`, "stdout");
      return 0;
    }
    options = invocation.options;
    return await openAndRun(invocation, context);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    if (!options.json) return tellFault(error, options);
    const durationMs = Math.round(monotonicMs() - startedAt);
    const { correlationId } = context;
    const outcome = { ...outcomeOf(error), correlationId, durationMs };
    writeOut(renderJson(options.debug ? withStack(outcome) : outcome), "stdout");
    return error.exitCode;
  }
}

/** A fault that came before any dispatch, to a person. */
async function tellFault(raised: Fault, options: Omit<ReportOptions, "json">) {
  const message = formatMessage(formatFault(raised));
  writeOut(await colorMessage(message, "error", options.color), "stderr");
  if (options.debug) writeOut(describeStack(reportFault(raised)), "stderr");
  return raised.exitCode;
}

async function colorMessage(
  message: string,
  kind: "error" | "notice",
  color: ColorChoice,
): Promise<string> {
  if (!isColoredOn("stderr", color)) return message;
  const { paintMessage } = await import("./paint.ts");
  return paintMessage(message, kind);
}

const isColoredOn = (channel: Channel, choice: ColorChoice): boolean =>
  wantsColor({ choice, env: process.env, isTerminal: isTerminal(channel === "stdout" ? 1 : 2) });

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
  if (!isTerminal(1)) return process.env;
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
  const { color } = asked;
  if (asked.json) sendPrintedToStderr();
  const shown = asked.name === call.name ? summary : await adjutant.registry.find(asked.name);
  const paint = await choosePainter(shown?.textParts, asked, color);
  // A second signal means now: a dispatch that does not end after the first one never comes back to the entry.
  const watch = watchSignals(asked.name, (exitCode) => process.exit(exitCode));
  const screen = createScreen(watch.cancel);
  const notices = asked.quiet ? [] : (await adjutant.notices(asked.name)).map(formatMessage);
  for (const notice of notices) screen.write(await colorMessage(notice, "notice", color), "stderr");
  const outcome = await adjutant.dispatch(
    {
      name: asked.name,
      args: asked.words,
      signal: watch.signal,
      correlationId: call.correlationId,
      ...(asked.session === null ? {} : { sessionId: asked.session }),
    },
    attach(asked, screen, paint),
  );
  screen.clearProgress();
  // Cancelled because of it, which is nothing to tell anybody.
  if (screen.isReaderGone && outcome.kind === "cancelled") return EXIT_READER_GONE;
  await show(outcome, { screen, told: notices, options: asked, paint });
  return screen.isReaderGone ? EXIT_READER_GONE : outcome.result.exitCode;
}

/**
 * What a command prints by itself, by `console.log` or as any library does it, is for its author: whoever reads JSON gets
 * one object, which goes to the descriptor. Node opens its streams when they are first asked for, the console's too.
 */
function sendPrintedToStderr(): void {
  const get = () => process.stderr;
  Object.defineProperty(process, "stdout", { get, configurable: true, enumerable: true });
}

type Painter = (output: Output, channel: Channel) => Output;

/**
 * Of a command whose text is ours: what stands in it of others, a path or a description of a repository, moves no cursor
 * of a terminal; and it is coloured by what it says that it is made of. What it prints as JSON by a flag of its own is data.
 */
async function choosePainter(
  textParts: readonly TextPart[] | undefined,
  { words }: CommandCall,
  color: ColorChoice,
): Promise<Painter> {
  if (textParts === undefined || words.includes("--json")) return (output) => output;
  const isPainted = textParts.length > 0 && isColoredOn("stdout", color);
  const paintText = isPainted ? (await import("./paint.ts")).paintText : null;
  return (output, channel) => {
    const text = isTerminal(channel === "stdout" ? 1 : 2)
      ? escapeControls(textOfOutput(output))
      : output;
    return paintText === null || channel === "stderr"
      ? text
      : paintText(textOfOutput(text), textParts);
  };
}

function attach({ name, yes, json }: CommandCall, screen: Screen, paint: Painter): Attachment {
  const isInteractive = isTerminal(0);
  return {
    yes,
    isInteractive,
    ...(isInteractive ? {} : { pipedInput: readStdin }),
    interactors: isInteractive && isTerminal(2) ? [createTerminalInteractor(name)] : [],
    ...(json
      ? {}
      : {
          onOutput: (chunk: Output, channel: Channel) =>
            screen.stream(paint(chunk, channel), channel),
        }),
    onProgress: screen.progress,
  };
}

async function readStdin(): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk);
  return Buffer.concat(chunks);
}

interface Showing {
  readonly screen: Screen;
  /** What was a notice before is not told again as the reason. */
  readonly told: readonly string[];
  readonly options: Pick<ProgramOptions, "json" | "color" | "debug">;
  readonly paint: Painter;
}

async function show(outcome: Outcome, { screen, told, options, paint }: Showing): Promise<void> {
  const { json, color, debug } = options;
  if (json) {
    screen.write(renderJson(debug ? withStack(outcome) : outcome), "stdout");
    return;
  }
  const { stdout, stderr } = renderOutcome(outcome, screen.streamed);
  screen.write(paint(stdout, "stdout"), "stdout");
  const isMessage = outcome.error !== undefined && typeof stderr === "string";
  if (!told.some((line) => line === stderr))
    screen.write(
      isMessage ? await colorMessage(stderr, "error", color) : paint(stderr, "stderr"),
      "stderr",
    );
  if (debug && outcome.error !== undefined) screen.write(describeStack(outcome.error), "stderr");
}
