// What a Markdown command asks for: declared inputs, named positionals, and what else its body uses.
import * as z from "zod/mini";
import type { $ZodType } from "zod/v4/core";
import type { ArgumentsSchema } from "../../core/command/definition.ts";
import { describeArguments } from "../../core/command/describe-arguments.ts";
import { type Fault, fault, type Where } from "../../core/command/fault.ts";
import type { FrontMatter } from "../../core/project/front-matter.ts";
import { isAdjutantKey, type MarkdownFields, type WrittenInput } from "./keys.ts";

type InputType = "text" | "number" | "boolean" | "select" | "secret";
export type InputValue = string | number | boolean;

export interface Input {
  readonly name: string;
  readonly type: InputType;
  readonly description: string | null;
  readonly default: InputValue | null;
  readonly isRequired: boolean;
  readonly options: readonly string[];
  /** Its place among the words of the command line, from 0; null for a flag. */
  readonly position: number | null;
}

/** What the template has without anybody's input. */
const GIVEN = /^(?:args|arg\d+|stdin|cwd|git|pre)$/;

/** Flags of every Markdown command, and of every command. */
const TAKEN: ReadonlySet<string> = new Set([
  ...[
    "agent",
    "model",
    "timeout",
    "param",
    "dryrun",
    "events",
    "raw",
    "forceflags",
    "agentflags",
    "words",
  ],
  ...["json", "help", "yes"],
]);

const isTaken = (name: string): boolean =>
  TAKEN.has(name.replaceAll(/[-_]/g, "").toLowerCase()) || GIVEN.test(name);

export const isGivenVariable = (name: string): boolean => GIVEN.test(name) || isAdjutantKey(name);

interface InputSource {
  readonly fields: Pick<MarkdownFields, "inputs" | "args">;
  readonly frontMatter: FrontMatter;
  /** Every variable that the body uses. */
  readonly variables: readonly string[];
  readonly at: (path: readonly PropertyKey[], part?: "key" | "value") => Where;
}

/** In the order of their declaration; what only the body names comes last. */
export function listInputs(source: InputSource): Input[] {
  const { fields, variables } = source;
  const declared = Object.keys(fields.inputs ?? {});
  const positionals = fields.args ?? [];
  refuseNames(source);
  const used = variables.filter((name) => !isGivenVariable(name));
  const names = new Set([...declared, ...positionals, ...used]);
  return [...names].map((name) => describeInput(source, name));
}

function refuseNames({ fields, at }: InputSource): void {
  const reason = "is a name that every Markdown command has a meaning for";
  for (const name of Object.keys(fields.inputs ?? {}))
    if (isTaken(name)) throw invalid(at(["inputs", name], "key"), `\`${name}\` ${reason}`);
  for (const [position, name] of (fields.args ?? []).entries()) {
    if (isTaken(name)) throw invalid(at(["args", position]), `\`${name}\` ${reason}`);
    if (fields.args?.indexOf(name) !== position)
      throw invalid(at(["args", position]), `\`${name}\` is there twice`);
  }
}

const invalid = (where: Where, problem: string): Fault =>
  fault("FileInvalid", { problem }, { where });

function describeInput(source: InputSource, name: string): Input {
  const { fields, at } = source;
  const written: WrittenInput = fields.inputs?.[name] ?? null;
  const type = written?.type ?? (written?.options === undefined ? "text" : "select");
  const options = written?.options ?? [];
  const problem = findInputProblem(type, written);
  if (problem !== null) throw invalid(at(["inputs", name]), `\`${name}\` ${problem}`);
  const position = fields.args?.indexOf(name) ?? -1;
  const fallback = written?.default ?? findDefault(source.frontMatter, name);
  const isOptional = fallback !== null || type === "boolean";
  return {
    name,
    type,
    description: written?.description ?? null,
    default: fallback ?? (type === "boolean" ? false : null),
    isRequired: !isOptional && (written?.required ?? true),
    options,
    position: position < 0 ? null : position,
  };
}

const MATCHING: Readonly<
  Record<InputType, (value: InputValue, options: readonly string[]) => boolean>
> = {
  text: () => true,
  number: (value) => typeof value === "number",
  boolean: (value) => typeof value === "boolean",
  select: (value, options) => options.includes(String(value)),
  secret: () => false,
};

