import type { Feature } from "../core/commands/bundled.ts";
import { MARKDOWN_ENDINGS, readMarkdownName } from "./file/named-agent.ts";

export const markdownFeature: Feature = {
  name: "markdown",
  commands: {
    import: () => import("./commands/import.ts"),
    sync: () => import("./commands/sync.ts"),
  },
  loaders: (program) => [
    {
      extensions: [".md"],
      endings: MARKDOWN_ENDINGS,
      nameOf: (fileName) => readMarkdownName(fileName).name,
      // The front matter is YAML, which is loaded with the first Markdown file.
      load: async (file, known) =>
        (await import("./load-command.ts")).loadMarkdownCommand(file, known, program),
    },
  ],
  scaffolds: { md: async () => (await import("./scaffold.ts")).markdownScaffold },
};
