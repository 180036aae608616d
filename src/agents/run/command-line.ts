// A checked configuration becomes the agent's command line: portable settings are translated to its own
// flags, environment and files. Nothing is written or started here.
import { join } from "node:path";
import * as z from "zod/mini";
import { asRecord, freezeDeep } from "../../core/project/json-value.ts";
import { asList } from "../log/json-fields.ts";
import type {
  AgentCommand,
  AgentExecutionContext,
  AgentFile,
  ConfigContext,
  OutputFormat,
} from "./adapter.ts";
import {
  type AgentCapabilities,
  PORTABLE_SETTINGS,
  type PortableSetting,
  type Translation,
  type WrittenFlag,
  writeFlag,
} from "./capabilities.ts";
import { type ConfigCheck, type ConfigProblem, checkAgentConfig } from "./config.ts";
import { configSchema } from "./config-fields.ts";

export interface CommandWords {
  /** Words before the settings: the subcommand and what a headless run needs. */
  readonly lead: readonly string[];
  /** Words after everything else. */
  readonly tail?: readonly string[];
  readonly reportPath?: string;
}

interface CommandPlan extends CommandWords {
  readonly program: string;
  readonly capabilities: AgentCapabilities;
  /** Defaults of the adapter; the caller's environment wins. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Settings, further arguments and the prompt in the one order that all agents share. */
export function composeCommand(context: AgentExecutionContext, plan: CommandPlan): AgentCommand {
  const { config, logDir } = context;
  const { capabilities } = plan;
  const translated = translateSettings(capabilities, config.settings, logDir);
  const flags = translated.uses.flatMap((use) => writeFlag(capabilities.flags, use));
  return {
    executable: context.program ?? plan.program,
    args: [
      ...[...plan.lead, ...(context.withoutProject?.args ?? [])],
      ...[...(context.ownHooks?.args ?? []), ...flags],
      ...[...config.extraArgs, ...(plan.tail ?? [])],
    ],
    env: {
      ...{ ...plan.env, ...context.env, ...translated.env },
      ...{ ...context.withoutProject?.env, ...context.ownHooks?.env },
    },
    cwd: context.workspaceDir,
    ...(isPiped(context, capabilities) ? { stdin: config.prompt } : {}),
    timeout: context.timeout,
    files: [...translated.files, ...(context.ownHooks?.files ?? [])],
    reportPath: plan.reportPath ?? null,
    outputFormat: formatOf(config.outputFormat),
  };
}

const isPiped = (
  { isPromptInArguments = false }: AgentExecutionContext,
  { prompt }: AgentCapabilities,
): boolean => prompt === "stdin" && !isPromptInArguments;

const formatOf = (name: string): OutputFormat =>
  name === "text" || name === "default" ? "text" : "structured";

/** Above this a text goes by file where the agent takes one: arguments are limited and visible in `ps`. */
const MAX_ARGUMENT_TEXT = 4_000;

interface TranslatedSettings {
  readonly uses: readonly WrittenFlag[];
  readonly env: Readonly<Record<string, string>>;
  readonly files: readonly AgentFile[];
}

const NOTHING: TranslatedSettings = { uses: [], env: {}, files: [] };

/** Keeps the order of the list of settings, so that the same settings always give the same words. */
function translateSettings(
  capabilities: AgentCapabilities,
  settings: Readonly<Partial<Record<PortableSetting, unknown>>>,
  folder: string,
): TranslatedSettings {
  const parts = PORTABLE_SETTINGS.map((name) => {
    const translation = capabilities.settings[name];
    const value = settings[name];
    if (translation === undefined || value === undefined) return NOTHING;
    const extension = translation.to === "json-file" ? "json" : "md";
    const file = `${name.replaceAll("_", "-")}.${extension}`;
    return translateSetting(translation, value, join(folder, file));
  });
  return {
    uses: parts.flatMap(({ uses }) => uses),
    env: Object.assign({}, ...parts.map(({ env }) => env)),
    files: parts.flatMap(({ files }) => files),
  };
}

function translateSetting(to: Translation, value: unknown, path: string): TranslatedSettings {
  const text = writeValue(value);
  const file = { path, text };
  switch (to.to) {
    case "flag":
      return { ...NOTHING, uses: useFlag(to, value) };
    case "text":
      return to.fileFlag !== null && text.length > MAX_ARGUMENT_TEXT
        ? { ...NOTHING, uses: [{ flag: to.fileFlag, value: path }], files: [file] }
        : { ...NOTHING, uses: [{ flag: to.flag, value: text }] };
    case "config": {
      const written = `${to.key}=${writeToml(to.byFile ? path : value)}`;
      const uses = [{ flag: to.flag, value: written }];
      return { ...NOTHING, uses, files: to.byFile ? [file] : [] };
    }
    case "env":
      return {
        ...NOTHING,
        env: { [to.name]: to.byFile ? path : text },
        files: to.byFile ? [file] : [],
      };
    case "json-file":
      return { ...NOTHING, uses: [{ flag: to.flag, value: path }], files: [file] };
    case "modes":
      return { ...NOTHING, uses: to.modes[text]?.uses ?? [] };
    case "own":
      return NOTHING;
  }
}

function useFlag(to: Translation & { to: "flag" }, value: unknown): WrittenFlag[] {
  const values = Array.isArray(value) ? value.map(writeValue) : [writeValue(value)];
  const prefix = to.pathPrefix ?? "";
  return values.map((written) => ({
    flag: to.flag,
    value: /^\s*[{[]/.test(written) ? written : `${prefix}${written}`,
  }));
}

/** JSON, but for one character that TOML wants escaped. */
const writeToml = (value: unknown): string => JSON.stringify(value).replaceAll("\x7f", "\\u007f");

const writeValue = (value: unknown): string =>
  typeof value === "object" && value !== null ? JSON.stringify(value) : String(value);

// Agents that the user names by their `argv`: any program, or one that speaks a protocol.

/** The command line of an agent that the user names by its `argv`. */
export function buildProgramCommand(
  context: AgentExecutionContext,
  outputFormat: OutputFormat,
): AgentCommand {
  const [program = "", ...args] = asList(context.config.own.argv).map(String);
  return {
    executable: context.program || program,
    args: [...args, ...context.config.extraArgs],
    env: context.env,
    cwd: context.workspaceDir,
    ...(context.isPromptInArguments === true ? {} : { stdin: context.config.prompt }),
    timeout: context.timeout,
    files: [],
    reportPath: null,
    outputFormat,
  };
}

/** Only the program must have a name; an empty argument is an argument. */
const argvSchema = z
  .array(z.string("must be text"), "must be a list")
  .check(z.refine(([program]) => (program ?? "") !== "", "must name a program"));

/** The configuration of an agent that the user names by its `argv`: handed over as it is. */
export function checkProgramConfig(
  agent: string,
  capabilities: AgentCapabilities,
  raw: unknown,
  context: ConfigContext,
): ConfigCheck {
  const { argv, ...rest } = asRecord(raw);
  const check = checkAgentConfig({ agent, schema: configSchema(), capabilities }, rest, context);
  const problems = [...findArgvProblems(argv), ...(check.kind === "invalid" ? check.problems : [])];
  if (check.kind === "invalid" || problems.length > 0) return { kind: "invalid", problems };
  return freezeDeep({ kind: "valid", config: { ...check.config, own: { argv } } });
}

function findArgvProblems(argv: unknown): ConfigProblem[] {
  const checked = argvSchema.safeParse(argv);
  if (checked.success) return [];
  return checked.error.issues.map(({ path, message }) => ({
    path: path.length === 0 ? "argv" : `argv[${String(path[0])}]`,
    message: argv === undefined ? "must name a program" : message,
  }));
}
