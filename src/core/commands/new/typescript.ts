import type { Scaffold } from "../bundled.ts";

export const typescriptScaffold: Scaffold = {
  template: (description) => `import { defineCommand, ok, z } from "adjutant";

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
`,
  tryLine: (name) => `adj ${name}`,
};
