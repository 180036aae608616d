// The command line of a Markdown command: its inputs, and what all of them take.
import * as z from "zod/mini";
import type { $ZodType } from "zod/v4/core";
import { type ArgumentsSchema, describeArguments } from "../command/arguments-schema.ts";
import type { Input } from "./inputs.ts";

const text = (description: string) =>
  z.optional(z.string().check(z.meta({ plain: true, description })));
const plainSwitch = (description: string) =>
  z._default(z.boolean().check(z.meta({ plain: true, description })), false);

const COMMON = {
  agent: text("the agent to run it with"),
  model: text("the model, for this run"),
  timeout: text("end the agent after this long; `none` for no limit"),
  param: z._default(
    z
      .array(z.string())
      .check(z.meta({ description: "another key of the front matter: `max-turns=3`" })),
    [],
  ),
  dryRun: plainSwitch("show what would run, and run nothing"),
  events: plainSwitch("one JSON object per line as it happens"),
  forceFlags: plainSwitch("pass flags that this agent is not known to have"),
  agentFlags: z._default(
    z
      .array(z.string())
      .check(
        z.meta({ unknownFlags: true, description: "the agent's own flags, as `--flag=value`" }),
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
  const own = Object.fromEntries(inputs.map((input) => [input.name, describeInput(input)]));
  const args = z.strictObject({ ...own, ...COMMON, ...(takesWords ? WORDS : {}) });
  const required = inputs.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  const schema = describeArguments(args);
  return { args, schema: required.length === 0 ? schema : { ...schema, required } };
}

function describeInput({ name, position, description, ...input }: Input) {
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
