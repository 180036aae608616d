// What opencode may do by itself, and what it asks about. Without a word of its configuration it runs everything.
import { isDeepStrictEqual } from "node:util";
import { asRecord, type JsonRecord } from "../../core/project/json-value.ts";
import { asName } from "../log/json-fields.ts";
import type { ToolAnswer, TurnRequest } from "../run/conversation.ts";
import type { OpencodeServer } from "./serve.ts";
import type { ServeTurn } from "./serve-turn.ts";

/** What it asks about, by the words of 1.18.33; each is named because a rule of the user's for one would count more than `*`. */
const CHANGING = [
  "*",
  "bash",
  "edit",
  "webfetch",
  "websearch",
  "external_directory",
  "task",
  "skill",
];
const READING = ["glob", "grep", "list", "lsp", "todowrite"];

/**
 * Variables by which it asks about everything, or does nothing but read; the variable goes over all configuration files.
 * A sub-agent has no other rules than these.
 */
export function describePermissions(action: "ask" | "deny"): Readonly<Record<string, string>> {
  const reading = action === "ask" ? action : "allow";
  const rules = {
    ...Object.fromEntries(CHANGING.map((name) => [name, action])),
    ...Object.fromEntries(READING.map((name) => [name, reading])),
    // Who reads without being asked reads no secrets.
    read: action === "ask" ? action : { "*": "allow", "*.env": "deny", "*.env.*": "deny" },
    ...NOBODY_ANSWERS,
  };
  return { OPENCODE_PERMISSION: JSON.stringify(rules) };
}

const NOBODY_ANSWERS = { question: "deny", plan_enter: "deny", plan_exit: "deny" } as const;

interface SessionRule {
  readonly permission: string;
  readonly pattern: "*";
  readonly action: "ask" | "deny";
}

/** Rules of one session, which go over those of the agent that the user has configured. */
export function sessionRules({ isPlan }: { readonly isPlan: boolean }): readonly SessionRule[] {
  const rule = (permission: string, action: SessionRule["action"]): SessionRule => ({
    permission,
    pattern: "*",
    action,
  });
  return [
    rule("*", "ask"),
    ...Object.keys(NOBODY_ANSWERS).map((name) => rule(name, "deny")),
    ...(isPlan ? [rule("edit", "deny")] : []),
  ];
}

interface Refused {
  readonly requestId: string;
  readonly reason: string;
}

/** The questions of one turn: each call is decided once, whatever opencode asks about it, and the turn goes on. */
export class PermissionQuestions {
  readonly #server: Pick<OpencodeServer, "request">;
  readonly #request: Pick<TurnRequest, "decideTool" | "signal">;
  readonly #turn: ServeTurn;
  /** By call: a command outside the folder is asked about twice. */
  readonly #decided = new Map<string, Promise<ToolAnswer>>();
  readonly #refused: Refused[] = [];
  #open = 0;

  constructor(
    server: Pick<OpencodeServer, "request">,
    request: Pick<TurnRequest, "decideTool" | "signal">,
    turn: ServeTurn,
  ) {
    this.#server = server;
    this.#request = request;
    this.#turn = turn;
  }

  /** Takes a `permission.asked`, from a sub-agent too. */
  async ask(question: JsonRecord): Promise<void> {
    const requestId = asName(question.id);
    if (requestId === null) return;
    const callId = asName(asRecord(question.tool).callID);
    this.#open += 1;
    const answer = await this.#decide(callId, question);
    this.#open -= 1;
    if (callId !== null) this.#turn.noteAnswer(callId, answer.kind);
    if (answer.kind === "allow") await this.#reply(requestId, { reply: "once" });
    else this.#refused.push({ requestId, reason: answer.reason });
    if (this.#open === 0) await this.#sendRefusals();
  }

  #decide(callId: string | null, question: JsonRecord): Promise<ToolAnswer> {
    const known = callId === null ? undefined : this.#decided.get(callId);
    if (known !== undefined) return known;
    const { tool, args } = this.#turn.findCall(callId) ?? describeQuestion(question);
    const { decideTool, signal } = this.#request;
    const decided = decideTool({ callId, tool, args, signal }).then((answer) =>
      keepArguments(answer, args),
    );
    if (callId !== null) this.#decided.set(callId, decided);
    return decided;
  }

  /** One refusal refuses whatever else is open, without a word: it waits until nothing is, and has all the words. */
  async #sendRefusals(): Promise<void> {
    const refused = this.#refused.splice(0);
    const [first, ...rest] = refused;
    if (first === undefined) return;
    const reasons = [...new Set(refused.map(({ reason }) => reason))];
    await this.#reply(first.requestId, { reply: "reject", message: reasons.join("\n") });
    for (const { requestId, reason } of rest)
      await this.#reply(requestId, { reply: "reject", message: reason });
  }

  /** A question that is closed by now, with its turn or by another refusal, needs no answer. */
  async #reply(requestId: string, answer: { reply: string; message?: string }): Promise<void> {
    const path = `/permission/${encodeURIComponent(requestId)}/reply`;
    await this.#server.request("POST", path, answer).catch(() => null);
  }
}

/** What is asked about where nothing was told of a call. */
const describeQuestion = ({ permission, patterns, metadata }: JsonRecord) => ({
  tool: asName(permission) ?? "unknown",
  args: { ...asRecord(metadata), patterns },
});

/** Its calls cannot be changed; what may be done instead is told to the model. */
function keepArguments(answer: ToolAnswer, asked: JsonRecord): ToolAnswer {
  if (answer.kind === "deny")
    return { kind: "deny", reason: answer.reason.trim() || "it was refused" };
  if (answer.args === null || isDeepStrictEqual(answer.args, asked)) return answer;
  const reason = `Not like this. Call the tool again with exactly these arguments: ${JSON.stringify(answer.args)}`;
  return { kind: "deny", reason };
}
