import type { FrontMatter } from "../../../src/core/project/front-matter.ts";
import { translateFrontMatter } from "../../../src/markdown/argv/translate.ts";
import { adapterOf } from "../../support/agents.ts";
import { type LabAgent, pinnedVersion } from "../lab.ts";

/** The way of a Markdown command: what the adapter translates, and the words beside it. */
export function configOfFrontMatter(
  name: LabAgent,
  frontMatter: FrontMatter,
  templateVars: ReadonlySet<string> = new Set(),
): Record<string, unknown> {
  const adapter = adapterOf(name);
  const version = pinnedVersion(name);
  const capabilities = adapter.capabilities(version);
  const translation = translateFrontMatter({
    agent: { name, version, capabilities, ownFields: [] },
    layers: { settings: {}, file: frontMatter, flags: {} },
    templateVars,
    positions: 1,
    forceFlags: false,
    commandFlags: [],
  });
  if (translation.kind === "refused")
    throw new Error(translation.problems.map(({ message }) => message).join("; "));
  return { ...translation.settings, extra_args: translation.args };
}
