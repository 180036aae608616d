// A user's configuration of an agent becomes a frozen one that can be run, or all that is wrong with it.
import { readFile, realpath, stat } from "node:fs/promises";
import { isAbsolute, join, normalize, relative } from "node:path";
import type { $ZodIssue } from "zod/v4/core";
import { didYouMean, quoteNames } from "../../core/command/names.ts";
import { describeFileError } from "../../core/project/files.ts";
import { asRecord, freezeDeep, type JsonRecord } from "../../core/project/json-value.ts";
import { nameOfType } from "../../core/project/schema-problem.ts";
import { asList, asName, asText } from "../log/json-fields.ts";
import type { ConfigContext } from "./adapter.ts";
import {
  type AgentCapabilities,
  type FlagCapability,
  findFlag,
  type PermissionModeFlags,
  PORTABLE_SETTINGS,
  type PortableSetting,
} from "./capabilities.ts";
import { type ConfigSchema, MAX_PROMPT_LENGTH } from "./config-fields.ts";

export interface ConfigProblem {
  /** `allowed_tools[2]`, or empty for the whole. */
  readonly path: string;
  readonly message: string;
}

export interface AgentConfig {
  readonly prompt: string;
  /** Portable settings by name, checked; a setting that was dropped is not among them. */
  readonly settings: Readonly<Partial<Record<PortableSetting, unknown>>>;
  readonly extraArgs: readonly string[];
  /** Fields that only this agent has, checked by its adapter. */
  readonly own: Readonly<Record<string, unknown>>;
  readonly outputFormat: string;
  /** Settings this agent has no control for, left out at the user's word. */
  readonly dropped: readonly string[];
}

export type ConfigCheck =
  | { readonly kind: "valid"; readonly config: AgentConfig }
  | { readonly kind: "invalid"; readonly problems: readonly ConfigProblem[] };

interface ConfigRules {
  readonly agent: string;
  readonly schema: ConfigSchema;
  readonly capabilities: AgentCapabilities;
  /** Why a setting is impossible, where there is more to say than that. */
  readonly reasons?: Readonly<Partial<Record<PortableSetting, string>>>;
}

