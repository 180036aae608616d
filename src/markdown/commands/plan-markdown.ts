// Everything about a run but its prompt: the agent, its flags, the inputs. What is found wrong here is
// told before anything was started.

import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { BUNDLED_CASSETTES } from "../../agents/replay/cassette.ts";
import { findAgent } from "../../agents/roster.ts";
import type { AgentAdapter } from "../../agents/run/adapter.ts";
import { readTimeout } from "../../agents/run/command-run.ts";
import { DEFAULT_TIMEOUT_MS } from "../../agents/run/run-agent.ts";
import { listSchemaArguments } from "../../core/command/arguments.ts";
import { fault, misuse } from "../../core/command/fault.ts";
import { parseDuration } from "../../core/command/time.ts";
import { depthOf } from "../../core/process/environment.ts";
import type { FrontMatter } from "../../core/project/front-matter.ts";
import { trustFile } from "../../core/project/trust/use-copy.ts";
import { readAgentFlags, type SortedWords, sortWords } from "../argv/command-line.ts";
import { flagFault, settingFault } from "../argv/problems.ts";
import { type TranslatedFrontMatter, translateFrontMatter } from "../argv/translate.ts";
import { locateFile } from "../body/import-file.ts";
import { type CallSettings, type GatheredInputs, gatherInputs, type MarkdownCall } from "./call.ts";
import {
  type ChosenAgent,
  chooseAgent,
  executableOf,
  readCallSettings,
  readDefaults,
} from "./choose-agent.ts";
import { gatherMarkdownParams, type MarkdownParams } from "./params.ts";

export interface MarkdownPlan extends ChosenAgent {
  readonly settings: CallSettings;
  readonly words: SortedWords;
  readonly translated: TranslatedFrontMatter;
  readonly inputs: GatheredInputs;
  /** Absolute. */
  readonly cwd: string;
  readonly timeout: number;
}

export async function planMarkdown(call: MarkdownCall): Promise<MarkdownPlan> {
  refuseDepth(call);
  const settings = await readCallSettings(call.program);
  const agent = await chooseAgent(call, settings);
  const words = sortWords(call.file, call.given, call.common.words);
  const params = await gatherMarkdownParams(call, agent);
  const flags = readFlags(call, agent, params);
  const defaults = await readDefaults(call, agent, settings);
  const translated = translate(call, agent, { words, flags, defaults, params });
  checkSettings(call, agent, { translated, flags });
  refuseWords(call, agent.adapter, { words, translated });
  const gathered = await gatherInputs(call);
  const inputs = { ...gathered, secrets: [...gathered.secrets, ...params.secrets] };
  const [cwd, timeout] = [decideFolder(call), decideTimeout(call)];
  return { ...agent, settings, words, translated, inputs, cwd, timeout };
}

/** Agents that Adjutant started, one inside the other; a command beyond is refused. */
const MAX_DEPTH = 3;

function refuseDepth({ file, context }: MarkdownCall): void {
  if (depthOf(context.env.forChild()) <= MAX_DEPTH) return;
  const hint = "`ADJ_DEPTH` counts them";
  throw fault("TooDeep", { name: file.name, limit: MAX_DEPTH }, { hint });
}

const readFlags = (
  { file, common, context }: MarkdownCall,
  { adapter }: ChosenAgent,
  { keyWords }: MarkdownParams,
) =>
  readAgentFlags(
    file.name,
    { ...common, param: [...keyWords] },
    {
      environmentModel: context.env.get("ADJ_MODEL") ?? null,
      ownKeys: ownFieldsOf(adapter).map((field) => field.replaceAll("_", "-")),
    },
  );

interface TranslationParts {
  readonly words: SortedWords;
  readonly flags: FrontMatter;
  readonly defaults: FrontMatter;
  readonly params: MarkdownParams;
}

function translate(
  call: MarkdownCall,
  { adapter, located }: ChosenAgent,
  { words, flags, defaults, params }: TranslationParts,
): TranslatedFrontMatter {
  const { file, common } = call;
  const version = located.agentVersion;
  const { name } = adapter;
  const ownFields = ownFieldsOf(adapter);
  const translation = translateFrontMatter({
    agent: { name, version, capabilities: adapter.capabilities(version), ownFields },
    layers: { settings: defaults, file: file.frontMatter, flags },
    params: params.layers,
    templateVars: file.templateVars,
    positions: Math.max(1, ...words.left.map(({ position }) => position)),
    forceFlags: common.forceFlags,
    commandFlags: listSchemaArguments(file.summary.schema ?? {}).map(({ flag }) => `--${flag}`),
  });
  if (translation.kind === "translated")
    return {
      ...translation,
      settings: locateCassette(call, isTyped(call, flags, params), translation.settings),
    };
  throw flagFault(file, first(translation.problems), executableOf(adapter, file.frontMatter));
}

