import { findAgent } from "../../../src/agents/roster.ts";
import {
  type FrontMatterTranslation,
  type TranslationRequest,
  translateFrontMatter,
} from "../../../src/markdown/argv/translate.ts";
import { adapterOf } from "../../support/agents.ts";

const VERSIONS: Readonly<Record<string, string>> = { "claude-code": "2.1.325", qwen: "0.24.4" };

interface More extends Partial<TranslationRequest> {
  /** Of the command line. */
  readonly flags?: Record<string, unknown>;
  /** Of the settings. */
  readonly defaults?: Record<string, unknown>;
}

export function ask(
  agent: string,
  file: Record<string, unknown>,
  { flags = {}, defaults = {}, ...more }: More = {},
): FrontMatterTranslation {
  const adapter = adapterOf(agent);
  const version = VERSIONS[agent] ?? null;
  return translateFrontMatter({
    agent: {
      name: agent,
      version,
      capabilities: adapter.capabilities(version),
      ownFields: findAgent(adapter.name)?.ownFields ?? [],
    },
    layers: { settings: defaults, file, flags },
    templateVars: new Set(),
    positions: 1,
    forceFlags: false,
    commandFlags: [],
    ...more,
  });
}

/** The words of the command line, and the settings that are left to the adapter. */
export function translate(...given: Parameters<typeof ask>) {
  const translation = ask(...given);
  if (translation.kind === "refused")
    throw new Error(translation.problems.map(({ message }) => message).join("; "));
  const { args, env, settings, unsetEnv } = translation;
  return { args, env, settings, unsetEnv };
}

export function refuse(...given: Parameters<typeof ask>) {
  const translation = ask(...given);
  if (translation.kind === "translated") throw new Error("it was accepted");
  return translation.problems;
}
