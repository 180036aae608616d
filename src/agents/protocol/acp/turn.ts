// One turn of a conversation: a prompt, what the agent asks while it works, and the words that follow a refusal.
import { unlessAborted } from "../../../core/command/cancellation.ts";
import { asRecord, type JsonRecord } from "../../../core/project/json-value.ts";
import { errorEvent, finalEvent, type LogEvent } from "../../log/event.ts";
import { asList, asName } from "../../log/json-fields.ts";
import type { ToolAnswer, TurnEnding, TurnRequest } from "../../run/conversation.ts";
import { DeltaJoiner } from "../../run/output/parser.ts";
import type { AcpConnection } from "./connection.ts";
import {
  answerPermission,
  callPrompt,
  type Failure,
  type MessageId,
  notifyCancel,
} from "./messages.ts";
import {
  addSpent,
  describePromptEnd,
  type PromptEnd,
  PromptReader,
  type SessionMeter,
} from "./prompt-reader.ts";
import type { AcpTraits, OwnCall } from "./traits.ts";

/** So long an agent may take to stop when it is asked to; then its process is ended. */
const STOP_MS = 3_000;
/** A model that is refused again and again is told why so often; each time it may try something else. */
const MAX_FOLLOW_UPS = 10;

interface TurnSession {
  readonly id: string;
  readonly connection: AcpConnection;
  readonly traits: AcpTraits;
  readonly meter: SessionMeter;
}

export class AcpTurn {
  readonly #turn: TurnRequest;
  readonly #session: TurnSession;
  readonly #joiner: DeltaJoiner;
  #reader: PromptReader;
  /** Fires when the prompt that was asked from is over. */
  #asking = new AbortController();
  #refusals: string[] = [];
  #isCancelled = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(turn: TurnRequest, session: TurnSession) {
    this.#turn = turn;
    this.#session = session;
    this.#joiner = new DeltaJoiner(turn.onEvent);
    this.#reader = new PromptReader(session.traits);
  }

  emit(events: readonly LogEvent[]): void {
    for (const event of events) this.#joiner.push(event);
  }

  readUpdate(update: JsonRecord): void {
    this.emit(this.#reader.readUpdate(update));
  }

  async run(): Promise<TurnEnding> {
    const { signal } = this.#turn;
    const cancel = () => this.#cancel();
    signal.addEventListener("abort", cancel, { once: true });
    const ending = await this.#converse();
    signal.removeEventListener("abort", cancel);
    clearTimeout(this.#timer);
    this.#joiner.end();
    return ending;
  }

  /** A prompt, and as long as something was refused with words another one that has them. */
  async #converse(): Promise<TurnEnding> {
    const { connection, meter, traits } = this.#session;
    let text = this.#turn.prompt;
    let spent: Pick<PromptEnd, "figures" | "costUsd"> | null = null;
    for (let followUps = 0; ; followUps++) {
      const answer = await this.#prompt(text);
      if (answer.kind === "gone")
        return this.#isCancelled ? CANCELLED : { kind: "lost", problem: connection.problem };
      if (answer.kind === "error") return this.#endFailed(answer.error);
      const end = this.#reader.end(answer.result, this.#isCancelled);
      const measured = meter.measure(end, traits);
      spent = spent === null ? measured : addSpent(spent, measured);
      const words = this.#refusals.splice(0);
      if (words.length === 0 || this.#isCancelled || followUps === MAX_FOLLOW_UPS) {
        this.emit(describePromptEnd({ ...end, ...spent }));
        return this.#isCancelled ? CANCELLED : { kind: "ended" };
      }
      text = words.join("\n");
      this.emit([...end.results, describeWords(text)]);
    }
  }

  async #prompt(text: string) {
    const { id, connection, traits } = this.#session;
    this.#reader = new PromptReader(traits);
    this.#asking = new AbortController();
    const answer = await connection.request(callPrompt(id, text));
    this.#asking.abort();
    return answer;
  }

  /** Some agents call it an error that they were asked to stop. */
  #endFailed({ reason, message }: Failure): TurnEnding {
    if (this.#isCancelled) return CANCELLED;
    this.emit([errorEvent(reason, message), finalEvent({ isSuccess: false })]);
    return { kind: "ended" };
  }

  #cancel(): void {
    const { id, connection } = this.#session;
    this.#isCancelled = true;
    connection.outbox.push(notifyCancel(id));
    this.#asking.abort();
    this.#timer = setTimeout(
      () => connection.end("the agent did not stop when it was asked to"),
      STOP_MS,
    );
  }

  /** Whatever the agent asks for permission is decided elsewhere, and may take minutes. */
  async decide(id: MessageId, params: JsonRecord): Promise<void> {
    const asked = asRecord(params.toolCall);
    const knownId = asName(asked.toolCallId);
    const callId = knownId ?? `asked-${id}`;
    const { tools } = this.#reader;
    this.emit(tools.update({ ...asked, toolCallId: callId, status: "in_progress" }));
    const call = tools.read(callId);
    const decision = decideOption(await this.#ask(knownId, call), call, params.options);
    tools.notePermission(callId, decision.isAllowed);
    if (decision.words !== null) this.#refusals.push(decision.words);
    this.#session.connection.outbox.push(answerPermission(id, decision.optionId));
  }

  /** Null where the agent no longer wants to know. */
  async #ask(callId: string | null, { tool, args }: OwnCall): Promise<ToolAnswer | null> {
    const { signal } = this.#asking;
    if (signal.aborted) return null;
    const decision = this.#turn.decideTool({ callId, tool, args, signal });
    const answer = await unlessAborted(decision, signal, null);
    return signal.aborted ? null : answer;
  }
}

export const CANCELLED: TurnEnding = { kind: "cancelled" };

/** The person's own side of the log shows what followed a refusal. */
const describeWords = (content: string): LogEvent => ({
  kind: "message",
  role: "user",
  content,
  at: null,
  parent: null,
  isStreamed: false,
});

interface OptionDecision {
  readonly isAllowed: boolean;
  /** Null is the protocol's "cancelled". */
  readonly optionId: string | null;
  /** What the model is told after it, because a refusal itself carries no words. */
  readonly words: string | null;
}

function decideOption(
  answer: ToolAnswer | null,
  { tool }: OwnCall,
  offered: unknown,
): OptionDecision {
  if (answer === null) return { isAllowed: false, optionId: null, words: null };
  const once = findOption(offered, ["allow_once"]);
  const isAllowed = answer.kind === "allow" && answer.args === null && once !== null;
  if (isAllowed) return { isAllowed, optionId: once, words: null };
  const optionId = findOption(offered, ["reject_once", "reject_always"]);
  return { isAllowed, optionId, words: describeRefusal(answer, tool) };
}

/** What would allow more than this one call is never chosen. */
function findOption(offered: unknown, kinds: readonly string[]): string | null {
  const options = asList(offered).map(asRecord);
  const found = kinds.map((kind) => options.find((option) => option.kind === kind));
  return asName(found.find((option) => option !== undefined)?.optionId);
}

function describeRefusal(answer: ToolAnswer, tool: string): string | null {
  if (answer.kind === "deny")
    return answer.reason.trim() === "" ? null : `The person refused \`${tool}\`: ${answer.reason}`;
  if (answer.args === null) return `\`${tool}\` was refused: it cannot be allowed just once`;
  const args = JSON.stringify(answer.args);
  return `\`${tool}\` was refused as it was; call it again with exactly these arguments: ${args}`;
}
