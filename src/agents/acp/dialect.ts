// The client's side of one run: what the agent says goes in, events and answers come out. It has no
// effects, so a saved run reads like a live one.

import { asRecord, isRecord, type JsonRecord } from "../../core/project/json-value.ts";
import type { ErrorReason } from "../log/error-reasons.ts";
import { errorEvent, finalEvent, initEvent, type LogEvent, NO_EVENTS } from "../log/event.ts";
import { asName } from "../log/json-fields.ts";
import {
  decidePermission,
  type FileRequest,
  isFileMethod,
  type PermissionPolicy,
} from "../protocol/acp/client-requests.ts";
import {
  answerPermission,
  callNewSession,
  callOldSession,
  callPrompt,
  describeRpcError,
  type MessageId,
  notifyCancel,
  numberCall,
  PROTOCOL_VERSION,
  type RpcCall,
  type RpcMessage,
  refuseRequest,
} from "../protocol/acp/messages.ts";
import { describePromptEnd, PromptReader } from "../protocol/acp/prompt-reader.ts";
import { chooseMode, chooseModel, readModel } from "../protocol/acp/session-settings.ts";
import { type AcpTraits, readPlainCall } from "../protocol/acp/traits.ts";
import type { OutputDialect } from "../run/output/parser.ts";

// What is known of agents by the name that they give themselves, where any program may be the agent.

const USUAL: AcpTraits = {
  usage: "prompt",
  saysErrors: false,
  toolName: readToolName,
  readCall: readPlainCall,
};

const TRAITS: Readonly<Record<string, Partial<AcpTraits>>> = {
  // 1.0.102.
  Copilot: { usage: "session", saysErrors: true },
  // 1.18.33 gives the figures of its last step as if they were the whole prompt's.
  OpenCode: { usage: "unusable" },
};

export const traitsOf = (agent: string | null): AcpTraits => ({
  ...USUAL,
  ...(agent !== null && Object.hasOwn(TRAITS, agent) ? TRAITS[agent] : {}),
});

function readToolName({ toolName, claudeCode }: JsonRecord): string | null {
  return asName(toolName) ?? asName(asRecord(claudeCode).toolName);
}

/** Each is answered before the next is made, so that its number is also its name. */
export const REQUEST = { initialize: 1, open: 2, prompt: 3, setting: 4 } as const;

interface AcpDialectOptions {
  readonly cwd: string;
  readonly prompt: string;
  readonly resume: string | null;
  /** One of those that the agent lists. */
  readonly model: string | null;
  /** Null where a saved conversation is read: what was answered then is not in it. */
  readonly policy: PermissionPolicy | null;
  readonly send: (message: RpcMessage) => void;
  readonly serveFile: (asked: FileRequest) => void;
  /** The agent has said its final word. */
  readonly onEnd: () => void;
}

export class AcpDialect implements OutputDialect {
  readonly #plan: AcpDialectOptions;
  #prompt = new PromptReader(traitsOf(null));
  #isIntroduced = false;
  #sessionId: string | null = null;
  #isCancelled = false;
  /** Settings of the session that are still to be made before the prompt. */
  #settings: RpcCall[] = [];
  #model: string | null = null;

  constructor(plan: AcpDialectOptions) {
    this.#plan = plan;
  }

  /** The agent has answered at all. */
  get isIntroduced(): boolean {
    return this.#isIntroduced;
  }

  readonly recognizes = ({ jsonrpc }: JsonRecord): boolean => jsonrpc === "2.0";

  readRecord(message: JsonRecord): readonly LogEvent[] {
    const method = asName(message.method);
    const id = typeof message.id === "string" || typeof message.id === "number" ? message.id : null;
    const params = asRecord(message.params);
    if (method === "session/update") return this.#readUpdate(asRecord(params.update));
    if (method !== null) return id === null ? NO_EVENTS : this.#answer(id, method, params);
    if (isRecord(message.error)) return this.#readError(id, message.error);
    return this.#readResult(id, asRecord(message.result));
  }

  finish(): readonly LogEvent[] {
    return NO_EVENTS;
  }

  /** Asks the agent to stop; false where it has nothing to stop yet. */
  cancel(): boolean {
    if (this.#sessionId === null) return false;
    this.#isCancelled = true;
    this.#plan.send(notifyCancel(this.#sessionId));
    return true;
  }

  #answer(id: MessageId, method: string, params: JsonRecord): readonly LogEvent[] {
    if (method === "session/request_permission") return this.#decide(id, params);
    // Only a program that repeats its input asks a client for this.
    if (method === "initialize") return this.#fail("ABORTED", "the program does not speak ACP");
    if (isFileMethod(method)) this.#plan.serveFile({ id, method, params });
    else this.#plan.send(refuseRequest(id, method));
    return NO_EVENTS;
  }

