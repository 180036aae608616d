import { defineCommand, ok, z } from "adjutant";

/** Keeps notes in the session: what is written is committed with the command's success. */
export default defineCommand({
  description: "Note something for the next stand-up, or show the notes",
  effect: "write",
  safety: "read_only",
  args: z.object({
    note: z.string().optional().meta({ positional: 0, description: "leave out to show all" }),
    clear: z.boolean().default(false),
  }),
  run: async ({ note, clear }, { session }) => {
    const notes = await session.slot().update((before) => {
      const known = Array.isArray(before) && !clear ? before : [];
      return note === undefined ? known : [...known, note];
    });
    const lines = Array.isArray(notes) ? notes.map((one) => `- ${one}`) : [];
    return ok(lines.length === 0 ? "no notes" : lines.join("\n"), { notes });
  },
});
