// argv → Request → Outcome → streams and exit code. Nothing else.
import { resolve } from "node:path";
import { isatty } from "node:tty";
import type { CommandSummary } from "../../command/command.ts";
import { Fault, formatFault } from "../../command/fault.ts";
import { listArguments } from "../../command/schema-arguments.ts";
import type { Outcome } from "../../dispatch/outcome.ts";
import { newId } from "../../new-id.ts";
import { VERSION } from "../../version.ts";
import { type Adjutant, createAdjutant } from "../adjutant.ts";
import {
  type Invocation,
  type ProgramOptions,
  parseInvocation,
  takeCommonFlags,
} from "./program-options.ts";
import { renderJson, renderOutcome } from "./render.ts";
import { createScreen } from "./screen.ts";
import { watchSignals } from "./signals.ts";
import { createTerminalInteractor } from "./terminal-interactor.ts";

/** A bug is the one thing that throws up to here. */
const BUG = 70;

export async function main(): Promise<void> {
  const correlationId = newId();
  try {
    process.exitCode = await runInvocation(parseInvocation(process.argv.slice(2)), correlationId);
  } catch (error) {
    if (error instanceof Fault) {
      process.stderr.write(`adj: ${formatFault(error)}\n`);
      process.exitCode = error.exitCode;
      return;
    }
    const stack = error instanceof Error ? error.stack : String(error);
    process.stderr.write(`adj: this is a bug (correlation ${correlationId})\n${stack}\n`);
    process.exitCode = BUG;
  }
}

async function runInvocation(invocation: Invocation, correlationId: string): Promise<number> {
  if (invocation.kind === "version") {
    process.stdout.write(`${VERSION}\n`);
    return 0;
  }
  const { options } = invocation;
  const cwd = resolve(options.cwd ?? ".");
  // Not closed: the program ends here, and the stores lose nothing by it. Closing would write all of the
  // journal back into the database each time, which takes longer than most commands.
  const adjutant = await createAdjutant({ cwd, env: environment(), surface: "cli" });
  const [name, words] =
    invocation.kind === "help" ? ["help", []] : [invocation.name, invocation.words];
  return runCommand(adjutant, { name, words, options, correlationId });
}

/** Commands learn the width of the screen like any program would. */
function environment(): NodeJS.ProcessEnv {
  const { columns } = process.stdout;
  return columns === undefined ? process.env : { ...process.env, COLUMNS: String(columns) };
}

interface Call {
  readonly name: string;
  readonly words: readonly string[];
  readonly options: ProgramOptions;
  readonly correlationId: string;
}

async function runCommand(adjutant: Adjutant, call: Call): Promise<number> {
  const summary = await adjutant.registry.find(call.name);
  const asked = readCommonFlags(summary, call);
  const screen = createScreen();
  if (!call.options.quiet)
    for (const notice of await adjutant.notices(asked.name))
      await screen.write(`adj: ${notice}\n`, "stderr");
  const watch = watchSignals(asked.name, (exitCode) => process.exit(exitCode));
  const isInteractive = isatty(0);
  const outcome = await adjutant.dispatch(
    {
      name: asked.name,
      args: asked.words,
      signal: watch.signal,
      correlationId: call.correlationId,
      ...(call.options.session === null ? {} : { sessionId: call.options.session }),
    },
    {
      yes: asked.yes,
      isInteractive,
      hasPipedInput: !isInteractive,
      interactors: isInteractive && isatty(2) ? [createTerminalInteractor(asked.name)] : [],
      ...(asked.json ? {} : { onOutput: screen.stream }),
      onProgress: screen.progress,
    },
  );
  watch.close();
  screen.clearProgress();
  await show(outcome, { screen, json: asked.json });
  return outcome.result.exitCode;
}

interface Asked {
  readonly name: string;
  readonly words: readonly string[];
  readonly json: boolean;
  readonly yes: boolean;
}

function readCommonFlags(summary: CommandSummary | null, { name, words, options }: Call): Asked {
  const given = { name, words, json: options.json, yes: options.yes };
  if (!summary?.schema) return given;
  const ownFlags = new Set(listArguments(summary.schema).map(({ flag }) => flag));
  const common = takeCommonFlags(words, ownFlags);
  if (common.wantsHelp) return { ...given, name: "help", words: [name] };
  return {
    name,
    words: common.words,
    json: options.json || common.json,
    yes: options.yes || common.yes,
  };
}

async function show(
  outcome: Outcome,
  { screen, json }: { screen: ReturnType<typeof createScreen>; json: boolean },
): Promise<void> {
  if (json) return screen.write(renderJson(outcome), "stdout");
  const rendered = renderOutcome(outcome, screen.streamed);
  await screen.write(rendered.stdout, "stdout");
  await screen.write(rendered.stderr, "stderr");
}
