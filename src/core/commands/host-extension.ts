// What a feature above sessions adds to the host: work of its own that lives there, beside turns and questions. The host
// knows nothing of it but this contract.
import type { JsonValue } from "../command/context.ts";
import type { NewQuestion } from "../store/questions.ts";
import type { Turn, TurnOptions } from "../store/turn-row.ts";
import type { Program } from "./bundled.ts";

/** A prompt on its way into a session. */
export interface TurnOrder {
  readonly sessionId: string;
  readonly text: string;
  readonly options: TurnOptions;
  /** What the agent is started with beside the base set; kept in memory only. */
  readonly env: Readonly<Record<string, string>>;
}

/** What the host lends to its extensions. */
export interface HostServices {
  readonly program: Program;
  /** The person's variables, as far as the host knows them. */
  readonly env: Readonly<Record<string, string>>;
  /** Queues a turn and waits for its end; cancelled with the signal. Nothing of it is handed to `takePrompt` again. */
  runTurn(order: TurnOrder, signal: AbortSignal, onTurn?: (turn: Turn) => void): Promise<Turn>;
  /** Ends the agent's process behind a session, if one stays. */
  closeThread(sessionId: string): Promise<void>;
  /** A row before it is asked, every window sees it; null where nobody answered. */
  ask(question: NewQuestion, signal: AbortSignal): Promise<JsonValue | null>;
  /** Shows windows that follow this session what is not part of the record. */
  tell(sessionId: string, data: JsonValue): void;
  /** Somebody came who may not; on record. */
  refuse(problem: string): void;
}

export interface HostExtension {
  readonly name: string;
  /** Things under way: the host does not leave for idleness meanwhile. */
  readonly busy: number;
  /** A call of a client that has the host's key; a fault where it is refused. The caller's variables stay in memory. */
  call(method: string, body: JsonValue, env: Readonly<Record<string, string>>): Promise<JsonValue>;
  /** A request of a client that has no key of the host, below `/NAME`; it knows its own clients. Absent: there are none. */
  readonly fetch?: (request: Request) => Promise<Response>;
  /** A person's prompt into a session that has a stage: true where the extension takes care of it. */
  takePrompt(order: TurnOrder): Promise<boolean>;
  /** Goes on with what a dead host left. */
  takeOver(): Promise<void>;
  /** Begins nothing new and waits for what is under way to reach a point from which it can be taken up. */
  drain(): Promise<void>;
  /** Ends what is under way; all of it can be taken up later. */
  close(): Promise<void>;
}
