// Runs the commands that were reached: eight at a time, started and reported in order of appearance.
import { type Fault, fault, type Where } from "../../../command/fault.ts";
import type { InlineCommand } from "../body.ts";
import type { InlineOutput, RunInline } from "../world.ts";
import { printOutput } from "./print-output.ts";
import { listShellVariables } from "./shell-variables.ts";

const AT_ONCE = 8;

export interface ReachedCommand {
  readonly directive: InlineCommand;
  readonly scope: Readonly<Record<string, unknown>>;
}

export interface RanCommand {
  readonly command: string;
  readonly text: string;
  /** All it wrote; more than was kept where it was cut. */
  readonly bytes: number;
  readonly where: Where;
}

interface Ports {
  readonly runInline: RunInline;
  readonly signal: AbortSignal;
}

/** The first failure ends those that still run; of several, the first in the text is reported. */
export async function runCommands(
  reached: readonly ReachedCommand[],
  { runInline, signal }: Ports,
): Promise<RanCommand[]> {
  const stop = new AbortController();
  const results: (RanCommand | Fault | null)[] = reached.map(() => null);
  const ports = { runInline, signal: AbortSignal.any([signal, stop.signal]) };
  const pending = reached.entries();
  const work = async () => {
    for (const [index, command] of pending) {
      const result = await runOne(command, ports);
      results[index] = result;
      if (!("text" in result)) stop.abort();
      if (ports.signal.aborted) return;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  signal.throwIfAborted();
  return results.map(unwrap(results));
}

const isFault = (result: RanCommand | Fault | null): result is Fault =>
  result !== null && !("text" in result);

/** One that was stopped because another failed is not the failure. */
function unwrap(results: readonly (RanCommand | Fault | null)[]) {
  const faults = results.filter(isFault);
  const first = faults.find(({ code }) => code !== "Cancelled") ?? faults[0];
  if (first !== undefined) throw first;
  return (result: RanCommand | Fault | null): RanCommand => {
    if (result === null || isFault(result)) throw new TypeError("a command has no result");
    return result;
  };
}

async function runOne(
  { directive, scope }: ReachedCommand,
  ports: Ports,
): Promise<RanCommand | Fault> {
  const { command, where } = directive;
  const { env, missing } = listShellVariables(command, scope);
  const lack = missing[0];
  if (lack !== undefined)
    return fault(
      "InlineFailed",
      { command, problem: `needs \`$${lack.name}\`, and ${lack.problem}` },
      { where, hint: "rename the variable or pass it another way" },
    );
  const output = await ports.runInline(command, { env, signal: ports.signal });
  if (output.kind !== "ok") return describeFailure(output, directive);
  const text = printOutput(output.stdout, output.totalBytes);
  if (text === null)
    return fault(
      "InlineFailed",
      { command, problem: "wrote a NUL byte" },
      { where, hint: "print text" },
    );
  return { command, text, bytes: output.totalBytes, where };
}

function describeFailure(
  output: Exclude<InlineOutput, { kind: "ok" }>,
  directive: InlineCommand,
): Fault {
  const { command, where } = directive;
  if (output.kind === "timed_out")
    return fault(
      "CommandTimeout",
      { name: command, limitMs: output.limitMs },
      { where, hint: "make it faster, or run it before and pipe its output in" },
    );
  if (output.kind === "cancelled") return fault("Cancelled", { name: command }, { where });
  const stderr = output.stderr === "" ? "" : `: ${output.stderr}`;
  return fault(
    "InlineFailed",
    { command, problem: `${output.problem}${stderr}` },
    { where, hint: "run it by itself; end it with `|| true` where it may fail" },
  );
}