  #decide(id: MessageId, params: JsonRecord): readonly LogEvent[] {
    const { tools } = this.#prompt;
    const { policy, send } = this.#plan;
    const call = asRecord(params.toolCall);
    const events = tools.update({ ...call, status: "in_progress" });
    const callId = asName(call.toolCallId) ?? "";
    if (policy === null) return events;
    const decided = decidePermission(policy, tools.namesOf(callId), params.options);
    if (callId !== "") tools.notePermission(callId, decided.isAllowed && !this.#isCancelled);
    send(answerPermission(id, this.#isCancelled ? null : decided.optionId));
    return events;
  }

  #readResult(id: MessageId | null, result: JsonRecord): readonly LogEvent[] {
    switch (id) {
      case REQUEST.initialize:
        return this.#introduce(result);
      case REQUEST.open:
        return this.#open(result);
      case REQUEST.setting:
        return this.#settle();
      case REQUEST.prompt:
        this.#plan.onEnd();
        return describePromptEnd(this.#prompt.end(result, this.#isCancelled));
      default:
        return NO_EVENTS;
    }
  }

  #introduce({ agentInfo, protocolVersion }: JsonRecord): readonly LogEvent[] {
    const { name, version } = asRecord(agentInfo);
    this.#isIntroduced = true;
    this.#prompt = new PromptReader(traitsOf(asName(name)));
    const introduction = initEvent({ agentVersion: asName(version) });
    if (protocolVersion !== PROTOCOL_VERSION) {
      const problem = `the agent speaks version ${protocolVersion} of the protocol, not ${PROTOCOL_VERSION}`;
      return [introduction, ...this.#fail("ABORTED", problem)];
    }
    const { cwd, resume, send } = this.#plan;
    const call =
      resume === null ? callNewSession(cwd) : callOldSession(resume, { cwd, way: "load" });
    send(numberCall(REQUEST.open, call));
    return [introduction];
  }

  #open(session: JsonRecord): readonly LogEvent[] {
    const { model, policy, resume } = this.#plan;
    const sessionId = asName(session.sessionId) ?? resume;
    if (sessionId === null) return this.#fail("ABORTED", "the agent opened no session");
    this.#sessionId = sessionId;
    const opened = initEvent({ sessionId });
    const choice = model === null ? CURRENT : chooseModel(session, sessionId, model);
    if (choice.kind === "unknown") return [opened, ...this.#fail("INVALID_CONFIG", choice.problem)];
    const mode = chooseMode(session, sessionId, policy?.mode ?? "");
    if (mode !== null) this.#settings.push(mode);
    if (choice.kind === "request") this.#settings.push(choice.request);
    this.#model = choice.kind === "request" ? model : readModel(session);
    return [opened, ...this.#settle()];
  }

  #settle(): readonly LogEvent[] {
    const next = this.#settings.shift();
    this.#plan.send(
      next === undefined
        ? numberCall(REQUEST.prompt, callPrompt(this.#sessionId ?? "", this.#plan.prompt))
        : numberCall(REQUEST.setting, next),
    );
    return next === undefined ? [initEvent({ model: this.#model })] : NO_EVENTS;
  }

  /** A session that is taken up again first repeats what was said in it. */
  #readUpdate(update: JsonRecord): readonly LogEvent[] {
    return this.#sessionId === null ? NO_EVENTS : this.#prompt.readUpdate(update);
  }

  #readError(id: MessageId | null, error: JsonRecord): readonly LogEvent[] {
    if (id !== null && !OWN_REQUESTS.has(id)) return NO_EVENTS;
    // Qwen Code 0.15.10 calls it an error that it was asked to stop.
    if (this.#isCancelled) {
      this.#plan.onEnd();
      return NO_EVENTS;
    }
    const { reason, message } = describeRpcError(error);
    return this.#fail(reason, message);
  }

  #fail(reason: ErrorReason, message: string): readonly LogEvent[] {
    this.#plan.onEnd();
    return [errorEvent(reason, message), finalEvent({ isSuccess: false })];
  }
}

const CURRENT = { kind: "current" } as const;

const OWN_REQUESTS: ReadonlySet<MessageId> = new Set(Object.values(REQUEST));
