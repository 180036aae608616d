// One session of an editor: a session of ours like any other, whose window the editor is. Prompts become turns, lines with a
// slash become commands, questions become the editor's own requests.

import { asText } from "../../agents/log/json-fields.ts";
import type { JsonRpcPeer, RpcReply } from "../../agents/protocol/json-rpc-peer.ts";
import { APPROVAL_MODES, type JsonValue } from "../../core/command/context.ts";
import { Fault, fault, formatFault } from "../../core/command/fault.ts";
import { newId } from "../../core/command/new-id.ts";
import type { Attachment, Interactor, Outcome } from "../../core/command/request.ts";
import { splitWords } from "../../core/command/words.ts";
import type { Program } from "../../core/commands/bundled.ts";
import type { Adjutant } from "../../core/dispatch/adjutant.ts";
import { asRecord, type JsonRecord } from "../../core/project/json-value.ts";
import type { Question } from "../../core/store/questions.ts";
import type { Turn } from "../../core/store/turn-row.ts";
import type { ConnectedHost } from "../../session/host/connect.ts";
import type { HostEvent } from "../../session/host/session-host.ts";
import { sendWatched, watchRunning } from "../../session/host/watch-turn.ts";
import {
  describePermission,
  describeProgress,
  describeSlashCommands,
  permissionUpdate,
  type SessionUpdate,
  textUpdate,
} from "./updates.ts";

interface EditorSessionOptions {
  readonly id: string;
  readonly cwd: string;
  readonly root: string;
  readonly adjutant: Adjutant;
  readonly program: Program;
  readonly host: ConnectedHost;
  readonly env: Readonly<Record<string, string>>;
  readonly peer: JsonRpcPeer;
  /** An agent that started us may send prompts; it must not answer for the person. */
  readonly isPerson: boolean;
  readonly via: string | null;
}

/** How the record names an editor that answered. */
const WINDOW = "editor";

interface RunningPrompt {
  /** Null where it is a command, and before it is queued. */
  turnId: string | null;
  readonly stop: AbortController;
}

export class EditorSession {
  readonly #options: EditorSessionOptions;
  /** What runs and what waits for it: an editor may send a second prompt before the first is answered. */
  readonly #prompts = new Set<RunningPrompt>();

  readonly #asked = new Set<string>();

  constructor(options: EditorSessionOptions) {
    this.#options = options;
  }

  /** A prompt of this editor runs or waits. */
  get isBusy(): boolean {
    return this.#prompts.size > 0;
  }

  update(update: SessionUpdate): void {
    const { peer, id } = this.#options;
    peer.notify("session/update", { sessionId: id, update });
  }

  async offerCommands(): Promise<void> {
    const found = await this.#options.adjutant.registry.list();
    const summaries = found.flatMap((one) => (one.kind === "found" ? [one.entry.summary] : []));
    this.update(describeSlashCommands(summaries));
  }

  /** What was said so far, as the editor would have seen it; a turn of another window goes on in this one too. */
  async repeat(): Promise<void> {
    const { host, id } = this.#options;
    for (const turn of await host.turns(id, 200)) {
      this.update(textUpdate("user_message_chunk", turn.prompt));
      if (turn.answer !== null) this.update(textUpdate("agent_message_chunk", turn.answer));
      if (turn.startedAt !== null && turn.endedAt === null)
        void this.#watch(turn).catch(this.#tellProblem);
    }
  }

