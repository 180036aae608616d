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
  /** How long it may take to answer when it is asked who it is and what it offers. */
  readonly limitMs: number;
}

/** Null where everything is as it was approved. */
export type Stop = { readonly problem: string } | null;

const MAX_TOOLS = 4_096;

export class WrappedServer {
  readonly #program: Pick<Program, "version" | "stateDir">;
  readonly #command: WrappedCommand;
  readonly #onStderr: (text: string) => void;
  #client: Client | null = null;
  #opening: Promise<void> | null = null;
  #name = "server";
  #approved: readonly Tool[] = [];
  #stop: Stop = { problem: "its tools were not looked at yet" };
  #looking: Promise<void> | null = null;
  #lookingAfter: Promise<void> | null = null;
  /** Told when its tools have changed. */
  onChange: () => Promise<void> = async () => undefined;

  constructor(
    program: Pick<Program, "version" | "stateDir">,
    command: WrappedCommand,
    onStderr: (text: string) => void,
  ) {
    this.#program = program;
    this.#command = command;
    this.#onStderr = onStderr;
  }

  /** Null before it was started, and after it has ended. */
  get client(): Client | null {
    return this.#client;
  }

  /**
   * Starts the program, speaks with it and looks at its tools; one that has ended is started again, and looked at again. A
   * fault where it cannot be spoken with.
   */
  async open(): Promise<void> {
    if (this.#client !== null) return;
    this.#opening ??= this.#start().finally(() => {
      this.#opening = null;
    });
    await this.#opening;
  }

  async #start(): Promise<void> {
    try {
      const client = await connectClient(this.#program, this.#command, this.#onStderr);
      this.#client = client;
      this.#watch(client);
    } catch (error) {
      if (error instanceof Fault) this.#stopFor(error);
      throw error;
    }
    await this.look();
  }

  #watch(client: Client): void {
    client.onclose = () => {
      if (client === this.#client) this.#client = null;
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
      // Whoever began that look is told.
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

  /** What it calls itself, as it was looked at last. */
  get name(): string {
    return this.#name;
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
    this.#name = offer.name;
    this.#approved = approved;
    if (pins === null) this.#stop = { problem: "nobody has looked at this server yet" };
    else this.#stop = serious.length === 0 ? null : { problem: serious.join(", ") };
  }

  /** What is no list of tools stops the server like one that nobody has looked at. */
  async #readOffer(): Promise<OfferedServer | null> {
    try {
      return await this.offer();
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      this.#stopFor(error);
      return null;
    }
  }

  #stopFor(problem: Fault): void {
    this.#approved = [];
    this.#stop = { problem: formatFault(problem) };
  }

  /** What it offers now; a fault where what it answers is not what the protocol says. */
  async offer(): Promise<OfferedServer> {
    if (this.#client === null) throw unreadable("it has ended");
    try {
      return await readOffer(this.#client, this.#command.limitMs);
    } catch (error) {
      if (!(error instanceof SdkError || error instanceof ProtocolError)) throw error;
      throw unreadable(error.message.replaceAll(/\s+/g, " "), error);
    }
  }

  find(name: string): Tool | undefined {
    return this.tools.find((tool) => tool.name === name);
  }

  async close(): Promise<void> {
    await this.#client?.close();
  }
}

async function connectClient(
  program: Pick<Program, "version">,
  command: WrappedCommand,
  onStderr: (text: string) => void,
): Promise<Client> {
  const { argv, cwd, env, envNames, limitMs } = command;
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
    await client.connect(transport, { timeout: limitMs });
  } catch (error) {
    await transport.close();
    if (transport.startProblem !== null)
      throw fault("SpawnFailed", { program: executable, problem: transport.startProblem });
    const problem = `\`${executable}\` does not answer as an MCP server: ${messageOf(error)}`;
    throw fault("InputInvalid", { what: "`adj mcp`", problem }, { cause: error });
  }
  return client;
}

const unreadable = (problem: string, cause?: unknown): Fault =>
  fault(
    "InputInvalid",
    { what: "the server", problem: `what it offers cannot be read: ${problem}` },
    { cause },
  );

async function readOffer(client: Client, timeout: number): Promise<OfferedServer> {
  const { tools } = await client.listTools({}, { timeout });
  if (tools.length > MAX_TOOLS) throw unreadable(`it has more than ${MAX_TOOLS} tools`);
  const names = tools.map(({ name }) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  // Which of them would be called is the server's to choose: none of them is what a person approved.
  if (twice !== undefined) throw unreadable(`it has two tools \`${twice}\``);
  return { name: nameServer(client), instructions: client.getInstructions(), tools };
}

/** As hooks see it, in `mcp__NAME__tool`. */
const nameServer = (client: Client): string =>
  (client.getServerVersion()?.name ?? "server").replaceAll(/[^\w-]/g, "_");
