// `adj mcp`: a client on stdin and stdout. The host runs what it calls; this process only translates, so its end, or the
// client's, ends no command.
import { setTimeout as pause } from "node:timers/promises";
import type { Server } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { AGENTS } from "../../agents/roster.ts";
import { depthOf } from "../../agents/run/command-run.ts";
import type { CommandContext } from "../../core/command/context.ts";
import { newId } from "../../core/command/new-id.ts";
import { type CommandResult, ok } from "../../core/command/result.ts";
import type { Program } from "../../core/commands/bundled.ts";
import { connectHost } from "../../session/host/connect.ts";
import type { Connection } from "./host-calls.ts";
import { createMcpServer, describeOffer } from "./server.ts";

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
  const connection: Connection = {
    ...{ program, host, env, sessionId: `mcp-${newId()}` },
    cwd: context.workingDirectory,
    root: program.root,
    isAll: args.all,
  };
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const servers = new Set<Server>();
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
  void watchOffer(connection, watching.signal, async () => {
    for (const server of servers) {
      await server.sendToolListChanged();
      await server.sendPromptListChanged();
    }
  });
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

/** Between two looks at the files that define commands. */
const LOOK_MS = 2_000;

/** Says when commands were added, changed or taken away. */
async function watchOffer(
  connection: Connection,
  signal: AbortSignal,
  onChange: () => Promise<void>,
): Promise<void> {
  // A layer that cannot be read now is looked at again.
  let known = await describeOffer(connection).catch(() => "");
  while (!signal.aborted) {
    await pause(LOOK_MS, undefined, { signal, ref: false }).catch(() => undefined);
    if (signal.aborted) return;
    const now = await describeOffer(connection).catch(() => known);
    // A client that is leaving need not hear of it.
    if (now !== known) await onChange().catch(() => undefined);
    known = now;
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
