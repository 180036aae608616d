// One connection of a client: which tools it is offered, and how a call of one becomes a call of the host. Nothing is decided
// here; the dispatcher in the host decides.
import { type CallToolResult, Server, type ServerContext } from "@modelcontextprotocol/server";
import type { JsonValue } from "../../core/command/context.ts";
import { Fault, formatFault } from "../../core/command/fault.ts";
import { listCommands } from "../../core/command/registry.ts";
import type { Program } from "../../core/commands/bundled.ts";
import type { SessionHost } from "../../session/host/session-host.ts";
import type { CallOrder, CallView } from "../calls/command-call.ts";
import { answerCall } from "./answer.ts";
import {
  CANCEL_TOOL,
  describeTool,
  type FoundSummary,
  HANDLE_TOOLS,
  indexTools,
  MAX_WAIT_SECONDS,
  readToolArguments,
  WAIT_TOOL,
} from "./tools.ts";

export interface Connection {
  readonly program: Program;
  readonly host: SessionHost;
  readonly cwd: string;
  readonly root: string;
  /** The connection's own session. */
  readonly sessionId: string;
  /** What commands are run with: nothing of the client's own keys. */
  readonly env: Readonly<Record<string, string>>;
  /** Bundled commands too. */
  readonly isAll: boolean;
}

/** What has not ended by then goes on under a handle. */
const HELD_MS = 20_000;
/** Between two words of progress. */
const LOOK_MS = 1_000;

export function createMcpServer(connection: Connection): Server {
  const { program } = connection;
  const server = new Server(
    { name: "adjutant", title: "Adjutant", version: program.version },
    { capabilities: { tools: { listChanged: true } }, instructions: INSTRUCTIONS },
  );
  server.setRequestHandler("tools/list", async () => {
    const tools = [...(await findTools(connection))].map(([name, { entry }]) =>
      describeTool(name, entry),
    );
    return { tools: [...tools, ...HANDLE_TOOLS] };
  });
  server.setRequestHandler("tools/call", async ({ params }, context) => {
    const { name, arguments: given = {} } = params;
    const client = server.getClientVersion()?.name ?? "an MCP client";
    try {
      return await callTool(connection, { name, given, client }, context);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      return refuse(formatFault(error));
    }
  });
  return server;
}

/** Clients that hide tools behind a search find them by these words. */
const INSTRUCTIONS = [
  "Commands of this project and of its user: build, test, release, review and whatever they defined; run them instead of",
  "guessing how this project does it. A tool that has not ended after 20 seconds answers with a run_id: call adj_wait with",
  "it until it is done. A destructive command waits for a person, who answers in a window of their own; nothing you send",
  "can answer for them.",
].join(" ");

async function findTools({ program, cwd, root, isAll }: Connection) {
  const { stateDir, configDir } = program;
  // Opened anew: what was added since is there, and what was taken away is not.
  const catalog = await program.openCatalog({ cwd, root, paths: { stateDir, configDir } });
  const { layers } = await catalog.loaded();
  const found = listCommands(layers).filter((one): one is FoundSummary => one.kind === "found");
  return indexTools(found, { isAll });
}

interface ToolCall {
  readonly name: string;
  readonly given: Readonly<Record<string, unknown>>;
  readonly client: string;
}

async function callTool(
  connection: Connection,
  call: ToolCall,
  context: ServerContext,
): Promise<CallToolResult> {
  const { name, given } = call;
  if (name === WAIT_TOOL) {
    const seconds = Math.min(
      Math.max(Number(given.seconds ?? MAX_WAIT_SECONDS), 0),
      MAX_WAIT_SECONDS,
    );
    return follow(connection, { id: String(given.run_id), ms: seconds * 1_000 }, context);
  }
  if (name === CANCEL_TOOL) {
    const id = String(given.run_id);
    await ask(connection, "cancel", { id });
    return follow(connection, { id, ms: 2_000 }, context);
  }
  const found = (await findTools(connection)).get(name);
  if (found === undefined)
    return refuse(`there is no tool \`${name}\`; tools/list says which there are`);
  const { summary } = found.entry;
  const { args, isBackground } = readToolArguments(summary, given);
  const { cwd, root, sessionId } = connection;
  const order = { name: summary.name, args, cwd, root, sessionId, client: call.client };
  const started = await startCall(connection, order);
  return follow(connection, { id: started.id, ms: isBackground ? 0 : HELD_MS }, context);
}

type Order = Omit<CallOrder, "args"> & {
  readonly args: readonly string[] | Readonly<Record<string, unknown>>;
};

const startCall = async (connection: Connection, order: Order): Promise<CallView> =>
  askView(connection, "start", JSON.parse(JSON.stringify(order)));

/** Waits so long at the most, with a word of progress now and then; what the client takes back is cancelled. */
async function follow(
  connection: Connection,
  { id, ms }: { readonly id: string; readonly ms: number },
  { mcpReq }: ServerContext,
): Promise<CallToolResult> {
  const until = performance.now() + ms;
  const token = mcpReq._meta?.progressToken;
  for (let count = 1; ; count++) {
    const left = until - performance.now();
    const view = await askView(connection, "wait", {
      id,
      ms: Math.max(0, Math.min(LOOK_MS, left)),
    });
    if (view.outcome !== null || performance.now() >= until || mcpReq.signal.aborted)
      return answerCall(view);
    if (token !== undefined)
      await mcpReq.notify({
        method: "notifications/progress",
        params: {
          progressToken: token,
          progress: count,
          message: view.question?.text ?? view.progress ?? `${view.name} runs`,
        },
      });
  }
}

const ask = ({ host, env }: Connection, method: string, body: JsonValue): Promise<JsonValue> =>
  host.callExtension("calls", method, body, env);

/** The host is our own program, so what it answers is taken for what it says. */
async function askView(
  connection: Connection,
  method: "start" | "wait",
  body: JsonValue,
): Promise<CallView> {
  const view: CallView = JSON.parse(JSON.stringify(await ask(connection, method, body)));
  return view;
}

const refuse = (text: string): CallToolResult => ({
  content: [{ type: "text", text }],
  structuredContent: { status: "done", exit_code: 2, error_output: text },
  isError: true,
});
