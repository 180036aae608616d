// The commands that come with the program, as the lowest layer.
import { layerOf } from "../command/registry.ts";
import type { Program } from "../commands/program.ts";
import { loadBundled } from "../commands/roster.ts";
import { commandWith } from "../load/command-with.ts";
import type { Bundled } from "../load/layers.ts";
import { summarizeBundled } from "./bundled-summaries.ts";

/** One command is loaded when it is dispatched, the others never. */
export async function bundleCommands(program: () => Program): Promise<Bundled> {
  const summaries = await summarizeBundled();
  const entries = summaries.map((summary) => ({
    kind: "command" as const,
    name: summary.name,
    file: `bundled:${summary.name}`,
    summary,
  }));
  return {
    layer: layerOf("bundled", entries),
    load: async ({ name, summary }) => commandWith((await loadBundled(name))(program), summary),
    markdown: {
      runMarkdown: async (file, args, context) => {
        const { runMarkdown } = await import("../commands/markdown/run-markdown.ts");
        return runMarkdown(file, args, { context, program: program() });
      },
      explainMarkdown: async (file, args, context) => {
        const { explainMarkdown } = await import("../commands/markdown/explain-markdown.ts");
        return explainMarkdown(file, args, { context, program: program() });
      },
    },
  };
}
