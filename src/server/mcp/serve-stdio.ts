// `adj mcp`: a client on stdin and stdout. The host runs what it calls; this process only translates, so its end, or the
// client's, ends no command.
import type { Server } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { AGENTS } from "../../agents/roster.ts";
import { depthOf } from "../../agents/run/command-run.ts";
import type { CommandContext } from "../../core/command/context.ts";
import { newId } from "../../core/command/new-id.ts";
import { type CommandResult, ok } from "../../core/command/result.ts";
import type { Program } from "../../core/commands/bundled.ts";
import type { Connection } from "./host-calls.ts";
import { connectLazily } from "./lazy-host.ts";
import { createMcpServer } from "./server.ts";
import { createOfferWatch } from "./watch-offer.ts";

export interface McpArguments {
  readonly all: boolean;
}

export async function serveMcp(
  args: McpArguments,
  context: CommandContext,
  program: Program,
): Promise<CommandResult> {
  const env = await commandEnvironment(context);
  const host = connectLazily({ program, env, signal: context.signal });
  const servers = new Set<Server>();
  const watch = createOfferWatch(async () => {
    for (const server of servers) {
      await server.sendToolListChanged();
      await server.sendPromptListChanged();
    }
  });
  const connection: Connection = {
    ...{ program, host, env, sessionId: `mcp-${newId()}`, onOffer: watch.note },
    cwd: context.workingDirectory,
    root: program.root,
    lastRun: { id: null },
    isAll: args.all,
  };
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const handle = serveStdio(
    () => {
      const server = createMcpServer(connection);
      servers.add(server);
      server.onclose = resolve;
      return server;
    },
    { onerror: (error) => void context.write(`adj: ${error.message}\n`, "stderr") },
  );
  const watching = new AbortController();
  void watch.run(connection, watching.signal);
  // Clients end with SIGINT, SIGTERM or the end of what they write.
  context.signal.addEventListener("abort", () => resolve());
  process.stdin.once("end", () => resolve());
  try {
    await ended;
    return ok("");
  } finally {
    watching.abort();
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
