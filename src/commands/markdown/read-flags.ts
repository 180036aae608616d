// What the command line says about the agent, with keys as front matter has them. Pure.
import { type Fault, fault } from "../../command/fault.ts";
import type { FrontMatter } from "../../markdown/front-matter-value.ts";
import type { CommonArguments } from "../../markdown/markdown-arguments.ts";
import { SETTING_KEYS } from "../../markdown/portable-keys.ts";

type Given = Pick<CommonArguments, "model" | "param" | "agentFlags">;

interface FlagPlace {
  /** `ADJ_MODEL` */
  readonly environmentModel: string | null;
  /** Keys that only this agent has, such as `cassette`. */
  readonly ownKeys: readonly string[];
}

/** `--model` and `ADJ_MODEL`, then `--param key=value`, then flags nobody else took. */
export function readFlags(
  command: string,
  { model, param, agentFlags }: Given,
  { environmentModel, ownKeys }: FlagPlace,
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

function readParam(command: string, written: string): [string, unknown] {
  const at = written.indexOf("=");
  if (at < 1) throw malformed(command);
  const [key, text] = [written.slice(0, at), written.slice(at + 1)];
  try {
    return [key, JSON.parse(text)];
  } catch {
    // Not JSON, so it is text: `append-system-prompt=be brief`.
    return [key, text];
  }
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
