// A question in a line, and the answer that a word means for it.

import type { JsonValue } from "../core/command/context.ts";
import { quoteNames } from "../core/command/names.ts";
import type { Question } from "../core/store/questions.ts";

/** `q3f2a` waits: who asks for what, and how to answer. */
export function describeQuestion({ id, text, status, answeredBy, choices }: Question): string {
  if (status === "open") return `${text}; answer with \`adj answer ${id} ${hintOf(choices)}\``;
  if (status === "answered") return `answered in ${answeredBy ?? "another window"}`;
  return status === "expired" ? "nobody answered in time" : "the question is no longer needed";
}

const hintOf = (choices: readonly string[]): string =>
  choices.length === 0 ? "TEXT" : choices.filter((choice) => !choice.includes("-")).join("|");

type ReadAnswer =
  | { readonly kind: "answer"; readonly answer: JsonValue }
  | { readonly kind: "none"; readonly problem: string };

/** What the words after `adj answer ID` mean. */
export function readAnswerWords(
  { kind, choices }: Pick<Question, "kind" | "choices">,
  words: readonly string[],
): ReadAnswer {
  const [first = "", ...rest] = words;
  const text = words.join(" ").trim();
  if (text === "") return { kind: "none", problem: "there is no answer" };
  switch (kind) {
    case "confirm":
      return isWord(first) ? answer(isYes(first)) : none("the answer is `yes` or `no`");
    case "select":
      return choices.includes(text)
        ? answer(text)
        : none(`the answer is one of ${quoteNames(choices)}`);
    case "input":
      return answer(text);
    case "approval":
      return readApproval(first.toLowerCase(), rest.join(" ").trim(), text);
  }
}

const answer = (value: JsonValue): ReadAnswer => ({ kind: "answer", answer: value });
const none = (problem: string): ReadAnswer => ({ kind: "none", problem });

const isWord = (word: string): boolean => /^(?:y|yes|n|no)$/i.test(word);
const isYes = (word: string): boolean => /^y/i.test(word);

/** `yes`, `session`, `no`, `no WORDS for the model`; any other text is a no with these words. */
function readApproval(first: string, rest: string, text: string): ReadAnswer {
  if (/^(?:y|yes)$/.test(first) && rest === "") return answer({ decision: "yes" });
  if (/^(?:session|yes-session)$/.test(first) && rest === "")
    return answer({ decision: "session" });
  if (/^(?:n|no)$/.test(first))
    return answer({ decision: "no", ...(rest === "" ? {} : { words: rest }) });
  return answer({ decision: "no", words: text });
}
