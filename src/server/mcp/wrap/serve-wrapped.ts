// `adj mcp wrap -- SERVER`: a third-party server behind our hooks and on our record. `adj mcp trust -- SERVER`: a person looks
// at what it offers and approves that, and nothing else it may offer later.
import { type CallToolResult, Server, type ServerContext } from "@modelcontextprotocol/server";
import type { CommandContext } from "../../../core/command/context.ts";
import { Fault, fault, messageOf } from "../../../core/command/fault.ts";
import { newId } from "../../../core/command/new-id.ts";
import { type CommandResult, ok } from "../../../core/command/result.ts";
import { escapeLine, joinWords } from "../../../core/command/words.ts";
import type { Program } from "../../../core/commands/bundled.ts";
import { asRecord } from "../../../core/project/json-value.ts";
import { serveStdioClient } from "../stdio-client.ts";
import { afterCall, beforeCall, type GuardedCall } from "./guard-call.ts";
import { comparePins, hashPins, makePins, readServerPins, writePins } from "./pins.ts";
import { type WrappedCommand, WrappedServer } from "./wrapped-server.ts";

interface WrapArguments {
  readonly words: readonly string[];
  readonly name?: string | undefined;
  readonly env: readonly string[];
  /** Of `trust`: what a person has looked at elsewhere. */
  readonly hash?: string | undefined;
}

/** Below the 30 s after which clients give a server up that they started. */
const START_LIMIT_MS = 25_000;
/** A person waits, and what `npx` has to fetch first comes here. */
const TRUST_LIMIT_MS = 120_000;

const commandOf = (
  args: WrapArguments,
  context: CommandContext,
  limitMs: number,
): WrappedCommand => ({
  limitMs,
  argv: args.words,
  cwd: context.workingDirectory,
  env: context.env.forChild(),
  envNames: args.env,
});

/** A call may take as long as the client lets it. */
const CALL_LIMIT_MS = 24 * 60 * 60 * 1_000;

export async function serveWrapped(
  args: WrapArguments,
  context: CommandContext,
  program: Program,
): Promise<CommandResult> {
  const command = commandOf(args, context, START_LIMIT_MS);
  const onStderr = (text: string) => void context.write(text, "stderr");
  const wrapped = new WrappedServer(program, command, onStderr);
  // The client is told of it as of any other stop, and the next call tries again.
  const problem = await wrapped.open().then(() => null, keepFault);
  // A program that is not there, or not named, is a mistake in the line, which no further call mends.
  if (problem?.code === "SpawnFailed" || problem?.code === "ArgumentsInvalid") throw problem;
  const guard = {
    ...{ program, env: command.env, cwd: command.cwd },
    sessionId: `mcp-${newId()}`,
    name: args.name,
  };
  if (wrapped.stop !== null) onStderr(`adj: ${describeStop(wrapped, args.words)}\n`);
  const client = serveStdioClient(() => createWrappingServer(wrapped, guard, args.words), context);
  wrapped.onChange = async () => {
    for (const server of client.servers) await server.sendToolListChanged();
  };
  try {
    await client.untilEnded();
    if (problem !== null && wrapped.client === null) throw problem;
    return ok("");
  } finally {
    await client.close();
    await wrapped.close();
  }
}

const keepFault = (error: unknown): Fault => {
  if (error instanceof Fault) return error;
  throw error;
};

/** In words of ours alone: what a server says that nobody has looked at does not become a model's instructions. */
const describeStopped = (argv: readonly string[]): string =>
  `This server is stopped and offers no tools; its person sees why by \`adj mcp trust -- ${joinWords([...argv])}\``;

function describeStop({ stop }: WrappedServer, argv: readonly string[]): string {
  const hint = `\`adj mcp trust -- ${joinWords([...argv])}\` shows it to you and asks`;
  return `the server is stopped: ${stop?.problem ?? ""}; ${hint}`;
}

type Guard = Pick<GuardedCall, "program" | "env" | "cwd" | "sessionId"> & {
  /** What the person calls the server; else it is what it was approved as. */
  readonly name: string | undefined;
};

