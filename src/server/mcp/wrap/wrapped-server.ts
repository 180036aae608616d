// Somebody else's server, as it is behind us: connected, its tools compared with what a person approved. One that offers
// anything new is stopped as a whole until a person has looked at it.
import { Client, ProtocolError, SdkError, type Tool } from "@modelcontextprotocol/client";
import { Fault, fault, formatFault, messageOf } from "../../../core/command/fault.ts";
import type { Program } from "../../../core/commands/bundled.ts";
import { BASE_NAMES } from "../../../core/process/environment.ts";
import { comparePins, type OfferedServer, readServerPins } from "./pins.ts";
import { ProcessTransport } from "./process-transport.ts";

export interface WrappedCommand {
  readonly argv: readonly string[];
  readonly cwd: string;
  /** All that the caller has; the server gets the base set and what is named. */
  readonly env: Readonly<Record<string, string>>;
  readonly envNames: readonly string[];
}

/** Null where everything is as it was approved. */
export type Stop = { readonly problem: string } | null;

const MAX_TOOLS = 4_096;

export class WrappedServer {
  readonly #program: Program;
  readonly #command: WrappedCommand;
  readonly #onStderr: (text: string) => void;
  #client: Client;
  #isOpen = true;
  #approved: readonly Tool[] = [];
  #stop: Stop = { problem: "its tools were not looked at yet" };
  #looking: Promise<void> | null = null;
  #lookingAfter: Promise<void> | null = null;
  /** Told when its tools have changed. */
  onChange: () => Promise<void> = async () => undefined;

  private constructor(
    program: Program,
    command: WrappedCommand,
    { client, onStderr }: { readonly client: Client; readonly onStderr: (text: string) => void },
  ) {
    this.#program = program;
    this.#command = command;
    this.#onStderr = onStderr;
    this.#client = client;
    this.#watch();
  }

  /** Starts the program and speaks with it; a fault where it cannot be spoken with. */
  static async connect(
    program: Program,
    command: WrappedCommand,
    onStderr: (text: string) => void,
  ): Promise<WrappedServer> {
    const client = await connectClient(program, command, onStderr);
    return new WrappedServer(program, command, { client, onStderr });
  }

  get client(): Client {
    return this.#client;
  }

  /** One that has ended is started again, and looked at again, for the next call. */
  async reopen(): Promise<void> {
    if (this.#isOpen) return;
    this.#client = await connectClient(this.#program, this.#command, this.#onStderr);
    this.#isOpen = true;
    this.#watch();
    await this.look();
  }

  #watch(): void {
    const client = this.#client;
    client.onclose = () => {
      if (client === this.#client) this.#isOpen = false;
    };
    client.setNotificationHandler("notifications/tools/list_changed", () => this.#lookAgain());
  }

  /** However often a server says that its tools changed: while one look is under way, the next waits, and there is one next. */
  #lookAgain(): Promise<void> {
    if (this.#looking === null) {
      this.#looking = this.#lookForChange().finally(() => {
        this.#looking = null;
      });
      return this.#looking;
    }
    this.#lookingAfter ??= this.#looking
      .catch(() => undefined)
      .then(() => {
        this.#lookingAfter = null;
        return this.#lookAgain();
      });
    return this.#lookingAfter;
  }

  async #lookForChange(): Promise<void> {
    const before = JSON.stringify([this.#stop, this.#approved]);
    await this.look();
    if (JSON.stringify([this.#stop, this.#approved]) !== before) await this.onChange();
  }

  /** A server that has just said that its tools changed is looked at before anything else is asked of it. */
  async untilLooked(): Promise<void> {
    await (this.#lookingAfter ?? this.#looking);
  }

  /** What the client may know of. */
  get tools(): readonly Tool[] {
    return this.#stop === null ? this.#approved : [];
  }

  get stop(): Stop {
    return this.#stop;
  }

  /** Looks at its tools anew; a tool that is gone is no reason to stop. */
  async look(): Promise<void> {
    const offer = await this.#readOffer();
    if (offer === null) return;
    const pins = readServerPins(this.#program.stateDir, this.#command.argv);
    const { approved, changes } = comparePins(pins, offer);
    const serious = changes.filter((change) => !change.endsWith("is gone"));
    this.#approved = approved;
    if (pins === null) this.#stop = { problem: "nobody has looked at this server yet" };
    else this.#stop = serious.length === 0 ? null : { problem: serious.join(", ") };
  }

  /** What is no list of tools stops the server like one that nobody has looked at. */
  async #readOffer(): Promise<OfferedServer | null> {
    try {
      return await listOffer(this.#client);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      this.#approved = [];
      this.#stop = { problem: formatFault(error) };
      return null;
    }
  }

  find(name: string): Tool | undefined {
    return this.tools.find((tool) => tool.name === name);
  }

  close(): Promise<void> {
    return this.#client.close();
  }
}

async function connectClient(
  program: Program,
  command: WrappedCommand,
  onStderr: (text: string) => void,
): Promise<Client> {
  const { argv, cwd, env, envNames } = command;
  const [executable, ...args] = argv;
  if (executable === undefined)
    throw fault(
      "ArgumentsInvalid",
      { command: "mcp", problem: "there is no server" },
      { hint: "give its program after `--`: `adj mcp wrap -- npx some-server`" },
    );
  const isGiven = ([name]: [string, string]) => BASE_NAMES.has(name) || envNames.includes(name);
  const own = Object.fromEntries(Object.entries(env).filter(isGiven));
  const transport = new ProcessTransport({ executable, args, cwd, env: own }, onStderr);
  const client = new Client({ name: "adjutant", version: program.version });
  try {
    await client.connect(transport);
  } catch (error) {
    await transport.close();
    if (transport.startProblem !== null)
      throw fault("SpawnFailed", { program: executable, problem: transport.startProblem });
    const problem = `\`${executable}\` does not answer as an MCP server: ${messageOf(error)}`;
    throw fault("InputInvalid", { what: "`adj mcp wrap`", problem }, { cause: error });
  }
  return client;
}

/** A fault where what it answers is not what the protocol says. */
export async function listOffer(client: Client): Promise<OfferedServer> {
  try {
    return await readOffer(client);
  } catch (error) {
    if (!(error instanceof SdkError || error instanceof ProtocolError)) throw error;
    const problem = `what it offers cannot be read: ${error.message.replaceAll(/\s+/g, " ")}`;
    throw fault("InputInvalid", { what: "the server", problem }, { cause: error });
  }
}

async function readOffer(client: Client): Promise<OfferedServer> {
  const tools: Tool[] = [];
  let cursor: string | undefined;
  do {
    const page = await client.listTools(cursor === undefined ? {} : { cursor });
    tools.push(...page.tools);
    cursor = page.nextCursor;
  } while (cursor !== undefined && tools.length < MAX_TOOLS);
  return { instructions: client.getInstructions(), tools: tools.slice(0, MAX_TOOLS) };
}
