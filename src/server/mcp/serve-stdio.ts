// `adj mcp`: a client on stdin and stdout. The host runs what it calls; this process only translates, so its end, or the
// client's, ends no command.
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { AGENTS } from "../../agents/roster.ts";
import { depthOf } from "../../agents/run/command-run.ts";
import type { CommandContext } from "../../core/command/context.ts";
import { newId } from "../../core/command/new-id.ts";
import { type CommandResult, ok } from "../../core/command/result.ts";
import type { Program } from "../../core/commands/bundled.ts";
import { connectHost } from "../../session/host/connect.ts";
import { createMcpServer } from "./server.ts";

export interface McpArguments {
  readonly all: boolean;
}

export async function serveMcp(
  args: McpArguments,
  context: CommandContext,
  program: Program,
): Promise<CommandResult> {
  const env = await commandEnvironment(context);
  const host = await connectHost({ program, env, signal: context.signal, surface: "mcp" });
  const sessionId = `mcp-${newId()}`;
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const handle = serveStdio(
    () => {
      const server = createMcpServer({
        ...{ program, host, env, sessionId },
        cwd: context.workingDirectory,
        root: program.root,
        isAll: args.all,
      });
      server.onclose = resolve;
      return server;
    },
    { onerror: (error) => void context.write(`adj: ${error.message}\n`, "stderr") },
  );
  // Clients end with SIGINT, SIGTERM or the end of what they write.
  context.signal.addEventListener("abort", () => resolve());
  process.stdin.once("end", () => resolve());
  try {
    await ended;
    return ok("");
  } finally {
    await handle.close();
    await host.close();
  }
}

/**
 * What commands are run with: nothing that the client was given for itself, and a mark that they are below an agent, since
 * Codex 0.166 sets none.
 */
async function commandEnvironment({ env }: CommandContext): Promise<Record<string, string>> {
  const all = env.forChild();
  const callers = AGENTS.filter(({ marks }) => marks.some((mark) => all[mark]));
  const adapters = await Promise.all(callers.map(({ run }) => run()));
  const isClients = (name: string): boolean =>
    adapters.some(
      ({ login, variablePrefixes }) =>
        login.variables.includes(name) ||
        variablePrefixes.some((prefix) => name.startsWith(prefix)),
    );
  const kept = Object.entries(all).filter(([name]) => !isClients(name));
  return { ...Object.fromEntries(kept), ADJ_DEPTH: String(depthOf(all) + 1) };
}
