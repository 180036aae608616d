// A user's configuration of an agent → a frozen one that can be run, or all that is wrong with it.
import type { ConfigPlace } from "./adapter.ts";
import type { AgentCapabilities, PortableSetting } from "./capabilities.ts";
import { PORTABLE_SETTINGS } from "./capabilities.ts";
import type { ConfigSchema } from "./config-fields.ts";
import { findConfigIssues } from "./config-issues.ts";
import { findArgumentProblems } from "./extra-args.ts";
import { freezeDeep } from "./freeze.ts";
import { asList, asName, asRecord, asText, type JsonRecord } from "./json-fields.ts";
import { findModeProblem } from "./permission-mode.ts";
import { findPromptProblems } from "./prompt-file.ts";

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

export interface ConfigRules {
  readonly agent: string;
  readonly schema: ConfigSchema;
  readonly capabilities: AgentCapabilities;
  /** Why a setting is impossible, where there is more to say than that. */
  readonly reasons?: Readonly<Partial<Record<PortableSetting, string>>>;
}

/** Pure: every problem with its path, or a frozen configuration. */
export function checkAgentConfig(
  rules: ConfigRules,
  raw: unknown,
  place: ConfigPlace,
): ConfigCheck {
  const issues = findConfigIssues(rules.schema, raw);
  const given = asRecord(raw);
  // A field that is already wrong in itself is not looked at again.
  const wrong = new Set(issues.map(({ path }) => path.split(/[.[]/, 1)[0]));
  const sound = Object.fromEntries(Object.entries(given).filter(([key]) => !wrong.has(key)));
  const problems = [
    ...issues,
    ...findPromptProblems(given, place),
    ...findUnsupported(rules, given),
    ...findFormatProblem(rules, sound),
    ...findModeProblem(rules, sound, place),
    ...(place.areArgumentsChecked === true
      ? []
      : findArgumentProblems(rules.capabilities, asList(sound.extra_args))),
  ];
  if (problems.length > 0) return freezeDeep({ kind: "invalid", problems });
  return freezeDeep({ kind: "valid", config: composeConfig(rules, given, place) });
}

function composeConfig(
  { capabilities }: ConfigRules,
  given: JsonRecord,
  place: ConfigPlace,
): AgentConfig {
  const named = PORTABLE_SETTINGS.filter((name) => given[name] !== undefined);
  const kept = named.filter((name) => capabilities.settings[name] !== undefined);
  return {
    prompt: asText(given.prompt) ?? place.promptFileText ?? "",
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
  const known = capabilities.outputFormats.map((name) => `\`${name}\``).join(", ");
  return [{ path: "output_format", message: `must be one of ${known}` }];
}
