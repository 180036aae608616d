// What a CLI is asked of directly, without its adapter: that it and the scripted model get along.
export const PROMPT = "Please do the scripted task.";

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

export const failingOnce = (fault: string): string => `
turns: [{ fault: { ${fault} }, text: Here after all. }]
expect:
  - requests: 2
  - { request: every, user: "${PROMPT}" }
  - exit_code: 0
`;

export const cutOnce = (isRetried: boolean): string => `
turns: [{ fault: { drop_after: 3 }, text: "This answer was cut and came again, whole." }]
expect:
  - requests: ${isRetried ? 2 : 1}
  - exit_code: ${isRetried ? 0 : "nonzero"}
`;

export const REFUSED_KEY = `
turns: [{ fault: { status: 401, times: forever } }]
expect:
  - requests: { at_least: 1 }
  - exit_code: nonzero
`;

export const SILENCE = "turns: [{ fault: { hang: true, times: forever } }]";
