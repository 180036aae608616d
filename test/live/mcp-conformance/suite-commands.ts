// The tools, prompts and resources that the suite expects, as commands of ours and as calls that were kept. Its names have
// underscores and addresses of its own; `suite-proxy.ts` translates them and nothing else.
import type { SessionHome } from "../../program/session-home.ts";

const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const WAV = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=";
const ZIP = "UEsFBgAAAAAAAAAAAAAAAAAAAAAAAA==";

const COMMANDS = `
test-simple-text: { description: Say a text, argv: [echo, This is a simple text response for testing.], safety: read_only }
test-error-handling: { description: Fail, shell: sh, command: "echo This tool intentionally returns an error for testing >&2; exit 1" }
test-image-content: { description: Print an image, shell: sh, command: "echo ${PNG} | base64 -d", safety: read_only }
test-audio-content: { description: Print a sound, shell: sh, command: "echo ${WAV} | base64 -d", safety: read_only }
test-embedded-resource: { description: Print an archive, shell: sh, command: "echo ${ZIP} | base64 -d", safety: read_only }
test-reconnection: { description: Say a text, argv: [echo, Reconnected.], safety: read_only }
`;

// Between its steps it waits until the one before was told of: the client hears each of them.
const makeStepping = (
  steps: readonly (number | string)[],
) => `import { setTimeout as pause } from "node:timers/promises";
import { defineCommand, ok } from "adjutant";
export default defineCommand({
  description: "Tell of each step",
  run: async (_, context) => {
    for (const step of ${JSON.stringify(steps)}) {
      context.progress(step);
      await pause(500);
    }
    return ok("done");
  },
});
`;

const ELICITATION = `import { defineCommand, ok, z } from "adjutant";
export default defineCommand({
  description: "Ask for what is missing",
  args: z.object({ message: z.string(), username: z.string(), email: z.string() }),
  run: ({ username, email }) => ok("User response: " + username + " " + email),
});
`;

const DEFAULTS = `import { defineCommand, ok, z } from "adjutant";
export default defineCommand({
  description: "Ask for what is missing, with what would be taken",
  args: z.object({
    name: z.string().meta({ default: "John Doe" }),
    age: z.int().default(30),
    score: z.number().default(95.5),
    status: z.enum(["active", "inactive", "pending"]).default("active"),
    verified: z.boolean().default(true),
  }),
  run: (args) => ok("Elicitation completed: " + JSON.stringify(args)),
});
`;

const JSON_SCHEMA = `import { defineCommand, ok, z } from "adjutant";
const address = z.object({ street: z.string(), city: z.string() }).meta({ id: "address" });
export default defineCommand({
  description: "Tool with JSON Schema 2020-12 features",
  args: z.strictObject({ name: z.string().optional(), address: address.optional() }),
  run: ({ name }) => ok(String(name)),
});
`;

const SIMPLE_PROMPT = `---
description: A simple prompt
agent: replay
---
This is a simple prompt for testing.
`;

const PROMPT_WITH_ARGUMENTS = `---
description: A prompt with arguments
agent: replay
inputs:
  first:
    description: the first
  second:
    description: the second
---
Prompt with arguments: arg1='{{ first }}', arg2='{{ second }}'
`;

/**
 * Words of the suite, and ours that stand for them: its addresses, and the arguments of its prompt, whose names have a meaning
 * in every Markdown command.
 */
export const TRANSLATED: Readonly<Record<string, string>> = {
  arg1: "first",
  arg2: "second",
  "test://static-text": "adj://calls/c000000000001/output",
  "test://static-binary": "adj://calls/c000000000002/output",
  "test://template/123/data": "adj://calls/c000000000123/output",
};

const keptCall = (id: string, output: string, media?: object): string =>
  JSON.stringify({
    ...{ id, name: "x", status: "done", question: null, progress: null, steps: 0 },
    outcome: {
      ...{ kind: "ok", exitCode: 0, output, media },
      ...{ errorOutput: "", metadata: null, error: null },
    },
  });

export function writeSuiteCommands(home: SessionHome): void {
  home.write({
    "config/commands.yaml": COMMANDS,
    "config/commands/test-tool-with-progress.ts": makeStepping([0, 0.5, 1]),
    "config/commands/test-tool-with-logging.ts": makeStepping(["started", "works", "completed"]),
    "config/commands/test-elicitation-sep1034-defaults.ts": DEFAULTS,
    "config/commands/test-elicitation.ts": ELICITATION,
    "config/commands/json-schema-2020-12-tool.ts": JSON_SCHEMA,
    "config/commands/test-simple-prompt.md": SIMPLE_PROMPT,
    "config/commands/test-prompt-with-arguments.md": PROMPT_WITH_ARGUMENTS,
    "state/calls/c000000000001.json": keptCall("c000000000001", "This is static."),
    "state/calls/c000000000002.json": keptCall("c000000000002", "", {
      ...{ mimeType: "image/png", data: PNG },
    }),
    "state/calls/c000000000123.json": keptCall("c000000000123", '{"id":"123"}'),
  });
}
