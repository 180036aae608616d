// Which session a console is a window of: a new one, the one that is named, or the last one of this project.
import { type CommandContext, EMPTY_SESSION } from "../../core/command/context.ts";
import { fault, misuse } from "../../core/command/fault.ts";
import { newId } from "../../core/command/new-id.ts";
import type { Program } from "../../core/commands/bundled.ts";
import { sessionOfRoot } from "../../core/dispatch/session.ts";

export interface SessionChoice {
  readonly session?: string | undefined;
  readonly continue: boolean;
}

export interface ChosenSession {
  readonly id: string;
  /** It has turns already, perhaps. */
  readonly isOld: boolean;
}

export async function chooseSession(
  { session, continue: goesOn }: SessionChoice,
  context: CommandContext,
  program: Program,
): Promise<ChosenSession> {
  if (session !== undefined && goesOn)
    throw misuse("console", "`--session` and `--continue` name two sessions");
  if (session !== undefined)
    return { id: program.sessions().findByName(session) ?? session, isOld: true };
  if (goesOn) return { id: findLast(program), isOld: true };
  const usual = sessionOfRoot(program.root);
  if (context.session.id !== usual) return { id: context.session.id, isOld: true };
  const id = newId();
  await beginLike(usual, id, context, program);
  return { id, isOld: false };
}

/** The session of this project in which a prompt was sent last. */
function findLast(program: Program): string {
  const store = program.sessions();
  const talked = store
    .list()
    .filter(({ root }) => root === program.root)
    .flatMap(({ id }) => store.turns.list(id, 1))
    .toSorted((one, other) => other.queuedAt.localeCompare(one.queuedAt));
  const [last] = talked;
  if (last !== undefined) return last.sessionId;
  throw fault(
    "InputInvalid",
    { what: "this project", problem: "no session of it has a turn to go on from" },
    { hint: "leave `--continue` out" },
  );
}

/** A new conversation begins with the agent, the model and the params that count elsewhere in this project. */
async function beginLike(
  usual: string,
  id: string,
  { signal }: CommandContext,
  program: Program,
): Promise<void> {
  const store = program.sessions();
  const { agent, model, params } = store.read(usual);
  if (agent === null && model === null && Object.keys(params).length === 0) return;
  store.ensure(id, program.root);
  const lease = await store.acquire(id, signal);
  try {
    store.commit(lease, { state: { ...EMPTY_SESSION, agent, model, params } });
  } finally {
    lease.release();
  }
}
