import { requireAgent } from "../../../src/agents/roster.ts";
import { buildCommandBase } from "../../../src/markdown/builder.ts";
import type { FrontMatter } from "../../../src/markdown/front-matter-value.ts";
import { translateFrontMatter } from "../../../src/markdown/translate-front-matter.ts";
import type { SimAgent } from "../../../src/sim/sim-agent.ts";
import { pinnedVersion } from "../lab.ts";

/** The way of a Markdown command: what the adapter translates, and what the builder writes. */
export function configOfFrontMatter(
  name: SimAgent,
  frontMatter: FrontMatter,
  templateVars: ReadonlySet<string> = new Set(),
): Record<string, unknown> {
  const adapter = requireAgent(name);
  const version = pinnedVersion(name);
  const executable = adapter.program ?? name;
  const capabilities = adapter.capabilities(version);
  const translation = translateFrontMatter({
    agent: { name, version, executable, capabilities, ownFields: [] },
    config: {},
    frontMatter,
    flags: {},
    templateVars,
    positions: 1,
    forceFlags: false,
    commandFlags: [],
  });
  if (translation.kind === "refused")
    throw new Error(translation.problems.map(({ message }) => message).join("; "));
  const { frontMatter: plain, config, settings } = translation;
  const { args } = buildCommandBase(executable, plain, templateVars, config, "/");
  return { ...settings, extra_args: args };
}
