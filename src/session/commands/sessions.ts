import * as z from "zod/mini";
import { ok } from "../../core/command/result.ts";
import { defineBundled } from "../../core/commands/bundled.ts";
import { isPrivateSession } from "../../core/store/sessions.ts";
import type { Turn } from "../../core/store/turn-row.ts";
import { formatLocalTime, screenWidth, WIDTH_VARIABLE } from "../../core/terminal/render.ts";
import { formatTable } from "../../core/terminal/text-columns.ts";

const COLUMNS = [
  { title: "SESSION" },
  { title: "NAME" },
  { title: "TURNS" },
  { title: "RUNS" },
  { title: "HELD BY" },
  { title: "WAITING" },
  { title: "CHANGED" },
  { title: "PROJECT", least: 16, cut: "start" },
] as const;

export default defineBundled({
  name: "sessions",
  description: "List sessions: their turns, what runs, who holds them, what is saved",
  category: "session",
  safety: "read_only",
  env: [WIDTH_VARIABLE],
  args: z.strictObject({}),
  run: async (_, context, program) => {
    const { listSaved } = await import("../manifest.ts");
    const { turns } = program.sessions();
    const unfinished = Map.groupBy(turns.listUnfinished(), ({ sessionId }) => sessionId);
    const sessions = program
      .sessions()
      .list()
      .filter(({ id }) => !isPrivateSession(id))
      .map((row) => ({
        ...row,
        turns: turns.count(row.id),
        ...describeTurns(unfinished.get(row.id) ?? []),
      }));
    const saved = listSaved(program.stateDir);
    const rows = sessions.map((row) => [
      row.id === context.session.id ? `${row.id} *` : row.id,
      row.name ?? "",
      row.turns === 0 ? "" : String(row.turns),
      [
        row.running === null ? "" : `${row.running.agent ?? ""} ${row.running.status}`.trim(),
        row.queued === 0 ? "" : `${row.queued} queued`,
      ]
        .filter(Boolean)
        .join(", "),
      row.holder === null ? "" : `pid ${row.holder.pid}`,
      row.waiting === 0 ? "" : String(row.waiting),
      formatLocalTime(row.updatedAt),
      row.root ?? "",
    ]);
    const width = screenWidth(context);
    const lines = rows.length === 0 ? ["no sessions"] : formatTable(COLUMNS, rows, width);
    const savedRows = saved.map(({ name, savedAt }) => [name, formatLocalTime(savedAt)]);
    const savedLines = formatTable([{ title: "SAVED" }, { title: "AT" }], savedRows, width);
    const text = saved.length === 0 ? lines : [...lines, "", ...savedLines];
    return ok(text.join("\n"), {
      current: context.session.id,
      sessions: sessions.map(({ holder, ...row }) => ({
        ...row,
        holder: holder === null ? null : { pid: holder.pid },
      })),
      saved,
    });
  },
});

/** What a session does now; prompts and answers are nobody else's business. */
function describeTurns(unfinished: readonly Turn[]) {
  const underWay = unfinished.find(({ status }) => status !== "queued");
  return {
    running:
      underWay === undefined
        ? null
        : { turn: underWay.number, status: underWay.status, agent: underWay.agent },
    queued: unfinished.filter(({ status }) => status === "queued").length,
  };
}