/** Every problem with its path, or a frozen configuration. Reads no files and asks no clock. */
export function checkAgentConfig(
  rules: ConfigRules,
  raw: unknown,
  context: ConfigContext,
): ConfigCheck {
  const issues = findConfigIssues(rules.schema, raw);
  const given = asRecord(raw);
  // A field that is already wrong in itself is not looked at again.
  const wrong = new Set(issues.map(({ path }) => path.split(/[.[]/, 1)[0]));
  const sound = Object.fromEntries(Object.entries(given).filter(([key]) => !wrong.has(key)));
  const problems = [
    ...issues,
    ...findPromptProblems(given, context),
    ...findUnsupported(rules, given),
    ...findFormatProblem(rules, sound),
    ...findChoiceProblems(rules, sound),
    ...findModeProblem(rules, sound, context),
    ...(context.areArgumentsChecked === true
      ? []
      : findArgumentProblems(rules.capabilities, asList(sound.extra_args))),
  ];
  if (problems.length > 0) return freezeDeep({ kind: "invalid", problems });
  return freezeDeep({ kind: "valid", config: composeConfig(rules, given, context) });
}

function composeConfig(
  { capabilities }: ConfigRules,
  given: JsonRecord,
  context: ConfigContext,
): AgentConfig {
  const named = PORTABLE_SETTINGS.filter((name) => given[name] !== undefined);
  const kept = named.filter((name) => capabilities.settings[name] !== undefined);
  return {
    prompt: asText(given.prompt) ?? context.promptFileText ?? "",
    settings: Object.fromEntries(kept.map((name) => [name, structuredClone(given[name])])),
    extraArgs: asList(given.extra_args).map(String),
    own: {},
    outputFormat: asName(given.output_format) ?? capabilities.outputFormats[0] ?? "text",
    dropped: named.filter((name) => capabilities.settings[name] === undefined),
  };
}

function findUnsupported(rules: ConfigRules, given: JsonRecord): ConfigProblem[] {
  if (given.allow_unsupported === true) return [];
  return PORTABLE_SETTINGS.filter(
    (name) => given[name] !== undefined && rules.capabilities.settings[name] === undefined,
  ).map((name) => {
    const why = rules.reasons?.[name] ?? `\`${rules.agent}\` has no control for it`;
    const message = `${why}; remove it, or set \`allow_unsupported: true\` to run without it`;
    return { path: name, message };
  });
}

function findFormatProblem({ capabilities }: ConfigRules, sound: JsonRecord): ConfigProblem[] {
  const format = asName(sound.output_format);
  if (format === null || capabilities.outputFormats.includes(format)) return [];
  const known = quoteNames(capabilities.outputFormats);
  return [{ path: "output_format", message: `must be one of ${known}` }];
}

/** A setting that becomes a flag with a closed list of values has that list too. */
function findChoiceProblems({ capabilities }: ConfigRules, sound: JsonRecord): ConfigProblem[] {
  return PORTABLE_SETTINGS.flatMap((name): ConfigProblem[] => {
    const to = capabilities.settings[name];
    const choices = to?.to === "flag" ? findFlag(capabilities.flags, to.flag)?.choices : undefined;
    const value = sound[name];
    if (choices === undefined || value === undefined || choices.includes(String(value))) return [];
    const known = quoteNames(choices);
    return [{ path: name, message: `must be one of ${known}` }];
  });
}

/** Everything the schema finds wrong, each with its path. */
function findConfigIssues(schema: ConfigSchema, raw: unknown): ConfigProblem[] {
  const checked = schema.safeParse(raw);
  if (checked.success) return [];
  return checked.error.issues.flatMap((issue) => describeIssue(issue, Object.keys(schema.shape)));
}

function describeIssue(issue: $ZodIssue, known: readonly string[]): ConfigProblem[] {
  const path = formatPath(issue.path);
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) => ({ path: key, message: describeUnknown(key, known) }));
  if (issue.code === "invalid_type" && !issue.message.startsWith("must"))
    return [{ path, message: `must be ${nameOfType(issue.expected)}` }];
  return [{ path, message: issue.message }];
}

const describeUnknown = (key: string, known: readonly string[]): string =>
  `unknown key${didYouMean(key, known, 1)}`;

const formatPath = (path: readonly PropertyKey[]): string =>
  path
    .map((step) => (typeof step === "number" ? `[${step}]` : `.${String(step)}`))
    .join("")
    .replace(/^\./, "");

const modesOf = ({ settings }: AgentCapabilities): Readonly<Record<string, PermissionModeFlags>> =>
  settings.permission_mode?.to === "modes" ? settings.permission_mode.modes : {};

/** A mode this agent does not know, or one that it refuses here. */
function findModeProblem(
  { agent, capabilities }: ConfigRules,
  sound: JsonRecord,
  context: ConfigContext,
): ConfigProblem[] {
  const name = asName(sound.permission_mode);
  if (name === null || capabilities.settings.permission_mode === undefined) return [];
  const modes = modesOf(capabilities);
  const mode = Object.hasOwn(modes, name) ? modes[name] : undefined;
  const path = "permission_mode";
  if (mode === undefined) {
    return [{ path, message: `must be one of ${quoteNames(Object.keys(modes))}` }];
  }
  const variable = mode.refusedForRootWithout;
  if (variable === undefined || !context.isRoot || context.env[variable] === "1") return [];
  const message = `\`${agent}\` refuses \`${name}\` for root; run it as another user, or set \`${variable}=1\` inside a sandbox`;
  return [{ path, message }];
}

