// Questions of commands that the console runs: they stand beside those of turns, and are answered by the same keys.
import type { JsonValue } from "../../core/command/context.ts";
import { newId } from "../../core/command/new-id.ts";
import type { Interactor } from "../../core/command/request.ts";
import { WINDOW } from "./console-session.ts";
import type { OpenQuestion } from "./state/question-state.ts";

export interface LocalQuestions {
  readonly interactor: Interactor;
  /** False where it is no question of a command. */
  answer(id: string, answer: JsonValue): boolean;
}

interface QuestionPorts {
  ask(question: OpenQuestion): void;
}

export function createConsoleInteractor({ ask }: QuestionPorts): LocalQuestions {
  const waiting = new Map<string, (answer: JsonValue) => void>();
  const put = (question: Omit<OpenQuestion, "id" | "details">): Promise<JsonValue> => {
    const id = newId();
    const { promise, resolve } = Promise.withResolvers<JsonValue>();
    waiting.set(id, resolve);
    ask({ ...question, id, details: {} });
    return promise;
  };
  return {
    interactor: {
      name: WINDOW,
      confirm: async (text) =>
        (await put({ kind: "confirm", text, choices: [], isSecret: false })) === true,
      select: async (text, choices) =>
        String(await put({ kind: "select", text, choices, isSecret: false })),
      input: async (text, options) =>
        String(await put({ kind: "input", text, choices: [], isSecret: options?.secret === true })),
    },
    answer: (id, answer) => {
      const resolve = waiting.get(id);
      waiting.delete(id);
      resolve?.(answer);
      return resolve !== undefined;
    },
  };
}
