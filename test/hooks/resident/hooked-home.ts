// The built program as the agents call it, in a home of its own.
import { spawnSync } from "node:child_process";
import { type Home, makeHome } from "../../program/adj.ts";

export type Payload = Readonly<Record<string, unknown>>;

export interface HookedHome extends Home {
  /** What the agent reads, and nothing is ever on stderr unless a test says so. */
  hook(agent: string, payload: Payload | string, env?: NodeJS.ProcessEnv): Promise<HookAnswer>;
}

interface HookAnswer {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The parsed answer; an empty object where nothing was said. */
  // biome-ignore lint/suspicious/noExplicitAny: answers differ by agent, and a test says what it expects
  readonly json: any;
}

export function makeHookedHome(files: Readonly<Record<string, string>> = {}): HookedHome {
  const home = makeHome();
  home.write(files);
  return {
    ...home,
    hook: async (agent, payload, env = {}) => {
      const stdin = typeof payload === "string" ? payload : JSON.stringify(payload);
      const place = { stdin, env: { ...home.env, ADJ_RESIDENT: "off", ...env } };
      const { exitCode, stdout, stderr } = await home.adjIn(place, "hook", agent);
      return { exitCode, stdout, stderr, json: stdout === "" ? {} : JSON.parse(stdout) };
    },
  };
}

export const bashCall = (home: Home, command: string, input: Payload = {}): Payload => ({
  session_id: "session-1",
  transcript_path: "/dev/null",
  cwd: home.project,
  permission_mode: "default",
  hook_event_name: "PreToolUse",
  tool_name: "Bash",
  tool_input: { command, description: "as asked", ...input },
  tool_use_id: "toolu_1",
});

/** What the shell of an agent would print for a line. */
export function runShell(line: string, env: NodeJS.ProcessEnv, shell = "bash") {
  const { stdout, stderr, status } = spawnSync(shell, ["-c", line], { env });
  return { stdout: stdout.toString(), stderr: stderr.toString(), exitCode: status };
}

/** A command file with this body; `read_only` unless told otherwise. */
export const commandFile = (body: string, fields = 'safety: "read_only",'): string =>
  `import { defineCommand, ok, fail } from "adjutant";
import { writeSync } from "node:fs";
import { execFileSync } from "node:child_process";
export default defineCommand({
  description: "a command of a test",
  ${fields}
  async run(args, context) { ${body} },
});
`;
