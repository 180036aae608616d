// One connection of a client: which tools it is offered, and how a call of one becomes a call of the host. Nothing is decided
// here; the dispatcher in the host decides.
import { setTimeout as pause } from "node:timers/promises";
import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  INVALID_PARAMS,
  type InputRequiredResult,
  ProtocolError,
  SdkError,
  Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { asName } from "../../agents/log/json-fields.ts";
import { Fault, formatFault } from "../../core/command/fault.ts";
import { listCommands } from "../../core/command/registry.ts";
import { asRecord } from "../../core/project/json-value.ts";
import { answerCall } from "./answer.ts";
import { type Connection, cancelCall, startCall, waitForCall } from "./host-calls.ts";
import { completeToolInputs } from "./missing-inputs.ts";
import { getPrompt, listPrompts } from "./prompts.ts";
import { listResources, RESOURCE_TEMPLATES, readResource } from "./resources.ts";
import {
  CANCEL_TOOL,
  describeTool,
  type FoundSummary,
  HANDLE_TOOLS,
  indexTools,
  readHandle,
  readToolArguments,
  WAIT_TOOL,
} from "./tools.ts";

/** A call that has not ended by then goes on under a handle. */
const HELD_MS = 20_000;
/** The time between two words of progress where the command says nothing, and where it says too much. */
const LOOK_MS = 1_000;
const MIN_GAP_MS = 50;

export function createMcpServer(connection: Connection): Server {
  const { program } = connection;
  const server = new Server(
    { name: "adjutant", title: "Adjutant", version: program.version },
    {
      capabilities: {
        tools: { listChanged: true },
        prompts: { listChanged: true },
        resources: {},
        completions: {},
        // Deprecated in 2026-07-28 and kept for clients of 2025; those of 2026 hear of progress.
        logging: {},
      },
      instructions: INSTRUCTIONS,
    },
  );
  answerTools(server, connection);
  answerPrompts(server, connection);
  answerResources(server, connection);
  return server;
}

function answerTools(server: Server, connection: Connection): void {
  server.setRequestHandler("tools/list", async () => {
    const tools = [...(await findTools(connection))].map(([name, { entry }]) =>
      describeTool(name, entry),
    );
    connection.onOffer?.(JSON.stringify(tools));
    return { tools: [...tools, ...HANDLE_TOOLS] };
  });
  server.setRequestHandler("tools/call", async ({ params }, context) => {
    const { name, arguments: given = {} } = params;
    const call = {
      name,
      given,
      client: nameClient(server, context),
      canAsk: canElicit(server, context),
    };
    try {
      return await pass(connection, context, () => callTool(connection, call, context));
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      return refuse(formatFault(error));
    }
  });
}

function answerPrompts(server: Server, connection: Connection): void {
  server.setRequestHandler("prompts/list", async () => ({
    prompts: listPrompts((await findTools(connection)).values()),
  }));
  server.setRequestHandler("prompts/get", async ({ params }, context) => {
    const { name, arguments: given = {} } = params;
    const found = (await findTools(connection)).values();
    const client = nameClient(server, context);
    const read = () => getPrompt(connection, found, { name, given, client });
    return withoutFault(pass(connection, context, read));
  });
  server.setRequestHandler("completion/complete", async ({ params }) => {
    const { completeArgument } = await import("./completions.ts");
    return completeArgument(connection, (await findTools(connection)).values(), params);
  });
}

function answerResources(server: Server, connection: Connection): void {
  server.setRequestHandler("resources/list", async () => ({
    resources: await listResources(connection),
  }));
  server.setRequestHandler("resources/templates/list", () => ({
    resourceTemplates: RESOURCE_TEMPLATES,
  }));
  server.setRequestHandler("resources/read", async ({ params: { uri } }, context) => {
    const client = nameClient(server, context);
    const work = () => readResource(connection, uri, client);
    const read = await withoutFault(pass(connection, context, work));
    return { contents: [{ uri, ...read }] };
  });
}

/** A client has so much under way at once; the rest waits for it. */
const pass = <Answer>(
  { gate }: Connection,
  { mcpReq }: ServerContext,
  work: () => Promise<Answer>,
): Promise<Answer> => gate.pass(mcpReq.signal, work);

/** Clients of 2026 say with every request who they are, those of 2025 once. */
const nameClient = (server: Server, { mcpReq }: ServerContext): string =>
  asName(asRecord(asRecord(mcpReq.envelope)[CLIENT_INFO_META_KEY]).name) ??
  server.getClientVersion()?.name ??
  "an MCP client";

/** Clients of 2026 say with every request what they can do, those of 2025 once. */
function canElicit(server: Server, { mcpReq }: ServerContext): boolean {
  const stated = asRecord(asRecord(mcpReq.envelope)[CLIENT_CAPABILITIES_META_KEY]);
  return (stated.elicitation ?? server.getClientCapabilities()?.elicitation) !== undefined;
}

