// `adj mcp`: a client on stdin and stdout. The host runs what it calls; this process only translates, so its end, or the
// client's, ends no command.
import { AGENTS } from "../../agents/roster.ts";
import type { CommandContext } from "../../core/command/context.ts";
import { newId } from "../../core/command/new-id.ts";
import { type CommandResult, ok } from "../../core/command/result.ts";
import type { Program } from "../../core/commands/bundled.ts";
import { depthOf } from "../../core/process/environment.ts";
import type { ConnectedHost } from "../../session/host/connect.ts";
import type { Connection } from "./host-calls.ts";
import { RequestGate } from "./request-gate.ts";
import { createMcpServer } from "./server.ts";
import { serveStdioClient } from "./stdio-client.ts";
import { createOfferWatch } from "./watch-offer.ts";

interface McpArguments {
  readonly all: boolean;
}

export async function serveMcp(
  args: McpArguments,
  context: CommandContext,
  program: Program,
): Promise<CommandResult> {
  let known: Promise<Record<string, string>> | null = null;
  // With the first call: a client that only asks what there is does not wait for it.
  const env = () => {
    known ??= commandEnvironment(context);
    return known;
  };
  const host = connectLazily({ program, env, signal: context.signal });
  const watch = createOfferWatch(async () => {
    for (const server of client.servers) {
      await server.sendToolListChanged();
      await server.sendPromptListChanged();
    }
  });
  const connection: Connection = {
    ...{ program, host, env, sessionId: `mcp-${newId()}`, onOffer: watch.note },
    cwd: context.workingDirectory,
    root: program.root,
    lastRun: { id: null },
    gate: new RequestGate(),
    isAll: args.all,
  };
  const client = serveStdioClient(() => createMcpServer(connection), context);
  const watching = new AbortController();
  void watch.run(connection, watching.signal);
  try {
    await client.untilEnded();
    return ok("");
  } finally {
    watching.abort();
    await client.close();
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

// The host as a connection needs it: looked for with each call, so that the first answer waits for none, and a host that left
// for idleness is followed by the next.

interface LazyHost extends Pick<ConnectedHost, "callExtension"> {
  close(): Promise<void>;
}

function connectLazily(request: {
  readonly program: Program;
  readonly env: Connection["env"];
  readonly signal: AbortSignal;
}): LazyHost {
  let opening: Promise<ConnectedHost> | null = null;
  const connect = (): Promise<ConnectedHost> => {
    opening ??= open();
    return opening;
  };
  const open = async (): Promise<ConnectedHost> => {
    try {
      const { connectHost } = await import("../../session/host/connect.ts");
      const env = await request.env();
      const host = await connectHost({ ...request, env, surface: "mcp" });
      // One inside this process stays; one beside it may have another address the next time.
      if (!host.isInside) opening = null;
      return host;
    } catch (error) {
      opening = null;
      throw error;
    }
  };
  return {
    callExtension: async (...call) => (await connect()).callExtension(...call),
    close: async () => (await opening)?.close(),
  };
}