function findInputProblem(type: InputType, written: WrittenInput): string | null {
  const { options, default: fallback } = written ?? {};
  if (type === "select" && options === undefined) return "needs `options` to select from";
  if (type !== "select" && options !== undefined) return "has `options`, so its type is `select`";
  if (fallback === undefined || MATCHING[type](fallback, options ?? [])) return null;
  if (type === "secret") return "is a secret, which cannot have a default";
  const expected = type === "select" ? "one of its options" : `a ${type}`;
  return `has a default that is not ${expected}`;
}

/** `$focus: v`, or the key itself, which is no flag as soon as the template uses it. */
function findDefault(frontMatter: FrontMatter, name: string): InputValue | null {
  for (const key of [`$${name}`, name]) {
    const value = Object.hasOwn(frontMatter, key) ? frontMatter[key] : undefined;
    if (typeof value === "string" || typeof value === "number" || typeof value === "boolean")
      return value;
  }
  return null;
}

/** What is no flag of the agent because the template has it. */
export const templateVariables = (inputs: readonly Input[]): ReadonlySet<string> =>
  new Set(inputs.map(({ name }) => name).filter((name) => !isAdjutantKey(name)));

// The command line of a Markdown command: its inputs, and what all of them take.

const textArgument = (description: string) =>
  z.optional(z.string().check(z.meta({ plain: true, operator: true, description })));
const plainSwitch = (description: string) =>
  z._default(z.boolean().check(z.meta({ plain: true, operator: true, description })), false);

const COMMON = {
  agent: textArgument("the agent to run it with"),
  model: textArgument("the model, for this run"),
  timeout: textArgument("end the agent after this long; `none` for no limit"),
  param: z._default(
    z
      .array(z.string())
      .check(
        z.meta({ operator: true, description: "another key of the front matter: `max-turns=3`" }),
      ),
    [],
  ),
  dryRun: plainSwitch("show what would run, and run nothing"),
  events: plainSwitch("one JSON object per line as it happens"),
  raw: plainSwitch("keep the raw output as it came, secrets too"),
  allowHooksOff: plainSwitch("start it though the project switches hooks off"),
  projectSettings: plainSwitch("let an untrusted project's own hooks and servers count"),
  forceFlags: plainSwitch("pass flags that this agent is not known to have"),
  agentFlags: z._default(
    z.array(z.string()).check(
      z.meta({
        unknownFlags: true,
        operator: true,
        description: "the agent's own flags, as `--flag=value`",
      }),
    ),
    [],
  ),
};

const WORDS = {
  words: z._default(
    z.array(z.string()).check(z.meta({ positional: "rest", description: "further words" })),
    [],
  ),
};

const CHECKED = z.object({ ...COMMON, ...WORDS });
export type CommonArguments = z.infer<typeof CHECKED>;

export interface MarkdownArguments {
  readonly args: $ZodType;
  readonly schema: ArgumentsSchema;
}

/** Required ones are marked for help, forms and MCP; who misses one is asked for it before it is refused. */
export function describeMarkdownArguments(
  inputs: readonly Input[],
  takesWords: boolean,
): MarkdownArguments {
  const own = Object.fromEntries(inputs.map((input) => [input.name, describeInputArgument(input)]));
  const args = z.strictObject({ ...own, ...COMMON, ...(takesWords ? WORDS : {}) });
  const required = inputs.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  const schema = describeArguments(args);
  return { args, schema: required.length === 0 ? schema : { ...schema, required } };
}

function describeInputArgument({ name, position, description, ...input }: Input) {
  const type = typeOf(input).check(
    z.meta({
      description: description ?? `\`{{ ${name} }}\``,
      ...(position === null ? {} : { positional: position }),
      ...(input.type === "secret" ? { secret: true } : {}),
      ...(input.default === null ? {} : { default: input.default }),
    }),
  );
  return z.optional(type);
}

function typeOf({ type, options }: Pick<Input, "type" | "options">) {
  if (type === "number") return z.number();
  if (type === "boolean") return z.boolean();
  return type === "select" ? z.enum([...options]) : z.string();
}

/** The common ones are what the schema made of them; `words` may be missing. */
export const readCommonArguments = (args: unknown): CommonArguments => CHECKED.parse(args);
