// What the command line says about the agent, with keys as front matter has them. Pure.
import { type Fault, fault } from "../../core/command/fault.ts";
import type { FrontMatter } from "../../core/project/front-matter.ts";
import { jsonOrText } from "../../core/project/json-value.ts";
import { listVariables } from "../body/body.ts";
import type { CommonArguments } from "../file/inputs.ts";
import { SETTING_KEYS } from "../file/keys.ts";
import type { MarkdownFile } from "../file/markdown-file.ts";

type Given = Pick<CommonArguments, "model" | "param" | "agentFlags">;

interface FlagOptions {
  /** `ADJ_MODEL` */
  readonly environmentModel: string | null;
  /** Keys that only this agent has, such as `cassette`. */
  readonly ownKeys: readonly string[];
}

/** `--model` and `ADJ_MODEL`, then `--param key=value`, then flags nobody else took. */
export function readAgentFlags(
  command: string,
  { model, param, agentFlags }: Given,
  { environmentModel, ownKeys }: FlagOptions,
): FrontMatter {
  const chosen = model ?? environmentModel;
  const flags = new Map<string, unknown>(
    chosen === null || chosen === "" ? [] : [["model", chosen]],
  );
  for (const written of param) {
    const [key, value] = readParam(command, written);
    flags.set(key, value);
  }
  const plainKeys = new Set([...SETTING_KEYS.keys(), ...ownKeys]);
  for (const written of agentFlags) addFlag(flags, written, plainKeys);
  return Object.fromEntries(flags);
}

/** `--param key=value`; a setting may be spelt as configurations have it, `max_turns`. */
export function readParam(command: string, written: string): [string, unknown] {
  const at = written.indexOf("=");
  if (at < 1) throw malformed(command);
  const [given, text] = [written.slice(0, at), written.slice(at + 1)];
  const kebab = given.replaceAll("_", "-");
  const key = SETTING_KEYS.has(kebab) ? kebab : given;
  return [key, jsonOrText(text)];
}

const malformed = (command: string): Fault =>
  fault("ArgumentsInvalid", {
    command,
    problem: "`--param` takes `key=value`, such as `max-turns=3`",
  });

/** A setting is the same with dashes before it; a repeated flag is a list. */
function addFlag(
  flags: Map<string, unknown>,
  written: string,
  plainKeys: ReadonlySet<string>,
): void {
  const at = written.indexOf("=");
  const flag = at < 0 ? written : written.slice(0, at);
  const value = at < 0 ? true : written.slice(at + 1);
  const key = plainKeys.has(flag.slice(2)) ? flag.slice(2) : flag;
  const before = flags.get(key);
  if (before === undefined) flags.set(key, value);
  else flags.set(key, [...(Array.isArray(before) ? before : [before]), value]);
}

// Which words of the command line the template has used up, and which are left for the agent. Pure.

interface LeftWord {
  readonly word: string;
  /** The body is position 1, so the first word is 2. */
  readonly position: number;
}

export interface SortedWords {
  /** All of them, as `{{ args }}` has them. */
  readonly words: readonly string[];
  /** `arg2`, where the template wants a word that is not there. */
  readonly missing: readonly string[];
  readonly left: readonly LeftWord[];
}

export function sortWords(
  { body, inputs }: Pick<MarkdownFile, "body" | "inputs">,
  given: Readonly<Record<string, unknown>>,
  rest: readonly string[],
): SortedWords {
  const named = inputs.filter(({ position }) => position !== null);
  const first = named
    .toSorted((a, b) => Number(a.position) - Number(b.position))
    .flatMap(({ name }) => (given[name] === undefined ? [] : [String(given[name])]));
  const words = [...first, ...rest];
  const used = listVariables(body);
  const numbers = used.flatMap((name) => /^arg(\d+)$/.exec(name)?.[1] ?? []).map(Number);
  const isUsed = (at: number): boolean =>
    at < first.length || used.includes("args") || numbers.includes(at + 1);
  return {
    words,
    missing: numbers.filter((number) => number > words.length).map((number) => `arg${number}`),
    left: words.flatMap((word, at) => (isUsed(at) ? [] : [{ word, position: at + 2 }])),
  };
}
