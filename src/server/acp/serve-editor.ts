// `adj acp`: an editor on stdin and stdout, in front of any agent of the roster. The host owns the agents; this process only
// translates, and its end ends nothing but itself.
import { asText } from "../../agents/log/json-fields.ts";
import { JsonRpcPeer, type RpcId } from "../../agents/protocol/json-rpc-peer.ts";
import { requireAdapter } from "../../agents/roster.ts";
import { TextLines } from "../../agents/run/output/lines.ts";
import type { CommandContext } from "../../core/command/context.ts";
import { Fault, fault } from "../../core/command/fault.ts";
import { newId } from "../../core/command/new-id.ts";
import { type CommandResult, ok } from "../../core/command/result.ts";
import type { BundledContext, Program } from "../../core/commands/bundled.ts";
import type { Adjutant } from "../../core/dispatch/adjutant.ts";
import { asRecord, type JsonRecord } from "../../core/project/json-value.ts";
import { findProjectRoot } from "../../core/project/paths.ts";
import { type ConnectedHost, connectHost } from "../../session/host/connect.ts";
import { EditorSession, problemOf } from "./editor-session.ts";
import { readPromptText } from "./updates.ts";

const PROTOCOL_VERSION = 1;
const MAX_LINE_LENGTH = 64 << 20;
const INTERNAL_ERROR = -32603;
const INVALID_PARAMS = -32602;

interface AcpArguments {
  readonly agent?: string | undefined;
  readonly via?: string | undefined;
}

interface OpenSession {
  readonly session: EditorSession;
  readonly adjutant: Adjutant;
}

export async function serveEditor(
  args: AcpArguments,
  context: CommandContext,
  program: Program,
): Promise<CommandResult> {
  // An editor would show it as an error of its first prompt, if at all.
  if (args.agent !== undefined) await requireAdapter(args.agent);
  const env = editorEnvironment(args, context);
  const host = await connectHost({ program, env, signal: context.signal });
  const editor = new Editor({ args, context, program, host, env });
  try {
    await editor.serve();
    return ok("");
  } finally {
    await editor.close();
    await host.close();
  }
}

/** A flag counts over the environment, and what the person switches to later counts over the flag. */
function editorEnvironment(
  { agent }: AcpArguments,
  { env }: CommandContext,
): Record<string, string> {
  const { ADJ_AGENT, ADJ_MODEL, ...rest } = env.forChild();
  const kept = { ...(ADJ_AGENT && { ADJ_AGENT }), ...(ADJ_MODEL && { ADJ_MODEL }) };
  return agent === undefined ? { ...rest, ...kept } : rest;
}

interface EditorOptions extends BundledContext {
  readonly args: AcpArguments;
  readonly host: ConnectedHost;
  readonly env: Readonly<Record<string, string>>;
}

class Editor {
  readonly #options: EditorOptions;
  readonly #sessions = new Map<string, OpenSession>();
  readonly #peer: JsonRpcPeer;

