// What every agent is put through, and how each run is brought to its end.

import type { Scenario } from "../../../src/sim/scenario.ts";
import { parseScenario } from "../../../src/sim/scenario.ts";
import { PROMPT } from "../scenarios.ts";

/** `cancel` (by us) and `kill` (by somebody else) come once the model was asked so many times. */
export type Stop =
  | { readonly by: "itself" }
  | { readonly by: "timeout" }
  | { readonly by: "cancel" | "kill"; readonly afterRequests: number };

/** A call that the model asks for, and what the command prints and exits with. */
export type ScriptedCall =
  | {
      readonly tool: "shell";
      readonly command: string;
      readonly prints: string;
      readonly code: number;
    }
  | { readonly tool: "write" };

export interface RunScenario {
  readonly name: string;
  readonly script: Scenario;
  readonly calls: readonly ScriptedCall[];
  /** What the model says, one turn after the other. */
  readonly says: readonly string[];
  readonly stop: Stop;
}

export const WRITTEN = { path: "notes.txt", content: "alpha" } as const;

// Of a command that ends at once qwen 0.24.4 sometimes loses the output.
const SUM = {
  tool: "shell",
  command: "printf sum-%s 42; sleep 0.3",
  prints: "sum-42",
  code: 0,
} as const;
const BROKEN = {
  tool: "shell",
  command: "printf broken-%s 7; sleep 0.3; exit 3",
  prints: "broken-7",
  code: 3,
} as const;
const WRITE = { tool: "write" } as const;

// Every figure is unlike the others, and the second turn's unlike the first's.
const USAGES = [
  "{ input_tokens: 1111, output_tokens: 222, cache_read_tokens: 333, cache_write_tokens: 44, reasoning_tokens: 55 }",
  "{ input_tokens: 2007, output_tokens: 103, cache_read_tokens: 611, cache_write_tokens: 29, reasoning_tokens: 17 }",
];

function answering(): RunScenario {
  const script = `
turns: [{ thinking: Hm., text: A scripted answer., usage: ${USAGES[0]} }]
expect: [{ requests: 1 }, { request: 1, user: "${PROMPT}" }]`;
  const stop = { by: "itself" } as const;
  return {
    name: "answer",
    script: parseScenario(script, "answer"),
    calls: [],
    says: ["A scripted answer."],
    stop,
  };
}

/** One turn that calls tools, one that ends it; what the tools printed must have reached the model. */
function calling(name: string, calls: readonly ScriptedCall[]): RunScenario {
  const written = calls.map((call) =>
    call.tool === "shell"
      ? `{ tool: shell, command: "${call.command}" }`
      : `{ tool: write, path: ${WRITTEN.path}, content: ${WRITTEN.content} }`,
  );
  const told = calls.flatMap((call) =>
    call.tool === "shell" ? [`{ request: 2, tool_result: ${call.prints} }`] : [],
  );
  const script = `
turns:
  - { text: I will see., tool_calls: [${written.join(", ")}], usage: ${USAGES[0]} }
  - { text: Seen., usage: ${USAGES[1]} }
expect: [${["{ requests: 2 }", `{ request: 1, user: "${PROMPT}" }`, ...told].join(", ")}]`;
  const says = ["I will see.", "Seen."];
  return { name, script: parseScenario(script, name), calls, says, stop: { by: "itself" } };
}

/** The model fails for ever. A stream that is cut flows slowly, so that all of it is read before. */
function failing(name: string, fault: string, stop: Stop = { by: "itself" }): RunScenario {
  const script = `
turns: [{ text: This is cut., fault: { ${fault}, times: forever }, delay: 100ms }]
expect: [{ request: 1, user: "${PROMPT}" }]`;
  return { name, script: parseScenario(script, name), calls: [], says: [], stop };
}

export const SCENARIOS: readonly RunScenario[] = [
  answering(),
  calling("shell call", [SUM]),
  calling("file write", [WRITE]),
  calling("two tools", [SUM, WRITE]),
  calling("failing tool", [BROKEN]),
  failing("401", "status: 401"),
  failing("429", "status: 429, retry_after: 1s"),
  failing("503", "status: 503"),
  failing("529", "status: 529"),
  failing("dropped stream", "drop_after: 3"),
  failing("hang, cancelled", "hang: true", { by: "cancel", afterRequests: 1 }),
  failing("hang, killed", "hang: true", { by: "kill", afterRequests: 1 }),
  failing("hang, timed out", "hang: true", { by: "timeout" }),
];
