// The same scenarios for every agent CLI.
export const PROMPT = "Please do the scripted task.";

// Of a command that ends at once qwen 0.24.4 sometimes loses the output.
const printing = (word: string, value: string): string =>
  JSON.stringify(`printf '${word}-%s\\n' ${value}; sleep 0.3`);

export const ANSWER = `
turns: [{ thinking: Hm., text: A scripted answer. }]
expect:
  - requests: 1
  - { request: 1, user: "${PROMPT}" }
  - exit_code: 0
`;

export const SHELL_CALL = `
turns:
  - text: I will run a command.
    tool_calls: [{ tool: shell, command: ${printing("sum", "42")} }]
  - { when: { tool_result: sum-42 }, text: It says sum-42. }
expect:
  - requests: 2
  - { request: 1, user: "${PROMPT}" }
  - { request: 2, tool_result: sum-42 }
  - order: ["${PROMPT}", sum-42]
  - exit_code: 0
`;

export const FILE_CHANGES = `
turns:
  - tool_calls: [{ tool: write, path: notes.txt, content: "alpha\\nbeta\\n" }]
  - tool_calls: [{ tool: read, path: notes.txt }]
  - when: { tool_result: beta }
    tool_calls: [{ tool: edit, path: notes.txt, old: beta, new: gamma }]
  - text: Done.
expect:
  - requests: 4
  - { request: 3, tool_result: beta }
  - exit_code: 0
`;

export const TWO_TOOLS = `
turns:
  - tool_calls:
      - { tool: shell, command: ${printing("first", "1")} }
      - { tool: shell, command: ${printing("second", "2")} }
  - text: Both done.
expect:
  - requests: 2
  - { request: 2, tool_result: first-1 }
  - { request: 2, tool_result: second-2 }
  - exit_code: 0
`;

export const failingTool = (tellsExitCode: boolean): string => `
turns:
  - tool_calls: [{ tool: shell, command: "printf 'broken-%s\\\\n' 7; sleep 0.3; exit 3" }]
  - text: It failed.
expect:
  - requests: 2
  - { request: 2, tool_result: broken-7 }
  - request: ${tellsExitCode ? "2" : "none"}
    tool_result: { matches: "(?i:exit(ed)?( with)?( code)?):? ?3" }
  - exit_code: 0
`;

export const REFUSED_KEY = `
turns: [{ fault: { status: 401, times: forever } }]
expect:
  - requests: { at_least: 1 }
  - exit_code: nonzero
`;

export const failingOnce = (fault: string): string => `
turns: [{ fault: { ${fault} }, text: Here after all. }]
expect:
  - requests: 2
  - { request: every, user: "${PROMPT}" }
  - exit_code: 0
`;

export const STAYING_DOWN = `
turns: [{ fault: { status: 503, times: forever } }]
expect: [{ requests: { at_least: 2 } }]
`;

export const cutOnce = (isRetried: boolean): string => `
turns: [{ fault: { drop_after: 3 }, text: "This answer was cut and came again, whole." }]
expect:
  - requests: ${isRetried ? 2 : 1}
  - exit_code: ${isRetried ? 0 : "nonzero"}
`;

export const SILENCE = "turns: [{ fault: { hang: true, times: forever } }]";
