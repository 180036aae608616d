// A command of a workflow: dispatched like a person's, in the run's folder; below an agent nothing is granted.
import type { JsonValue } from "../../core/command/context.ts";
import { formatFault } from "../../core/command/fault.ts";
import type { Request } from "../../core/command/request.ts";
import type { Output } from "../../core/command/result.ts";
import type { HostServices } from "../../core/commands/host-extension.ts";
import type { EffectPorts } from "../engine/effect.ts";

type CommandCall = Parameters<EffectPorts["runCommand"]>[0];
type CommandAnswer = Awaited<ReturnType<EffectPorts["runCommand"]>>;

interface CommandPlace {
  readonly root: string;
  /** The person's variables, of whoever started the run. */
  readonly env: Readonly<Record<string, string>>;
}

export async function runCommandFor(
  { program }: HostServices,
  { name, args, cwd, sessionId, signal }: CommandCall,
  { root, env }: CommandPlace,
): Promise<CommandAnswer> {
  const printed = { stdout: "", stderr: "" };
  const { result, error } = await program.dispatchIn(
    root,
    {
      command: readCommand(name, args),
      origin: { surface: "library" },
      ...{ cwd, env, sessionId, signal },
    },
    {
      onOutput: (chunk, channel) => {
        printed[channel] += Buffer.from(chunk).toString();
      },
    },
  );
  return {
    exitCode: result.exitCode,
    output: printed.stdout + textOf(result.output),
    errorOutput: [
      printed.stderr + textOf(result.errorOutput ?? ""),
      ...(error === undefined ? [] : [formatFault(error)]),
    ]
      .filter(Boolean)
      .join("\n"),
    metadata: toJson(result.metadata),
  };
}

/** A whole line where nothing but a name is given that holds more than one word. */
function readCommand(name: string, args: CommandCall["args"]): Request["command"] {
  if (Array.isArray(args) && args.length === 0 && /\s/.test(name.trim())) return { line: name };
  return { name, args };
}

const textOf = (output: Output): string =>
  typeof output === "string" ? output : Buffer.from(output).toString();

/** What JSON cannot hold of it is left out. */
const toJson = (value: unknown): JsonValue => JSON.parse(JSON.stringify(value ?? null));