/** Whether the cassette was named on the command line or by a param, and not by a file. */
function isTyped({ file }: MarkdownCall, flags: FrontMatter, { layers }: MarkdownParams): boolean {
  const has = (layer: object): boolean => Object.hasOwn(layer, "cassette");
  return has(flags) || has(layers.flags) || (!has(file.frontMatter) && has(layers.session));
}

function first<Problem>([problem]: readonly Problem[]): Problem {
  if (problem === undefined) throw new TypeError("a refusal has at least one problem");
  return problem;
}

/** The adapter's own check, before anything is run for the prompt; the prompt is checked when it is there. */
function checkSettings(
  { file, context }: MarkdownCall,
  { adapter, located }: ChosenAgent,
  {
    translated,
    flags,
  }: { readonly translated: TranslatedFrontMatter; readonly flags: FrontMatter },
): void {
  const check = adapter.checkConfig(
    { ...translated.settings, prompt: "…" },
    {
      agentVersion: located.agentVersion,
      isRoot: process.getuid?.() === 0,
      env: context.env.forChild(),
    },
  );
  if (check.kind === "invalid") throw settingFault(file, first(check.problems), flags);
}

function refuseWords(
  { file, isExplained }: MarkdownCall,
  adapter: AgentAdapter,
  { words, translated }: Pick<MarkdownPlan, "words" | "translated">,
): void {
  const [missing] = words.missing;
  if (missing !== undefined && !isExplained) {
    const given = countWords(words.words.length);
    throw misuse(file.name, `its text uses \`${missing}\`, and ${given} given`);
  }
  if (adapter.capabilities(null).takesWords === true) return;
  const extra = words.left.find(({ position }) => !translated.mappings.has(position));
  if (extra === undefined) return;
  const number = `word ${extra.position - 1} is one too many`;
  throw misuse(file.name, `${number}: \`${adapter.name}\` takes none besides the prompt`);
}

const countWords = (count: number): string =>
  count === 0 ? "no word was" : count === 1 ? "one word was" : `${count} words were`;

const decideFolder = ({ file, context }: MarkdownCall): string =>
  resolve(dirname(file.file), file.fields.cwd ?? context.workingDirectory);

const HOOK_LIMIT_MS = 30_000;

function decideTimeout({ file, common, context }: MarkdownCall): number {
  if (common.timeout !== undefined) return readTimeout(common.timeout, file.name);
  const own = file.fields.timeout === undefined ? null : parseDuration(file.fields.timeout);
  return own ?? (context.mode === "hook" ? HOOK_LIMIT_MS : DEFAULT_TIMEOUT_MS);
}

type AgentSettings = TranslatedFrontMatter["settings"];

/**
 * A cassette of the file is found like its imports: from the file's folder, and in a project as it was
 * trusted, for a cassette can run commands. One of the command line is found from where that was typed.
 */
function locateCassette(
  { file, context }: MarkdownCall,
  isGivenHere: boolean,
  settings: AgentSettings,
): AgentSettings {
  const { cassette } = settings;
  if (typeof cassette !== "string") return settings;
  const { layerFolder, file: shown } = file;
  const home = context.env.get("HOME") ?? "/";
  const project = { root: dirname(layerFolder.shown), copyDir: dirname(layerFolder.real) };
  const approve = (path: string) => (layerFolder.isCopy ? trustFile(path, project) : path);
  const path = isGivenHere
    ? resolve(context.workingDirectory, cassette)
    : approve(locateFile(cassette, { folder: dirname(shown), home, layerFolder }));
  const isBundled = Object.hasOwn(BUNDLED_CASSETTES, cassette) && !existsSync(path);
  return isBundled ? settings : { ...settings, cassette: path };
}

const ownFieldsOf = ({ name }: AgentAdapter): readonly string[] => findAgent(name)?.ownFields ?? [];

/** What the size of the prompt is measured by. */
export const budgetOf = (
  { file }: MarkdownCall,
  { translated }: MarkdownPlan,
): { model: string | null; contextWindow: number | null } => ({
  model: typeof translated.settings.model === "string" ? translated.settings.model : null,
  contextWindow: file.fields.context_window ?? null,
});
