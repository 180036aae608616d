// A project's commands run from a copy; whatever goes wrong in one is told with the files that the person wrote.
import { pathToFileURL } from "node:url";
import type { CommandContext } from "../command/context.ts";
import type { Command } from "../command/definition.ts";
import { Fault } from "../command/fault.ts";
import type { Output } from "../command/result.ts";
import { type CopiedProject, showOriginals } from "../project/trust/store.ts";

/** The same command; its messages, and what it prints on stderr, name no file of the copy. */
export function withOriginalPaths(command: Command, project: CopiedProject): Command {
  const show = (text: string): string => showOriginals(showUrls(text, project), project);
  return {
    ...command,
    run: async (args, context) => {
      // What the command throws behind its own back, in a timer say, comes as the reason of a cancel.
      const showReason = () => showError(context.signal.reason, show);
      context.signal.addEventListener("abort", showReason, { once: true });
      try {
        return showResult(await command.run(args, withShownErrors(context, show)), show);
      } catch (error) {
        showError(error, show);
        throw error;
      } finally {
        context.signal.removeEventListener("abort", showReason);
      }
    },
  };
}

const showUrls = (text: string, { root, copyDir }: CopiedProject): string =>
  text.replaceAll(pathToFileURL(copyDir).href, pathToFileURL(root).href);

type Show = (text: string) => string;

/** Not spread: some of what a context has is worked out only when it is asked for. */
function withShownErrors(context: CommandContext, show: Show): CommandContext {
  const write: CommandContext["write"] = (chunk, channel = "stdout") =>
    context.write(channel === "stderr" ? showOutput(chunk, show) : chunk, channel);
  return Object.freeze(Object.create(context, { write: { value: write, enumerable: true } }));
}

/** Bytes that are not text are left exactly as they are. */
function showOutput(output: Output, show: Show): Output {
  if (typeof output === "string") return show(output);
  const text = Buffer.from(output).toString("utf8");
  const shown = show(text);
  return shown === text ? output : Buffer.from(shown);
}

function showResult(result: unknown, show: Show): unknown {
  if (typeof result !== "object" || result === null || !("errorOutput" in result)) return result;
  const { errorOutput } = result;
  const isOutput = typeof errorOutput === "string" || errorOutput instanceof Uint8Array;
  return isOutput ? { ...result, errorOutput: showOutput(errorOutput, show) } : result;
}

/** Its class, code and facts stay: only what is read of it changes. */
function showError(error: unknown, show: Show): void {
  if (!(error instanceof Error)) return;
  error.message = show(error.message);
  if (error.stack !== undefined) error.stack = show(error.stack);
  if (error instanceof Fault && error.hint !== null)
    Object.defineProperty(error, "hint", { value: show(error.hint) });
  showError(error.cause, show);
}
