import { requireAgent } from "../../src/agents/roster.ts";
import { buildCommandBase } from "../../src/markdown/builder.ts";
import {
  type FrontMatterTranslation,
  type TranslationRequest,
  translateFrontMatter,
} from "../../src/markdown/translate-front-matter.ts";

const VERSIONS: Readonly<Record<string, string>> = { "claude-code": "2.1.325", qwen: "0.24.4" };

export function ask(
  agent: string,
  frontMatter: Record<string, unknown>,
  more: Partial<TranslationRequest> = {},
): FrontMatterTranslation {
  const adapter = requireAgent(agent);
  const version = VERSIONS[agent] ?? null;
  return translateFrontMatter({
    agent: {
      name: agent,
      version,
      executable: adapter.program ?? agent,
      capabilities: adapter.capabilities(version),
      ownFields: adapter.ownFields ?? [],
    },
    config: {},
    frontMatter,
    flags: {},
    templateVars: new Set(),
    positions: 1,
    forceFlags: false,
    commandFlags: [],
    ...more,
  });
}

/** The words that the builder writes, and the settings that are left to the adapter. */
export function translate(...given: Parameters<typeof ask>) {
  const translation = ask(...given);
  if (translation.kind === "refused")
    throw new Error(translation.problems.map(({ message }) => message).join("; "));
  const { frontMatter, config, settings, unsetEnv } = translation;
  const command = requireAgent(given[0]).program ?? given[0];
  const templateVars = given[2]?.templateVars ?? new Set();
  const { args, env } = buildCommandBase(command, frontMatter, templateVars, config, "/w");
  return { args, env, settings, unsetEnv };
}

export function refuse(...given: Parameters<typeof ask>) {
  const translation = ask(...given);
  if (translation.kind === "translated") throw new Error("it was accepted");
  return translation.problems;
}
