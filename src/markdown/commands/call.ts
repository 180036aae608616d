// One call of a Markdown command: what was given, and the values of its inputs.
import { fault, misuse } from "../../core/command/fault.ts";
import { kebabCase } from "../../core/command/names.ts";
import type { BundledContext } from "../../core/commands/bundled.ts";
import {
  type CommonArguments,
  type Input,
  type InputValue,
  readCommonArguments,
} from "../file/inputs.ts";
import type { MarkdownFile } from "../file/markdown-file.ts";

/** A Markdown command on its way. */
export interface MarkdownCall extends BundledContext {
  readonly file: MarkdownFile;
  /** Inputs as they were given, by name. */
  readonly given: Readonly<Record<string, unknown>>;
  readonly common: CommonArguments;
  /** Nothing is run and nobody is asked: what is missing stands there by its name. */
  readonly isExplained: boolean;
}

/** Settings, as far as Markdown commands read them. */
export interface CallSettings {
  readonly agent: string | null;
  readonly model: string | null;
  /** Defaults of flags, by the name of the agent's program. */
  readonly commands: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
  readonly importHosts: readonly string[];
}

type InputValues = Readonly<Record<string, InputValue | null>>;

export function readMarkdownCall(
  file: MarkdownFile,
  args: unknown,
  { context, program }: BundledContext,
  isExplained = false,
): MarkdownCall {
  const common = readCommonArguments(args);
  const given = typeof args === "object" && args !== null ? { ...args } : {};
  return { file, given, common, context, program, isExplained };
}

export interface GatheredInputs {
  readonly values: InputValues;
  /** The values that nothing may show or keep. */
  readonly secrets: readonly string[];
}

/** The values of a command's inputs: as given, as asked for at a terminal, or as they are by default. */
export async function gatherInputs(call: MarkdownCall): Promise<GatheredInputs> {
  const { file, given, isExplained } = call;
  const missing = file.inputs.filter(
    (input) => input.isRequired && given[input.name] === undefined,
  );
  if (missing.length > 0 && !call.context.isInteractive && !isExplained)
    throw missingInputs(call, missing);
  const values: Record<string, InputValue | null> = {};
  for (const input of file.inputs) {
    const value = readGiven(given[input.name]);
    if (value !== null) values[input.name] = value;
    else if (!missing.includes(input)) values[input.name] = input.default;
    else values[input.name] = isExplained ? `<${input.name}>` : await askFor(input, call);
  }
  const secrets = file.inputs.filter(({ type }) => type === "secret");
  return { values, secrets: secrets.map(({ name }) => String(values[name] ?? "")).filter(Boolean) };
}

const readGiven = (value: unknown): InputValue | null =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? value
    : null;

function missingInputs({ file }: MarkdownCall, missing: readonly Input[]) {
  const labels = missing.map(({ name, position }) =>
    position === null ? `\`--${kebabCase(name)}\`` : `\`<${kebabCase(name)}>\``,
  );
  const verb = labels.length === 1 ? "is" : "are";
  return misuse(file.name, `${labels.join(", ")} ${verb} missing`);
}

async function askFor(input: Input, { context, file }: MarkdownCall): Promise<InputValue> {
  const question = input.description ?? input.name;
  if (input.type === "select") return context.ask.select(question, input.options);
  const answer = await context.ask.input(question, { secret: input.type === "secret" });
  if (input.type !== "number") return answer;
  const number = answer.trim() === "" ? Number.NaN : Number(answer);
  if (!Number.isNaN(number)) return number;
  throw fault("ArgumentsInvalid", {
    command: file.name,
    problem: `\`${input.name}\` must be a number`,
  });
}