  constructor(options: EditorOptions) {
    this.#options = options;
    this.#peer = new JsonRpcPeer({
      onRequest: (id, method, params) => void this.#answer(id, method, asRecord(params)),
      onNotification: (method, params) => {
        if (method === "session/cancel") void this.#cancel(asRecord(params));
      },
    });
  }

  async serve(): Promise<void> {
    const writing = this.#write();
    const lines = new TextLines({
      limit: MAX_LINE_LENGTH,
      onLine: (line) => this.#peer.readLine(line),
      onTooLong: () => this.#peer.refuseLine("it has more than 64 MB"),
    });
    const { signal } = this.#options.context;
    const leave = () => process.stdin.destroy();
    signal.addEventListener("abort", leave);
    try {
      for await (const chunk of process.stdin) {
        lines.push(chunk);
        await this.#peer.whenRoomy();
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      signal.removeEventListener("abort", leave);
      this.#peer.close();
      await writing;
    }
  }

  async close(): Promise<void> {
    for (const { adjutant } of this.#sessions.values()) await adjutant.close();
  }

  async #write(): Promise<void> {
    for await (const line of this.#peer.lines()) await this.#options.context.write(line);
  }

  #find(params: JsonRecord): OpenSession | undefined {
    return this.#sessions.get(asText(params.sessionId) ?? "");
  }

  /** A host that is gone has nothing left to cancel. */
  async #cancel(params: JsonRecord): Promise<void> {
    await this.#find(params)?.session.cancel().catch(problemOf);
  }

  async #answer(id: RpcId, method: string, params: JsonRecord): Promise<void> {
    try {
      const result = await this.#handle(method, params);
      if (result === null) this.#peer.refuse(id, method);
      else this.#peer.answer(id, result);
    } catch (error) {
      const isTheirs = error instanceof Fault && error.class === "Usage";
      this.#peer.fail(id, isTheirs ? INVALID_PARAMS : INTERNAL_ERROR, problemOf(error));
    }
  }

  /** Null for a method that is not offered. */
  async #handle(method: string, params: JsonRecord): Promise<object | null> {
    switch (method) {
      case "initialize":
        return this.#describeSelf();
      case "authenticate":
        return {};
      case "session/new":
        return this.#open(newId(), params, { isRepeated: false });
      case "session/load":
        return this.#open(this.#requireKnown(params), params, { isRepeated: true });
      case "session/resume":
        return this.#open(this.#requireKnown(params), params, { isRepeated: false });
      case "session/list":
        return this.#list(params);
      case "session/prompt":
        return { stopReason: await this.#require(params).prompt(requireText(params.prompt)) };
      case "session/set_mode":
        await this.#require(params).setOption("mode", asText(params.modeId) ?? "");
        return {};
      case "session/set_config_option": {
        const session = this.#require(params);
        await session.setOption(asText(params.configId) ?? "", asText(params.value) ?? "");
        return { configOptions: await session.configOptions() };
      }
      case "session/close":
        return this.#close(params);
      default:
        return null;
    }
  }

  #describeSelf(): object {
    const { version } = this.#options.program;
    return {
      protocolVersion: PROTOCOL_VERSION,
      agentInfo: { name: "adjutant", title: "Adjutant", version },
      agentCapabilities: {
        loadSession: true,
        promptCapabilities: { image: false, audio: false, embeddedContext: true },
        sessionCapabilities: { list: {}, resume: {}, close: {} },
      },
      authMethods: [],
    };
  }

  async #open(
    id: string,
    params: JsonRecord,
    { isRepeated }: { readonly isRepeated: boolean },
  ): Promise<object> {
    const { program, context, host, env, args } = this.#options;
    const cwd = asText(params.cwd) ?? context.workingDirectory;
    const root = findProjectRoot(cwd);
    await this.#leave(id);
    const adjutant = await program.open({ cwd, root, env, surface: "console" });
    program.sessions().ensure(id, root);
    const session = new EditorSession({
      ...{ id, cwd, root, adjutant, program, host, env, peer: this.#peer },
      isPerson: !context.isBelowAgent,
      via: args.via ?? null,
    });
    this.#sessions.set(id, { session, adjutant });
    const isNew = program.sessions().read(id).agent === null;
    if (args.agent !== undefined && isNew) await session.setOption("agent", args.agent);
    if (isRepeated) await session.repeat();
    const configOptions = await session.configOptions();
    // The editor must know the session before it hears of it.
    setImmediate(() => void session.offerCommands());
    return { sessionId: id, modes: modesIn(configOptions), configOptions };
  }

  /** One that is opened anew must be idle: its commands run in what would be closed. */
  async #leave(id: string): Promise<void> {
    const open = this.#sessions.get(id);
    if (open?.session.isBusy === true)
      throw fault(
        "SessionBusy",
        { problem: `a prompt of \`${id}\` runs in this editor` },
        { hint: "wait for its end, or cancel it" },
      );
    this.#sessions.delete(id);
    await open?.adjutant.close();
  }

  #require(params: JsonRecord): EditorSession {
    const found = this.#find(params);
    if (found !== undefined) return found.session;
    throw noSession(params);
  }

  /** One that was there before; an id that somebody made up would begin a session under a name of theirs. */
  #requireKnown(params: JsonRecord): string {
    const rows = this.#options.program.sessions().list();
    const known = rows.find(({ id }) => id === params.sessionId);
    if (known === undefined) throw noSession(params);
    return known.id;
  }

  #list({ cwd }: JsonRecord): object {
    const { program } = this.#options;
    const root = asText(cwd) === null ? null : findProjectRoot(asText(cwd) ?? "");
    const rows = program
      .sessions()
      .list()
      .filter((row) => row.root !== null && (root === null || row.root === root));
    return {
      sessions: rows.map((row) => ({
        sessionId: row.id,
        cwd: row.root ?? "/",
        title: row.name,
        updatedAt: row.updatedAt,
      })),
    };
  }

  async #close(params: JsonRecord): Promise<object> {
    const found = this.#find(params);
    await found?.session.cancel();
    this.#sessions.delete(asText(params.sessionId) ?? "");
    await found?.adjutant.close();
    return {};
  }
}

const noSession = ({ sessionId }: JsonRecord): Fault =>
  fault("InputInvalid", {
    what: "`sessionId`",
    problem: `there is no session \`${asText(sessionId) ?? ""}\``,
  });

function requireText(blocks: unknown): string {
  const text = readPromptText(blocks);
  if (text.trim() !== "") return text;
  const problem = "it has no text; images and sounds are not taken";
  throw fault("InputInvalid", { what: "the prompt", problem });
}

/** The same as the option, for editors that know modes only. */
function modesIn(options: readonly JsonRecord[]): object {
  const mode = asRecord(options.find(({ id }) => id === "mode"));
  const choices = Array.isArray(mode.options) ? mode.options : [];
  return {
    currentModeId: mode.currentValue,
    availableModes: choices.map(({ value, name }) => ({ id: value, name })),
  };
}
