// What the command line says about a run, as data: its budget, its inputs, its arguments. Pure but for what is piped in.
import type { CommandContext, JsonValue } from "../../core/command/context.ts";
import { type Fault, messageOf } from "../../core/command/fault.ts";
import { nearestNames } from "../../core/command/names.ts";
import { parseDuration } from "../../core/command/time.ts";
import { isJsonObject } from "../../core/project/json-value.ts";
import type { BudgetLimits } from "../definition/workflow.ts";
import type { WorkflowArguments } from "./arguments.ts";
import { refuseUse } from "./context.ts";

export const NO_LIMITS: BudgetLimits = { usd: null, tokens: null, calls: null, timeMs: null };

const UNITS = ["usd", "tokens", "calls", "time"] as const;

/** `usd=2,tokens=500000,calls=100,time=10m`; what is not named has no limit. */
export function parseBudget(text: string | undefined): BudgetLimits {
  if (text === undefined) return NO_LIMITS;
  const given = new Map<string, number>();
  for (const part of text.split(",").map((word) => word.trim())) {
    const [, unit = "", value = ""] = /^([a-z]+)=(.+)$/.exec(part) ?? [];
    const known = UNITS.find((name) => name === unit);
    if (known === undefined) throw unknownUnit(part, unit);
    if (given.has(known)) throw refuseUse(`\`--budget\` says \`${known}\` twice`, "say it once");
    given.set(known, readLimit(known, value));
  }
  const limitOf = (unit: string): number | null => given.get(unit) ?? null;
  return {
    usd: limitOf("usd"),
    tokens: limitOf("tokens"),
    calls: limitOf("calls"),
    timeMs: limitOf("time"),
  };
}

function unknownUnit(part: string, unit: string): Fault {
  const [nearest] = nearestNames(unit, UNITS);
  const hint =
    nearest === undefined
      ? "write `usd=2,tokens=500000,calls=100,time=10m`, or some of them"
      : `did you mean \`${nearest}\`?`;
  return refuseUse(`\`--budget\` cannot be read at \`${part}\``, hint);
}

function readLimit(unit: (typeof UNITS)[number], value: string): number {
  const limit = unit === "time" ? parseDuration(value) : Number(value);
  const isWhole = unit === "tokens" || unit === "calls";
  const isGood =
    limit !== null && Number.isFinite(limit) && limit > 0 && (!isWhole || Number.isInteger(limit));
  if (isGood) return limit;
  const wanted = unit === "time" ? "a time such as `10m`" : isWhole ? "a whole number" : "a number";
  throw refuseUse(`\`--budget ${unit}=${value}\` must be ${wanted} above 0`, "give another one");
}

/** What a script gets as `args`: the JSON, with `--input name=value` laid over it; undefined where nothing is given. */
export async function readScriptArgs(
  { args, input }: Pick<WorkflowArguments, "args" | "input">,
  context: Pick<CommandContext, "readInput">,
): Promise<JsonValue | undefined> {
  const inputs = readInputs(input);
  const text = args === "-" ? Buffer.from(await context.readInput()).toString() : args;
  const value = text === undefined ? undefined : parseJson(text);
  if (Object.keys(inputs).length === 0) return value;
  if (value === undefined) return inputs;
  if (!isJsonObject(value))
    throw refuseUse("`--input` needs `--args` to be an object, or none", "leave one of them out");
  return { ...value, ...inputs };
}

function parseJson(text: string): JsonValue {
  try {
    return JSON.parse(text);
  } catch (error) {
    const why = messageOf(error);
    throw refuseUse(
      `\`--args\` is not JSON: ${why}`,
      "quote it for your shell: `--args '{\"a\": 1}'`",
    );
  }
}

/** `name=value` as it was typed; the value may contain `=`. */
export function readInputs(words: readonly string[]): Readonly<Record<string, string>> {
  const inputs = new Map<string, string>();
  for (const word of words) {
    const at = word.indexOf("=");
    if (at < 1)
      throw refuseUse(`\`--input ${word}\` is not \`name=value\``, "write `--input task=…`");
    inputs.set(word.slice(0, at), word.slice(at + 1));
  }
  return Object.fromEntries(inputs);
}