function createWrappingServer(
  wrapped: WrappedServer,
  guard: Guard,
  argv: readonly string[],
): Server {
  const info = wrapped.client?.getServerVersion() ?? { name: "server", version: "0" };
  const instructions =
    wrapped.stop === null ? wrapped.client?.getInstructions() : describeStopped(argv);
  const server = new Server(info, {
    capabilities: { tools: { listChanged: true } },
    ...(instructions === undefined ? {} : { instructions }),
  });
  server.setRequestHandler("tools/list", async () => {
    await wrapped.untilLooked();
    return { tools: [...wrapped.tools] };
  });
  server.setRequestHandler("tools/call", async ({ params }, context) => {
    const problem = await findProblem(wrapped, params.name, argv);
    if (problem !== null) return refuse(problem);
    const client = server.getClientVersion()?.name ?? "an MCP client";
    const call = {
      ...guard,
      client,
      tool: `mcp__${guard.name ?? wrapped.name}__${params.name}`,
      args: asRecord(params.arguments),
      signal: context.mcpReq.signal,
    };
    const start = await beforeCall(call);
    if (start.kind === "refused") return refuse(start.reason);
    // A person may have taken a while to say yes, and said it to the tool as it was then.
    const changed = await findProblem(wrapped, params.name, argv);
    if (changed !== null) return refuse(changed);
    return passOn(wrapped, { name: params.name, args: start.args }, call, context);
  });
  return server;
}

/** Why a tool cannot be called now; null where it is as it was approved. */
async function findProblem(
  wrapped: WrappedServer,
  name: string,
  argv: readonly string[],
): Promise<string | null> {
  try {
    await wrapped.open();
    await wrapped.untilLooked();
  } catch (error) {
    keepFault(error);
  }
  if (wrapped.stop !== null) return describeStop(wrapped, argv);
  return wrapped.find(name) === undefined ? `there is no approved tool \`${name}\`` : null;
}

async function passOn(
  wrapped: WrappedServer,
  { name, args }: Pick<GuardedCall, "args"> & { readonly name: string },
  call: GuardedCall,
  { mcpReq }: ServerContext,
): Promise<CallToolResult> {
  const token = mcpReq._meta?.progressToken;
  try {
    if (wrapped.client === null)
      throw fault("InputInvalid", { what: "the server", problem: "it has ended" });
    const result = await wrapped.client.callTool(
      { name, arguments: { ...args } },
      {
        signal: mcpReq.signal,
        timeout: CALL_LIMIT_MS,
        ...(token === undefined
          ? {}
          : {
              onprogress: (progress) =>
                void mcpReq.notify({
                  method: "notifications/progress",
                  params: { ...progress, progressToken: token },
                }),
            }),
      },
    );
    return await addWords(call, result);
  } catch (error) {
    const problem = `the server did not answer: ${messageOf(error)}`;
    await afterCall(call, { output: problem, isError: true });
    return refuse(problem);
  }
}

/** What the hooks have to say of a result goes with it. */
async function addWords(call: GuardedCall, result: CallToolResult): Promise<CallToolResult> {
  const texts = result.content.map((block) => (block.type === "text" ? block.text : ""));
  const output = texts.filter((text) => text !== "").join("\n");
  const notes = await afterCall(call, { output, isError: result.isError === true });
  if (notes.length === 0) return result;
  const words = notes.map((text) => ({ type: "text" as const, text }));
  return { ...result, content: [...result.content, ...words] };
}

const refuse = (text: string): CallToolResult => ({
  content: [{ type: "text", text }],
  isError: true,
});

// What a person looks at before it counts.

export async function trustServer(
  args: WrapArguments,
  context: CommandContext,
  program: Program,
): Promise<CommandResult> {
  const onStderr = (text: string) => void context.write(text, "stderr");
  const wrapped = new WrappedServer(program, commandOf(args, context, TRUST_LIMIT_MS), onStderr);
  try {
    await wrapped.open();
    const offer = await wrapped.offer();
    const { changes } = comparePins(readServerPins(program.stateDir, args.words), offer);
    if (changes.length === 0) return ok("nothing changed since you trusted it", { changes });
    const tools = offer.tools.map(
      ({ name, description = "" }) => `  ${escapeLine(name)}: ${escapeLine(description)}`,
    );
    const about =
      offer.instructions === undefined ? [] : [`  says: ${escapeLine(offer.instructions)}`];
    await context.write(
      `${[...about, ...tools, "", ...changes.map((change) => escapeLine(change))].join("\n")}\n`,
      "stderr",
    );
    const pins = makePins(args.words, offer);
    const hash = hashPins(pins);
    if (args.hash !== undefined && args.hash !== hash)
      throw fault("InputInvalid", { what: "`--hash`", problem: `its tools are ${hash} now` });
    const question = `offer these ${offer.tools.length} tools (${hash}) to agents?`;
    if (args.hash === undefined && !(await context.ask.confirm(question)))
      throw fault("Declined", { name: "mcp trust" });
    writePins(program.stateDir, pins);
    return ok(`trusted ${offer.tools.length} tools as they are now`, { changes });
  } finally {
    await wrapped.close();
  }
}