/** Further arguments must be flags that this agent has, written as it wants them, and not the adapter's. */
function findArgumentProblems(
  capabilities: AgentCapabilities,
  args: readonly unknown[],
): ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  for (let at = 0; at < args.length; at++) {
    const written = String(args[at]);
    const flag = findFlag(capabilities.flags, written);
    const message = findFlagProblem(capabilities, written, flag);
    if (message !== null) problems.push({ path: `extra_args[${at}]`, message });
    const value = flag === undefined ? undefined : readValue(flag, written, args[at + 1]);
    if (value === "missing")
      problems.push({ path: `extra_args[${at}]`, message: `\`${written}\` needs a value` });
    if (value === "next") at += 1;
  }
  return problems;
}

function findFlagProblem(
  { flags, ownFlags }: AgentCapabilities,
  written: string,
  flag: FlagCapability | undefined,
): string | null {
  if (!written.startsWith("-")) return `\`${written}\` is not a flag`;
  if (flag === undefined) {
    const names = flags.map(({ name }) => name);
    return `unknown flag \`${written}\`${didYouMean(written, names, 1)}`;
  }
  return ownFlags.includes(flag.name) ? `\`${flag.name}\` is set by Adjutant` : null;
}

/** Where a flag's value stands: in the same word, in the next one, or nowhere. */
function readValue(
  flag: FlagCapability,
  written: string,
  next: unknown,
): "none" | "next" | "missing" {
  if (flag.takes === "nothing" || (written.startsWith("--") && written.includes("=")))
    return "none";
  const hasNext = next !== undefined && !String(next).startsWith("-");
  if (hasNext) return "next";
  return flag.takes === "optional" ? "none" : "missing";
}

/** A character has at most four bytes. */
const MAX_PROMPT_BYTES = 4 * MAX_PROMPT_LENGTH;
const EXACTLY_ONE = "Exactly one of prompt or prompt_file must be provided";

/** What is wrong with the prompt fields, the file's text included where it has been read. */
function findPromptProblems(given: JsonRecord, context: ConfigContext): ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  if ((given.prompt === undefined) === (given.prompt_file === undefined))
    problems.push({ path: "prompt", message: EXACTLY_ONE });
  if (typeof given.prompt_file === "string" && leadsOut(given.prompt_file))
    problems.push({ path: "prompt_file", message: "must be a relative path inside the workspace" });
  if (typeof given.prompt === "string" && !isPromptSize(given.prompt, context))
    problems.push({ path: "prompt", message: "must have 1 to 1,000,000 characters" });
  const text = context.promptFileText;
  if (given.prompt_file !== undefined && typeof text === "string" && !isPromptSize(text, context))
    problems.push({ path: "prompt_file", message: "must hold 1 to 1,000,000 characters" });
  return problems;
}

const isPromptSize = ({ length }: string, { isPromptBounded = true }: ConfigContext): boolean =>
  length >= 1 && (length <= MAX_PROMPT_LENGTH || !isPromptBounded);

const leadsOut = (path: string): boolean =>
  isAbsolute(path) || /^\.\.(?:\/|$)/.test(normalize(path));

type PromptFile =
  | { readonly kind: "read"; readonly text: string }
  | { readonly kind: "refused"; readonly problem: ConfigProblem };

/** Reads a prompt file of the workspace; links are resolved before it is asked where the file is. */
export async function readPromptFile(workspaceDir: string, path: string): Promise<PromptFile> {
  const refuse = (message: string): PromptFile => ({
    kind: "refused",
    problem: { path: "prompt_file", message },
  });
  if (leadsOut(path)) return refuse("must be a relative path inside the workspace");
  try {
    const root = await realpath(workspaceDir);
    const target = await realpath(join(root, path));
    if (leadsOut(relative(root, target))) return refuse("leads out of the workspace");
    const found = await stat(target);
    if (!found.isFile()) return refuse(`\`${path}\` is not a file`);
    if (found.size > MAX_PROMPT_BYTES) return refuse("must hold 1 to 1,000,000 characters");
    return { kind: "read", text: await readFile(target, "utf8") };
  } catch (error) {
    return refuse(`\`${path}\` cannot be read: ${describeFileError(error)}`);
  }
}
