// The questions of Codex's app server: each goes to whoever decides, and its answer goes back in the app server's words.
// What cannot be put as a tool call is refused (0.166).
import { unlessAborted } from "../../core/command/cancellation.ts";
import { asRecord, type JsonRecord } from "../../core/project/json-value.ts";
import { asText } from "../log/json-fields.ts";
import type { JsonRpcPeer, RpcId } from "../protocol/json-rpc-peer.ts";
import type { ToolAnswer, ToolRequest } from "../run/conversation.ts";
import {
  type RequestedCall,
  readAskedCommand,
  readAskedMcpCall,
  readAskedPatch,
} from "./tool-call.ts";

type Decision = "accept" | "decline" | "cancel";

interface QuestionsOptions {
  readonly peer: JsonRpcPeer;
  /** The folder that the thread works in. */
  readonly cwd: () => string;
}

type DecideTool = (request: ToolRequest) => Promise<ToolAnswer>;

/** More at once nobody asks who waits for the answers. */
const MAX_OPEN_QUESTIONS = 100;
const MAX_OPEN_ITEMS = 1_000;

export class AppServerQuestions {
  readonly #peer: JsonRpcPeer;
  readonly #cwd: () => string;
  readonly #open = new Map<RpcId, AbortController>();
  /** Items that a question may be about, which says no more of them than their id, or less. */
  readonly #items = new Map<string, JsonRecord>();
  readonly #allowed = new Set<string>();
  #decide: DecideTool | null = null;

  constructor({ peer, cwd }: QuestionsOptions) {
    this.#peer = peer;
    this.#cwd = cwd;
  }

  /** Between turns nobody decides, and all is refused. */
  begin(decide: DecideTool): void {
    this.#decide = decide;
    this.#allowed.clear();
  }

  end(): void {
    this.#decide = null;
    for (const question of this.#open.values()) question.abort();
    this.#open.clear();
  }

  isAllowed(callId: string): boolean {
    return this.#allowed.has(callId);
  }

  /** Keeps what a later question needs, of any thread: an agent below this one asks for itself. */
  note(method: string, params: JsonRecord): void {
    if (method === "serverRequest/resolved") this.#forget(params.requestId);
    const item = asRecord(params.item);
    const id = asText(item.id);
    if (id === null || (item.type !== "fileChange" && item.type !== "mcpToolCall")) return;
    if (method === "item/completed") this.#items.delete(id);
    else if (method === "item/started" && this.#items.size < MAX_OPEN_ITEMS)
      this.#items.set(id, item);
  }

  ask(id: RpcId, method: string, params: JsonRecord): void {
    const write = Object.hasOwn(ANSWERS, method) ? ANSWERS[method] : undefined;
    if (write === undefined) {
      this.#peer.refuse(id, method);
      return;
    }
    const decide = this.#open.size < MAX_OPEN_QUESTIONS ? this.#decide : null;
    const call = this.#readCall(method, params);
    const answer = (decision: Decision) => this.#peer.answer(id, write(decision));
    if (call === null || decide === null) answer("decline");
    else void this.#settle({ id, call, params, decide, answer });
  }

  #readCall(method: string, params: JsonRecord): RequestedCall | null {
    if (method === "item/commandExecution/requestApproval")
      return readAskedCommand(params, this.#cwd());
    if (method === "item/fileChange/requestApproval")
      return readAskedPatch(this.#items.get(asText(params.itemId) ?? "") ?? {}, this.#cwd());
    return method === "mcpServer/elicitation/request"
      ? readAskedMcpCall(params, this.#items.values())
      : null;
  }

  async #settle({ id, call, params, decide, answer }: Question): Promise<void> {
    const question = new AbortController();
    const { signal } = question;
    this.#open.set(id, question);
    const decided = await unlessAborted(decide({ ...call, signal }), signal, null);
    if (decided === null || signal.aborted) {
      answer("cancel");
      return;
    }
    const reason = whyNot(decided, call);
    if (reason === null && call.callId !== null) this.#allowed.add(call.callId);
    // A refusal carries no words: they are sent before it, so that the model reads both together.
    if (reason !== null) await this.#explain(params, `\`${call.tool}\` was refused: ${reason}`);
    this.#open.delete(id);
    answer(signal.aborted ? "cancel" : reason === null ? "accept" : "decline");
  }

  #explain({ threadId, turnId }: JsonRecord, text: string): Promise<unknown> {
    return this.#peer.request("turn/steer", {
      threadId,
      expectedTurnId: turnId,
      input: [{ type: "text", text, text_elements: [] }],
    });
  }

  #forget(id: unknown): void {
    if (typeof id !== "number" && typeof id !== "string") return;
    this.#open.get(id)?.abort();
    this.#open.delete(id);
  }
}

interface Question {
  readonly id: RpcId;
  readonly call: RequestedCall;
  readonly params: JsonRecord;
  readonly decide: DecideTool;
  readonly answer: (decision: Decision) => void;
}

/** Other arguments cannot be handed back, and those that were asked about are not what was allowed. */
function whyNot(decided: ToolAnswer, { tool, args }: RequestedCall): string | null {
  if (decided.kind === "deny") return decided.reason;
  const wanted = JSON.stringify(decided.args ?? args);
  if (wanted === JSON.stringify(args)) return null;
  return `not as it was; call \`${tool}\` with these arguments instead: ${wanted}`;
}

/** The methods by which it asks, and how each is answered. */
const ANSWERS: Readonly<Record<string, (decision: Decision) => object>> = {
  "item/commandExecution/requestApproval": (decision) => ({ decision }),
  "item/fileChange/requestApproval": (decision) => ({ decision }),
  "mcpServer/elicitation/request": (action) => ({ action, content: null, _meta: null }),
  // More rights than the sandbox gives, for whatever comes: none.
  "item/permissions/requestApproval": () => ({ permissions: {}, scope: "turn" }),
};