  async #watch(turn: Turn): Promise<void> {
    const watched = await watchRunning(this.#options.host, turn, "load the session again");
    try {
      const { id } = turn;
      const open = (await this.#options.host.questions()).filter(({ turnId }) => turnId === id);
      for (const question of open) this.#show({ kind: "question", question });
      await watched.untilEnded(this.#show);
    } finally {
      await watched.leave();
    }
  }

  /** Why it stopped, in the protocol's words; a fault where it could not be done. */
  async prompt(text: string): Promise<string> {
    const prompt: RunningPrompt = { turnId: null, stop: new AbortController() };
    this.#prompts.add(prompt);
    try {
      const command = await this.#findCommand(text);
      if (command !== null) return await this.#run(command, prompt.stop.signal);
      return await this.#runTurn(text, prompt);
    } finally {
      this.#prompts.delete(prompt);
    }
  }

  /** Cancels what runs and what waits, the last first, so that none of them begins meanwhile. */
  async cancel(): Promise<void> {
    for (const { turnId, stop } of [...this.#prompts].reverse()) {
      stop.abort();
      if (turnId !== null) await this.#options.host.cancel(turnId);
    }
  }

  /** The switches that an editor shows: agent, model, mode. */
  async configOptions(): Promise<JsonRecord[]> {
    const [provider, model, mode] = await Promise.all(
      ["provider", "model", "mode"].map((name) => this.#facts(name)),
    );
    const agents = namesIn(provider?.known);
    const models = namesIn(model?.models);
    return [
      selectOption("agent", "Agent", asText(provider?.agent), agents),
      selectOption("model", "Model", asText(model?.model), models),
      selectOption("mode", "Approvals", asText(mode?.mode), APPROVAL_MODES),
    ];
  }

  async setOption(id: string, value: string): Promise<void> {
    const command = { agent: "provider", model: "model", mode: "mode" }[id];
    if (command === undefined)
      throw fault("InputInvalid", { what: "an option", problem: `there is no \`${id}\`` });
    const outcome = await this.#dispatch(command, [value]);
    if (outcome.kind !== "ok")
      throw fault("InputInvalid", { what: `\`${command}\``, problem: messageOf(outcome) });
  }

  async #facts(name: string): Promise<JsonRecord> {
    const { result } = await this.#dispatch(name, []);
    return asRecord(result.metadata);
  }

  async #findCommand(text: string): Promise<readonly string[] | null> {
    const line = text.trim();
    if (!line.startsWith("/")) return null;
    const name = /^\/(\S+)/.exec(line)?.[1] ?? "";
    if ((await this.#options.adjutant.registry.find(name)) === null) return null;
    return splitWords(line.slice(1));
  }

  async #run([name = "", ...words]: readonly string[], signal: AbortSignal): Promise<string> {
    let isShown = false;
    const onOutput = (chunk: Uint8Array) => {
      isShown = true;
      this.update(textUpdate("agent_message_chunk", Buffer.from(chunk).toString()));
    };
    const outcome = await this.#dispatch(name, words, { onOutput, signal });
    const printed = isShown ? "" : String(outcome.result.output);
    const problem = outcome.kind === "ok" ? "" : messageOf(outcome);
    const text = [printed, problem].filter((part) => part !== "").join("\n");
    if (text !== "") this.update(textUpdate("agent_message_chunk", text));
    return outcome.kind === "cancelled" ? "cancelled" : "end_turn";
  }

  #dispatch(
    name: string,
    args: readonly string[],
    { signal, ...lent }: Pick<Attachment, "onOutput"> & { readonly signal?: AbortSignal } = {},
  ): Promise<Outcome> {
    const { adjutant, id, isPerson } = this.#options;
    return adjutant.dispatch(
      { name, args, sessionId: id, ...(signal === undefined ? {} : { signal }) },
      { ...lent, isInteractive: isPerson, interactors: isPerson ? [this.#interactor()] : [] },
    );
  }

  async #runTurn(text: string, prompt: RunningPrompt): Promise<string> {
    const { host, id: sessionId, env, cwd, root, via } = this.#options;
    const options = { cwd, root, agent: null, model: null, params: {}, via };
    const watched = await sendWatched(host, { sessionId, text, env, options });
    prompt.turnId = watched.turn.id;
    if (prompt.stop.signal.aborted) await host.cancel(watched.turn.id);
    try {
      const ended = await watched.untilEnded(this.#show);
      if (ended.status === "cancelled") return "cancelled";
      if (ended.status === "done") return "end_turn";
      const problem = ended.problem?.message ?? "the turn failed";
      throw fault("AgentRunFailed", { agent: ended.agent, problem });
    } finally {
      await watched.leave();
    }
  }

  readonly #show = (event: HostEvent): void => {
    if (event.kind === "progress") {
      const update = describeProgress(event.event);
      if (update !== null) this.update(update);
    }
    if (event.kind === "notice") this.update(textUpdate("agent_thought_chunk", event.text));
    if (event.kind === "question") void this.#ask(event.question).catch(this.#tellProblem);
  };

  readonly #tellProblem = (error: unknown): void =>
    this.update(textUpdate("agent_thought_chunk", problemOf(error)));

  /** Whoever answers first, here or in another window, is heard. */
  async #ask(question: Question): Promise<void> {
    const { peer, id, isPerson, host } = this.#options;
    // What was asked about stands in the editor's list until it is told that it is over, whoever ended it.
    if (question.status !== "open") return this.update(permissionUpdate(question));
    // One that was open when this window came to the turn may come once more.
    if (this.#asked.has(question.id)) return;
    this.#asked.add(question.id);
    const permission = isPerson ? describePermission(id, question) : null;
    if (permission === null) {
      const how = `it waits for a person: \`adj answer ${question.id}\``;
      this.update(textUpdate("agent_thought_chunk", `${question.text}; ${how}`));
      return;
    }
    const chosen = chosenIn(await peer.request("session/request_permission", permission));
    if (chosen !== null) await host.answer(question.id, answerOf(question, chosen), WINDOW);
  }

  /** Questions of commands: the same requests, without a row of their own. */
  #interactor(): Interactor {
    const put = async (kind: "confirm" | "select", text: string, choices: readonly string[]) => {
      const { peer, id } = this.#options;
      const question: Question = {
        ...{ id: newId(), sessionId: id, turnId: null, kind, text, choices },
        ...{ details: {}, fallback: null, deadlineAt: null },
        ...{ status: "open", answer: null, answeredBy: null, askedAt: new Date().toISOString() },
      };
      const permission = describePermission(id, question) ?? {};
      return chosenIn(await peer.request("session/request_permission", permission));
    };
    return {
      name: WINDOW,
      confirm: async (text) => (await put("confirm", text, [])) === "yes",
      select: async (text, choices) => {
        const chosen = await put("select", text, choices);
        if (chosen !== null && choices.includes(chosen)) return chosen;
        throw fault("Declined", { name: "the question" });
      },
      input: () => {
        const hint = "run the command in a terminal";
        throw fault("Required", { name: "an answer in words" }, { hint });
      },
    };
  }
}

/** Null for whatever is no choice. */
function chosenIn(reply: RpcReply): string | null {
  const { result } = reply.kind === "result" ? reply : { result: null };
  const { outcome, optionId } = asRecord(asRecord(result).outcome);
  return outcome === "selected" ? asText(optionId) : null;
}

function answerOf({ kind }: Question, chosen: string): JsonValue {
  if (kind === "approval") return { decision: chosen };
  return kind === "confirm" ? chosen === "yes" : chosen;
}

function messageOf({ error, result }: Outcome): string {
  if (error === undefined) return String(result.errorOutput ?? "it failed");
  return formatFault(error);
}

const namesIn = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((name) => typeof name === "string") : [];

function selectOption(
  id: string,
  name: string,
  current: string | null,
  values: readonly string[],
): JsonRecord {
  const options = [...new Set([...(current === null ? ["default"] : [current]), ...values])];
  return {
    ...{ id, name, type: "select", currentValue: current ?? "default" },
    ...(id === "agent" ? {} : { category: id }),
    options: options.map((value) => ({ value, name: value })),
  };
}

/** What went wrong, as the protocol has it. */
export const problemOf = (error: unknown): string => {
  if (error instanceof Fault) return formatFault(error);
  throw error;
};
