// The first text of a new command.
import type { Plan } from "./plan.ts";

export function typescriptTemplate({ description }: Plan): string {
  return `import { defineCommand, ok, z } from "adjutant";

export default defineCommand({
  description: ${JSON.stringify(description)},
  // What it does to the session ("read", "write") and to the world ("read_only", "mutating", "destructive").
  effect: "read",
  safety: "read_only",
  args: z.object({
    name: z.string().default("world").meta({ positional: 0, description: "whom to greet" }),
    loud: z.boolean().default(false).meta({ short: "l", description: "in capitals" }),
  }),
  run: ({ name, loud }) => {
    const greeting = \`hello \${name}\`;
    return ok(loud ? greeting.toUpperCase() : greeting, { name });
  },
});
`;
}

export function markdownTemplate({ description }: Plan): string {
  return `---
description: ${JSON.stringify(description)}
inputs:
  focus: { description: what to look at, default: everything }
---
Review this change. Focus: {{ focus }}.

!\`git diff --staged\`
`;
}

/** Editors read it; `adj` does not. The first place that exists counts. */
export function editorConfig(typePlaces: readonly string[]): string {
  const config = {
    compilerOptions: {
      target: "ES2024",
      module: "preserve",
      strict: true,
      noEmit: true,
      erasableSyntaxOnly: true,
      allowImportingTsExtensions: true,
      skipLibCheck: true,
      paths: { adjutant: typePlaces },
    },
    include: ["commands"],
  };
  return `${JSON.stringify(config, null, 2)}\n`;
}
