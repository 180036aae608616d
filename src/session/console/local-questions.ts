// Questions of commands that the console runs: they stand beside those of turns, and are answered by the same keys.
import type { JsonValue } from "../../core/command/context.ts";
import { newId } from "../../core/command/new-id.ts";
import type { Interactor } from "../../core/command/request.ts";
import type { OpenQuestion } from "./state/question-state.ts";
import { WINDOW } from "./state/transcript-lines.ts";

export interface LocalQuestions {
  /** For one command; when it has ended, what it still asks is taken back. */
  lend(): { readonly interactor: Interactor; readonly takeBack: () => void };
  /** False where it is no question of a command. */
  answer(id: string, answer: JsonValue): boolean;
}

interface QuestionPorts {
  readonly ask: (question: OpenQuestion) => void;
  readonly takeBack: (id: string) => void;
}

type Wanted = Omit<OpenQuestion, "id" | "details">;

export function createLocalQuestions({ ask, takeBack }: QuestionPorts): LocalQuestions {
  const waiting = new Map<string, (answer: JsonValue) => void>();
  const put = (wanted: Wanted, ids: Set<string>): Promise<JsonValue> => {
    const id = newId();
    const { promise, resolve } = Promise.withResolvers<JsonValue>();
    waiting.set(id, resolve);
    ids.add(id);
    ask({ ...wanted, id, details: {} });
    return promise;
  };
  return {
    lend: () => {
      const ids = new Set<string>();
      return {
        interactor: createInteractor((wanted) => put(wanted, ids)),
        takeBack: () => {
          for (const id of ids) if (waiting.delete(id)) takeBack(id);
        },
      };
    },
    answer: (id, answer) => {
      const resolve = waiting.get(id);
      waiting.delete(id);
      resolve?.(answer);
      return resolve !== undefined;
    },
  };
}

const createInteractor = (put: (wanted: Wanted) => Promise<JsonValue>): Interactor => ({
  name: WINDOW,
  confirm: async (text) =>
    (await put({ kind: "confirm", text, choices: [], isSecret: false })) === true,
  select: async (text, choices) =>
    String(await put({ kind: "select", text, choices, isSecret: false })),
  input: async (text, options) =>
    String(await put({ kind: "input", text, choices: [], isSecret: options?.secret === true })),
});
