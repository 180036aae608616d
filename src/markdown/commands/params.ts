// The params of a Markdown command's run: of settings and session below the file, of `--param` above it.
import type { Params } from "../../agents/choice/param-words.ts";
import {
  listParamSettings,
  listParams,
  paramValues,
  type ResolvedParams,
  referenceIn,
  resolveParams,
} from "../../agents/choice/params.ts";
import { announceFlags } from "../../agents/choice/run-params.ts";
import type { JsonValue } from "../../core/command/context.ts";
import { fault } from "../../core/command/fault.ts";
import { asRecord } from "../../core/project/json-value.ts";
import { readParam } from "../argv/command-line.ts";
import type { ParamLayers } from "../argv/uses.ts";
import { SETTING_KEYS } from "../file/keys.ts";
import type { MarkdownCall } from "./call.ts";
import type { ChosenAgent } from "./choose-agent.ts";

export interface MarkdownParams {
  readonly layers: Required<ParamLayers>;
  /** `--param` words that are keys of front matter or flags of the agent. */
  readonly keyWords: readonly string[];
  /** Values of variables, which nothing may keep. */
  readonly secrets: readonly string[];
}

export async function gatherMarkdownParams(
  call: MarkdownCall,
  agent: ChosenAgent,
): Promise<MarkdownParams> {
  const { context, program } = call;
  const { params: session } = await context.session.get();
  const { params: settings } = await program.settings();
  const below = [listParams({ session: {}, settings }), listParams({ session, settings: {} })];
  const [ofSettings, ofSession] = below.map((one) => resolve(call, agent, paramValues(one)));
  const flags = readFlagParams(call, agent);
  if (!call.isExplained && !call.common.dryRun) announce(call, paramValues(below.flat()));
  const resolved = [ofSettings, ofSession, flags.resolved].filter((one) => one !== undefined);
  await reportLeftOut(call, resolved);
  return {
    layers: {
      params: ofSettings?.settings ?? {},
      session: ofSession?.settings ?? {},
      flags: flags.resolved.settings,
    },
    keyWords: flags.keyWords,
    secrets: resolved.flatMap(({ secrets }) => secrets),
  };
}

const resolve = ({ context }: MarkdownCall, { adapter, located }: ChosenAgent, params: Params) =>
  resolveParams(adapter, located.agentVersion, params, context.env.forChild());

/** Settings that are no keys of front matter go the way of params; all else is a key or a flag as it always was. */
function readFlagParams(call: MarkdownCall, agent: ChosenAgent) {
  const { common, file } = call;
  const settingNames = new Set(listParamSettings(agent.adapter, agent.located.agentVersion));
  const params: Record<string, JsonValue> = {};
  const keyWords: string[] = [];
  for (const written of common.param) {
    const [key, value] = readParam(file.name, written);
    const setting = key.replaceAll("-", "_");
    if (settingNames.has(setting) && !SETTING_KEYS.has(key) && isJson(value))
      params[setting] = value;
    else keyWords.push(fillWord(call, written, [key, value]));
  }
  const resolved = resolve(call, agent, params);
  const [wrong] = resolved.leftOut;
  if (wrong !== undefined)
    throw fault("ArgumentsInvalid", { command: file.name, problem: wrong.problem });
  return { resolved, keyWords };
}

function fillWord(
  { context }: MarkdownCall,
  written: string,
  [key, value]: [string, unknown],
): string {
  const name = referenceIn(value);
  return name === null ? written : `${key}=${JSON.stringify(context.env.get(name) ?? "")}`;
}

const isJson = (value: unknown): value is JsonValue => value !== undefined;

function announce(call: MarkdownCall, lower: Params): void {
  const given = call.common.param.map((written) => readParam(call.file.name, written));
  const flags = given.flatMap(([key, value]): [string, JsonValue][] =>
    isJson(value) ? [[key.replaceAll("-", "_"), value]] : [],
  );
  announceFlags(Object.fromEntries(flags), lower, call);
}

/** What the file or a flag sets itself is not missed. */
async function reportLeftOut(
  { context, file, isExplained }: MarkdownCall,
  resolved: readonly ResolvedParams[],
): Promise<void> {
  if (isExplained) return;
  const own = asRecord(file.frontMatter);
  for (const { path, problem } of resolved.flatMap(({ leftOut }) => leftOut))
    if (!Object.hasOwn(own, path.replaceAll("_", "-")))
      await context.write(`adj: param \`${path}\` is left out: ${problem}\n`, "stderr");
}
