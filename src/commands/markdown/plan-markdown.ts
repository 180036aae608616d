// Everything about a run but its prompt: the agent, its flags, the inputs. Found wrong here, nothing has
// been started yet.
import { dirname, resolve } from "node:path";
import type { AgentAdapter } from "../../agents/adapter.ts";
import { DEFAULT_TIMEOUT_MS } from "../../agents/run-agent.ts";
import { parseDuration } from "../../command/duration.ts";
import { Fault, fault } from "../../command/fault.ts";
import { misuse } from "../../command/misuse.ts";
import { listArguments } from "../../command/schema-arguments.ts";
import type { AgentSource } from "../../markdown/decide-agent.ts";
import type { FrontMatter } from "../../markdown/front-matter-value.ts";
import {
  type TranslatedFrontMatter,
  translateFrontMatter,
} from "../../markdown/translate-front-matter.ts";
import { type LocatedAgent, locateAgent } from "../agent/locate-agent.ts";
import { depthOf } from "../agent/perform-run.ts";
import { readTimeout } from "../agent/run-timeout.ts";
import { chooseAgent } from "./choose-agent.ts";
import { withChosenModel } from "./chosen-model.ts";
import { flagFault, settingFault } from "./flag-fault.ts";
import { type GatheredInputs, gatherInputs } from "./gather-inputs.ts";
import { locateCassette } from "./locate-cassette.ts";
import type { CallSettings, MarkdownCall } from "./markdown-call.ts";
import { readFlags } from "./read-flags.ts";
import { readCallSettings } from "./read-settings.ts";
import { type SortedWords, sortWords } from "./sort-words.ts";

export interface MarkdownPlan {
  readonly adapter: AgentAdapter;
  readonly source: AgentSource;
  readonly located: LocatedAgent;
  /** Why the agent could not be run; null where it could. */
  readonly problem: string | null;
  readonly executable: string;
  readonly translated: TranslatedFrontMatter;
  readonly settings: CallSettings;
  readonly inputs: GatheredInputs;
  readonly words: SortedWords;
  /** Absolute. */
  readonly cwd: string;
  readonly timeout: number;
}

/** Agents that Adjutant started, one inside the other; a command beyond is refused. */
const DEEPEST = 3;
const HOOK_LIMIT_MS = 30_000;

export async function planMarkdown(call: MarkdownCall): Promise<MarkdownPlan> {
  const { file, common, context } = call;
  if (depthOf(context.env.forChild()) > DEEPEST)
    throw fault(
      "TooDeep",
      { name: file.name, limit: DEEPEST },
      { hint: "`ADJ_DEPTH` counts them" },
    );
  const settings = await readCallSettings(call.program);
  const { adapter, source } = await chooseAgent(call, settings);
  const { located, problem } = await locate(call, adapter);
  const words = sortWords(file, call.given, common.words);
  const executable = executableOf(adapter, file.frontMatter);
  const flags = readFlags(file.name, common, {
    environmentModel: context.env.get("ADJ_MODEL") ?? null,
    ownKeys: (adapter.ownFields ?? []).map((field) => field.replaceAll("_", "-")),
  });
  const agent = { adapter, located, executable };
  const translated = await translate(call, { ...agent, settings, words, flags });
  refuseWords(call, adapter, { words, translated });
  return {
    ...agent,
    source,
    problem,
    translated,
    settings,
    inputs: await gatherInputs(call),
    words,
    cwd: resolve(dirname(file.file), file.fields.cwd ?? context.workingDirectory),
    timeout: decideTimeout(call),
  };
}

/** An explanation also has something to say about an agent that is not there. */
async function locate(call: MarkdownCall, adapter: AgentAdapter) {
  try {
    return { located: await locateAgent(adapter, call.context, call.program), problem: null };
  } catch (error) {
    if (!call.isExplained || !(error instanceof Fault)) throw error;
    return { located: { agentVersion: null }, problem: error.message };
  }
}

/** Under which its defaults stand: the program's name, or the first word of `argv`. */
function executableOf({ program, name }: AgentAdapter, { argv }: FrontMatter): string {
  const [first] = Array.isArray(argv) ? argv : [];
  return program ?? (typeof first === "string" ? first : name);
}

interface Terms {
  readonly adapter: AgentAdapter;
  readonly located: LocatedAgent;
  readonly executable: string;
  readonly settings: CallSettings;
  readonly words: SortedWords;
  readonly flags: FrontMatter;
}

async function translate(call: MarkdownCall, terms: Terms): Promise<TranslatedFrontMatter> {
  const { file, common } = call;
  const { adapter, located, executable, words, flags } = terms;
  const version = located.agentVersion;
  const capabilities = adapter.capabilities(version);
  const { name, ownFields = [] } = adapter;
  const translation = translateFrontMatter({
    agent: { name, version, executable, capabilities, ownFields },
    config: { commands: await withChosenModel(call, terms) },
    frontMatter: file.frontMatter,
    flags,
    templateVars: file.templateVars,
    positions: Math.max(1, ...words.left.map(({ position }) => position)),
    forceFlags: common.forceFlags,
    commandFlags: listArguments(file.summary.schema ?? {}).map(({ flag }) => `--${flag}`),
  });
  if (translation.kind === "translated")
    return checkSettings(call, terms, {
      ...translation,
      settings: locateCassette(call, flags, translation.settings),
    });
  const [first] = translation.problems;
  if (first === undefined) throw new TypeError("a refusal has at least one problem");
  throw flagFault(file, first, executable);
}

/** The adapter's own check, before anything is run for the prompt; the prompt is checked when it is there. */
function checkSettings(
  { file, context }: MarkdownCall,
  { adapter, located, flags }: Terms,
  translated: TranslatedFrontMatter,
): TranslatedFrontMatter {
  const check = adapter.checkConfig(
    { ...translated.settings, prompt: "…" },
    {
      agentVersion: located.agentVersion,
      isRoot: process.getuid?.() === 0,
      env: context.env.forChild(),
    },
  );
  if (check.kind === "valid") return translated;
  const [first] = check.problems;
  if (first === undefined) throw new TypeError("a refusal has at least one problem");
  throw settingFault(file, first, flags);
}

function refuseWords(
  { file, isExplained }: MarkdownCall,
  adapter: AgentAdapter,
  { words, translated }: Pick<MarkdownPlan, "words" | "translated">,
): void {
  const complain = (problem: string) => misuse(file.name, problem);
  const [missing] = words.missing;
  if (missing !== undefined && !isExplained)
    throw complain(`its text uses \`${missing}\`, and ${countWords(words.words.length)} given`);
  const takesWords = adapter.capabilities(null).takesWords === true;
  const isMapped = (position: number) => typeof translated.mappings.get(position) === "string";
  const extra = words.left.find(({ position }) => !isMapped(position) && !takesWords);
  if (extra !== undefined)
    throw complain(
      `word ${extra.position - 1} is one too many: \`${adapter.name}\` takes none besides the prompt`,
    );
}

const countWords = (count: number): string =>
  count === 0 ? "no word was" : count === 1 ? "one word was" : `${count} words were`;

function decideTimeout({ file, common, context }: MarkdownCall): number {
  if (common.timeout !== undefined) return readTimeout(common.timeout, file.name);
  const own = file.fields.timeout === undefined ? null : parseDuration(file.fields.timeout);
  return own ?? (context.mode === "hook" ? HOOK_LIMIT_MS : DEFAULT_TIMEOUT_MS);
}
