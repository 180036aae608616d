import * as z from "zod/mini";
import { formatFault } from "../command/fault.ts";
import { fail, ok } from "../command/result.ts";
import { defineBundled } from "./bundled.ts";

export default defineBundled({
  name: "reload",
  description: "Read commands and settings again; a broken new state keeps the old one",
  category: "commands",
  args: z.strictObject({}),
  run: async (_, context, program) => {
    const report = await program.reload();
    const { kind, commands, problems } = report;
    program.publish(context, "CommandsReloaded", {
      kind,
      commands,
      problems: problems.map(({ code }) => code),
    });
    const reasons = problems.map(formatFault);
    const metadata = { kind, commands, problems };
    if (kind === "kept")
      return fail(["the old commands are kept", ...reasons].join("\n"), 1, metadata);
    return ok([`reloaded ${commands} commands`, ...reasons].join("\n"), metadata);
  },
});