/** What is wrong with a request, as the protocol's own error. */
async function withoutFault<Answer>(work: Promise<Answer>): Promise<Answer> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    throw new ProtocolError(INVALID_PARAMS, formatFault(error));
  }
}

/** Clients that hide tools behind a search find them by these words. */
const INSTRUCTIONS = [
  "Commands of this project and of its user: build, test, release, review and whatever they defined; run them instead of",
  "guessing how this project does it. A tool that has not ended after 20 seconds answers with a run_id: call adj_wait with",
  "it until it is done. A destructive command waits for a person, who answers in a window of their own; nothing you send",
  "can answer for them.",
].join(" ");

/** What a client has been told of, in short. */
export async function describeOffer(connection: Connection): Promise<string> {
  const tools = [...(await findTools(connection))];
  return JSON.stringify(tools.map(([name, { entry }]) => describeTool(name, entry)));
}

/** What was found counts so long for the next call: opening all layers anew costs more than many a command. */
const FRESH_MS = 500;

interface FoundTools {
  readonly at: number;
  readonly tools: Promise<ReadonlyMap<string, FoundSummary>>;
}

const foundLately = new WeakMap<Connection, FoundTools>();

function findTools(connection: Connection): FoundTools["tools"] {
  const known = foundLately.get(connection);
  const at = performance.now();
  if (known !== undefined && at - known.at < FRESH_MS) return known.tools;
  const tools = loadTools(connection);
  foundLately.set(connection, { at, tools });
  // Whoever asked is told of it, and the next looks again.
  tools.catch(() => foundLately.delete(connection));
  return tools;
}

async function loadTools({ program, cwd, root, isAll }: Connection) {
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
  readonly canAsk: boolean;
}

async function callTool(
  connection: Connection,
  call: ToolCall,
  context: ServerContext,
): Promise<CallToolResult | InputRequiredResult> {
  const { name, given } = call;
  if (name === WAIT_TOOL || name === CANCEL_TOOL) {
    const { id, seconds } = readHandle(name, given, connection.lastRun?.id ?? null);
    if (name === WAIT_TOOL) return follow(connection, { id, ms: seconds * 1_000 }, context);
    await cancelCall(connection, id);
    return follow(connection, { id, ms: 2_000 }, context);
  }
  const found = (await findTools(connection)).get(name);
  if (found === undefined)
    throw new ProtocolError(
      INVALID_PARAMS,
      `there is no tool \`${name}\`; tools/list says which there are`,
    );
  const { summary } = found.entry;
  const { canAsk } = call;
  const responses = context.mcpReq.inputResponses;
  const inputs = completeToolInputs(summary, { given, canAsk, responses });
  if (inputs.kind === "ask") return inputs.result;
  const { args, isBackground } = readToolArguments(summary, inputs.given);
  const command = { name: summary.name, args, client: call.client };
  const { id } = await startCall(connection, command);
  if (connection.lastRun !== undefined) connection.lastRun.id = id;
  const { signal } = context.mcpReq;
  const takeBack = () => {
    // The client that took the call back hears no more of it, however this goes.
    if (isTakenBack(signal)) void cancelCall(connection, id).catch(() => undefined);
  };
  signal.addEventListener("abort", takeBack);
  if (signal.aborted) takeBack();
  try {
    return await follow(connection, { id, ms: isBackground ? 0 : HELD_MS }, context);
  } finally {
    signal.removeEventListener("abort", takeBack);
  }
}

/** A call is taken back by the protocol's own word alone: after the end of a connection or a client's limit the work goes on. */
const isTakenBack = ({ reason }: AbortSignal): boolean =>
  !(reason instanceof SdkError) && !/time(?:d|s)?[ -]?out|time limit/i.test(String(reason));

/** Waits so long at the most, with a word of progress at each step of the command, and now and then without one. */
async function follow(
  connection: Connection,
  { id, ms }: { readonly id: string; readonly ms: number },
  { mcpReq }: ServerContext,
): Promise<CallToolResult> {
  const until = performance.now() + ms;
  const token = mcpReq._meta?.progressToken;
  let afterStep = 0;
  for (let count = 1; ; count++) {
    const left = Math.max(0, Math.min(LOOK_MS, until - performance.now()));
    const view = await waitForCall(connection, id, { ms: left, afterStep });
    const hasStepped = view.steps > afterStep;
    afterStep = view.steps;
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
    // Who did not ask for progress hears the command's own words as lines of a log.
    else if (hasStepped) await mcpReq.log("info", view.progress, view.name);
    await pause(MIN_GAP_MS);
  }
}

const refuse = (text: string): CallToolResult => ({
  content: [{ type: "text", text }],
  structuredContent: { status: "done", exit_code: 2, error_output: text },
  isError: true,
});
