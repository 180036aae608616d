// The client's side of a conversation: what the agent says goes in, events and answers come out. It
// has no effects, so a saved conversation reads like a live one.
import { classifyFailure } from "../error-codes.ts";
import { asList, asName, asRecord, asText, isRecord, type JsonRecord } from "../json-fields.ts";
import {
  answerDelta,
  errorEvent,
  finalEvent,
  initEvent,
  type LogEvent,
  NO_EVENTS,
} from "../log-event.ts";
import type { OutputDialect } from "../output-dialect.ts";
import { sumUsage, type UsageFigures } from "../usage.ts";
import { decidePermission, type PermissionPolicy } from "./decide-permission.ts";
import {
  answerPermission,
  openSession,
  promptSession,
  REQUEST,
  type RpcMessage,
  refuseRequest,
} from "./messages.ts";
import { ToolCalls } from "./tool-calls.ts";
import { convertUsage, readCost, readUsage } from "./usage.ts";

export interface ConversationPlan {
  readonly cwd: string;
  readonly prompt: string;
  readonly resume: string | null;
  /** Null where a saved conversation is read: what was answered then is not in it. */
  readonly policy: PermissionPolicy | null;
  readonly send: (message: RpcMessage) => void;
  /** The agent has said its final word. */
  readonly onEnd: () => void;
}

export class Conversation implements OutputDialect {
  readonly #plan: ConversationPlan;
  readonly #tools = new ToolCalls();
  readonly #steps: UsageFigures[] = [];
  #agent: string | null = null;
  #lastWords = "";
  #costUsd: number | null = null;

  constructor(plan: ConversationPlan) {
    this.#plan = plan;
  }

  readonly recognizes = ({ jsonrpc }: JsonRecord): boolean => jsonrpc === "2.0";

  readRecord(message: JsonRecord): readonly LogEvent[] {
    const method = asName(message.method);
    const id = typeof message.id === "string" || typeof message.id === "number" ? message.id : null;
    if (method === "session/update")
      return this.#readUpdate(asRecord(asRecord(message.params).update));
    if (method !== null && id !== null) return this.#answer(id, method, asRecord(message.params));
    if (isRecord(message.error)) return this.#fail(message.error);
    return this.#readResult(id, asRecord(message.result));
  }

  finish(): readonly LogEvent[] {
    return NO_EVENTS;
  }

  #answer(id: number | string, method: string, params: JsonRecord): readonly LogEvent[] {
    if (method !== "session/request_permission") {
      this.#plan.send(refuseRequest(id, method));
      return NO_EVENTS;
    }
    const call = asRecord(params.toolCall);
    if (this.#plan.policy !== null) this.#decide(id, params, this.#plan.policy);
    return this.#tools.update({ ...call, status: "in_progress" });
  }

  #decide(id: number | string, params: JsonRecord, policy: PermissionPolicy): void {
    const { isAllowed, optionId } = decidePermission(policy, params);
    const callId = asName(asRecord(params.toolCall).toolCallId);
    if (callId !== null) this.#tools.notePermission(callId, isAllowed);
    this.#plan.send(answerPermission(id, optionId));
  }

  #readResult(id: number | string | null, result: JsonRecord): readonly LogEvent[] {
    if (id === REQUEST.initialize) {
      const { name, version } = asRecord(result.agentInfo);
      this.#agent = asName(name);
      this.#plan.send(openSession(this.#plan.cwd, this.#plan.resume));
      return [initEvent({ agentVersion: asName(version) })];
    }
    if (id === REQUEST.open) {
      const sessionId = asName(result.sessionId) ?? this.#plan.resume;
      this.#plan.send(promptSession(sessionId ?? "", this.#plan.prompt));
      return [initEvent({ sessionId, model: readModel(result) })];
    }
    return id === REQUEST.prompt ? this.#end(result) : NO_EVENTS;
  }

  #readUpdate(update: JsonRecord): readonly LogEvent[] {
    const text = asText(asRecord(update.content).text) ?? "";
    switch (update.sessionUpdate) {
      case "agent_message_chunk":
        this.#noteStep(asRecord(asRecord(update._meta).usage));
        this.#lastWords = text === "" ? this.#lastWords : text;
        return text === "" ? NO_EVENTS : [answerDelta(text)];
      case "agent_thought_chunk":
        return [{ kind: "delta", channel: "thinking", text, at: null, parent: null }];
      case "tool_call":
      case "tool_call_update":
        return this.#tools.update(update);
      case "usage_update":
        this.#costUsd = readCost(update) ?? this.#costUsd;
        return NO_EVENTS;
      default:
        return NO_EVENTS;
    }
  }

  /** Qwen Code gives each step's figures beside an empty piece of its answer. */
  #noteStep(usage: JsonRecord): void {
    if (usage.inputTokens !== undefined) this.#steps.push(convertUsage(usage));
  }

  #end(result: JsonRecord): readonly LogEvent[] {
    this.#plan.onEnd();
    const stopReason = asName(result.stopReason);
    const error = this.#findError(stopReason);
    const figures = sumUsage(this.#steps) ?? readUsage(result, this.#agent);
    return [
      { kind: "usage", figures, costUsd: this.#costUsd, scope: "run", at: null },
      ...(error === null ? [] : [error]),
      finalEvent({ isSuccess: error === null, stopReason }),
    ];
  }

  #findError(stopReason: string | null): LogEvent | null {
    if (stopReason === "refusal") return errorEvent("REFUSED", "the agent refused to go on");
    if (stopReason === "max_turn_requests")
      return errorEvent("MAX_TURNS", "the agent reached its limit of turns");
    if (stopReason === "cancelled") return errorEvent("ABORTED", "the agent's turn was cancelled");
    // Copilot 1.0.102 ends such a turn as usual and only says so.
    const reason = classifyFailure({ text: this.#lastWords });
    const isSaid = this.#agent === "Copilot" && this.#lastWords.startsWith("Error: ");
    return isSaid && reason !== "UNKNOWN" ? errorEvent(reason, this.#lastWords) : null;
  }

  #fail(error: JsonRecord): readonly LogEvent[] {
    this.#plan.onEnd();
    const details = asName(asRecord(error.data).details);
    const message = [asName(error.message), details].filter((part) => part !== null).join(": ");
    const status = typeof error.code === "number" && error.code > 0 ? error.code : null;
    const reason = classifyFailure({ status, text: readStatus(message) });
    return [errorEvent(reason, message || "the agent failed"), finalEvent({ isSuccess: false })];
  }
}

/** `401 no such key` begins with the status, without saying that it is one. */
const readStatus = (message: string): string => message.replace(/(^|: )(\d{3}) /, "$1status $2 ");

/** By its name where the agent lists one; ids may be internal. */
function readModel({ models, configOptions }: JsonRecord): string | null {
  const { currentModelId, availableModels } = asRecord(models);
  const listed = asList(availableModels)
    .map(asRecord)
    .find((model) => model.modelId === currentModelId);
  const option = asList(configOptions)
    .map(asRecord)
    .find(({ id }) => id === "model");
  return asName(listed?.name) ?? asName(currentModelId) ?? asName(option?.currentValue);
}
