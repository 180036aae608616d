import * as z from "zod/mini";
import type { JsonValue } from "../../core/command/context.ts";
import { fault } from "../../core/command/fault.ts";
import { didYouMean } from "../../core/command/names.ts";
import { PERSON_USES } from "../../core/command/person.ts";
import { ok } from "../../core/command/result.ts";
import { type BundledContext, defineBundled, textsArgument } from "../../core/commands/bundled.ts";
import { secretValues } from "../../core/secrets/mask.ts";
import type { Question, QuestionStore } from "../../core/store/questions.ts";

export default defineBundled({
  name: "answer",
  description: "Answer a question that an agent, a command or a workflow waits with",
  category: "session",
  person: PERSON_USES.answer,
  // What in the words is a secret is told by the person's own variables, too.
  inheritEnv: true,
  argumentHint: "<question> <yes|no|session|text …>",
  examples: ["adj answer q7f3a2 yes", "adj answer q7f3a2 no use npm test instead"],
  args: z.strictObject({
    question: z
      .string()
      .check(z.meta({ positional: 0, plain: true, description: "its id, or the beginning of it" })),
    words: textsArgument("`yes`, `session` (and the like of it), `no`, or words", {
      positional: "rest",
    }),
  }),
  run: async ({ question: name, words }, context, program) => {
    const { questions } = program.sessions();
    questions.closeLost(new Date().toISOString());
    const question = findQuestion(questions, name);
    const { readAnswerWords } = await import("../question-text.ts");
    const read = readAnswerWords(question, words);
    if (read.kind === "none")
      throw fault("ArgumentsInvalid", { command: "answer", problem: read.problem });
    const window = context.mode === "cli" ? "shell" : context.mode;
    if (!(await giveAnswer(question.id, read.answer, window, { context, program }))) {
      const by = questions.read(question.id)?.answeredBy ?? "another window";
      throw fault("QuestionOver", { question: question.id, problem: `it was answered in ${by}` });
    }
    program.publish(context, "InteractionAnswered", { kind: question.kind, question: question.id });
    return ok(`answered ${question.id}`, { question: question.id });
  },
});

/** The host hands it on whole; what is written, and all that another process can read, has no secret in it. */
async function giveAnswer(
  id: string,
  answer: JsonValue,
  by: string,
  { context, program }: BundledContext,
): Promise<boolean> {
  const { maskTexts } = await import("../../agents/log/json-fields.ts");
  const { findHost } = await import("../host/address.ts");
  const kept = maskTexts(answer, secretValues(context.env.forChild()));
  const host = findHost(program.stateDir);
  // One of another version may not know what is kept.
  if (host?.version !== program.version) return program.sessions().questions.answer(id, kept, by);
  const { createHostClient } = await import("../host/client.ts");
  return (await createHostClient(host).answer(id, answer, by, kept)) === "accepted";
}

function findQuestion(questions: QuestionStore, name: string): Question {
  const open = questions.listOpen();
  const [first, second] = open.filter(({ id }) => id.startsWith(name));
  if (first !== undefined && second === undefined) return first;
  const known = questions.read(name);
  if (known !== null)
    throw fault("QuestionOver", { question: name, problem: `it is ${known.status}` });
  const ids = open.map(({ id }) => id);
  const meant = didYouMean(name, ids, 1);
  const problem = second === undefined ? `there is no such question${meant}` : "it begins several";
  const hint = "see what waits with `adj questions`";
  throw fault("QuestionOver", { question: name, problem }, { hint });
}
