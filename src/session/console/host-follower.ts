// What happens in the session, as the host tells it: first what was, then what comes, also where one host takes the place of
// another.
import { ownProblem } from "../../core/command/fault.ts";
import { isClientSession } from "../../core/store/sessions.ts";
import { type ConnectedHost, connectHost } from "../host/connect.ts";
import type { HostEvent } from "../host/session-host.ts";
import type { ConsoleSession } from "./console-session.ts";
import { RECALLED_TURNS } from "./session-facts.ts";
import type { ConsoleAction } from "./state/console-state.ts";

interface FollowerPorts {
  /** Ends it. */
  readonly signal: AbortSignal;
  readonly session: () => ConsoleSession;
  readonly replaceHost: (host: ConnectedHost) => void;
  /** Ids of those that the window shows. */
  readonly openQuestions: () => readonly string[];
  /** Until no prompt is on its way: only its answer says which turn has the words of this window. */
  readonly untilSent: () => Promise<unknown>;
  readonly act: (action: ConsoleAction) => void;
}

export class HostFollower {
  readonly #ports: FollowerPorts;

  constructor(ports: FollowerPorts) {
    this.#ports = ports;
  }

  /** A host that goes away, by an upgrade or a mishap, is replaced; what became of its turns is asked of the next. */
  async run(): Promise<void> {
    const { signal } = this.#ports;
    try {
      for (let catchUp = () => this.#recall(); ; catchUp = () => this.#takeUp()) {
        await this.#follow(catchUp);
        if (signal.aborted) return;
        await this.#reconnect();
      }
    } catch (error) {
      this.#complain(ownProblem(error));
    }
  }

  /** What was is shown before what comes; from the moment at which it is asked for, nothing is missed. */
  async #follow(catchUp: () => Promise<void>): Promise<void> {
    const { signal, session, untilSent } = this.#ports;
    const { host, id: sessionId } = session();
    const { promise: opened, resolve: onOpen } = Promise.withResolvers<void>();
    const ready = opened
      .then(catchUp)
      .catch((error: unknown) => signal.aborted || this.#complain(ownProblem(error)));
    for await (const event of host.follow({ sessionId, fromStart: true, signal, onOpen })) {
      await ready;
      await untilSent();
      this.#hear(event);
    }
  }

  /** Of a session that is gone on with. */
  async #recall(): Promise<void> {
    const { session, act, untilSent } = this.#ports;
    const { host, id, isOld } = session();
    if (isOld) {
      const turns = await host.turns(id, RECALLED_TURNS);
      await untilSent();
      act({ kind: "recalled", turns });
    }
    for (const question of await host.questions()) this.#hear({ kind: "question", question });
  }

  async #reconnect(): Promise<void> {
    const { signal, session, replaceHost } = this.#ports;
    const { program, env } = session();
    replaceHost(await connectHost({ program, env, signal }));
    this.#complain("the host went away; there is another one now");
  }

  async #takeUp(): Promise<void> {
    const { session, act, openQuestions } = this.#ports;
    const { program, host, id } = session();
    for (const turn of await host.turns(id, RECALLED_TURNS))
      act({ kind: "host", event: { kind: "turn", turn } });
    // Whoever lists them closes those that nobody waits for any more.
    await host.questions();
    const { questions } = program.sessions();
    for (const asked of openQuestions()) {
      const question = questions.read(asked);
      if (question !== null) act({ kind: "host", event: { kind: "question", question } });
    }
  }

  /** Of another session only what a client in this project waits for. */
  #hear(event: HostEvent): void {
    const { id, program } = this.#ports.session();
    if (event.kind === "question") {
      const { sessionId, details } = event.question;
      const isClients = isClientSession(sessionId) && details.root === program.root;
      if (sessionId !== id && !isClients) return;
    }
    this.#ports.act({ kind: "host", event });
  }

  #complain(text: string): void {
    this.#ports.act({ kind: "problem", text });
  }
}
