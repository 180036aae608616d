import * as z from "zod/mini";
import { PERSON_USES } from "../../core/command/person.ts";
import { ok } from "../../core/command/result.ts";
import { defineBundled } from "../../core/commands/bundled.ts";
import { formatLocalTime, screenWidth, WIDTH_VARIABLE } from "../../core/terminal/render.ts";
import { formatTable } from "../../core/terminal/text-columns.ts";

const COLUMNS = [
  { title: "QUESTION" },
  { title: "SINCE" },
  { title: "ASKED", least: 24 },
  { title: "SESSION", least: 12, cut: "start" },
] as const;

export default defineBundled({
  name: "questions",
  description: "List what waits for a person's answer, in all sessions",
  category: "session",
  safety: "read_only",
  person: PERSON_USES.questions,
  env: [WIDTH_VARIABLE],
  args: z.strictObject({}),
  run: async (_, context, program) => {
    const { questions } = program.sessions();
    questions.closeLost(new Date().toISOString());
    const open = questions.listOpen();
    if (open.length === 0) return ok("nothing waits for an answer", { questions: [] });
    const rows = open.map(({ id, askedAt, text, sessionId }) => [
      id,
      formatLocalTime(askedAt),
      text,
      sessionId,
    ]);
    const lines = formatTable(COLUMNS, rows, screenWidth(context));
    const hint = "answer with `adj answer QUESTION yes`, or `no` and words for the model";
    return ok([...lines, "", hint].join("\n"), { questions: open });
  },
});
