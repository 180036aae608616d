import { basename } from "node:path";
import * as z from "zod/mini";
import { countOf } from "../../agents/log/figures.ts";
import type { CommandContext } from "../../core/command/context.ts";
import { fault } from "../../core/command/fault.ts";
import { ok } from "../../core/command/result.ts";
import {
  defineBundled,
  flagArgument,
  type Program,
  textArgument,
} from "../../core/commands/bundled.ts";

export default defineBundled({
  name: "save",
  description: "Save this session under a name, without its parameters",
  category: "session",
  effect: "write",
  examples: ["adj save", "adj save before-refactoring"],
  args: z.strictObject({
    name: textArgument("the session's or project's own", { positional: 0 }),
    force: flagArgument("replace what another session saved under this name"),
  }),
  run: async ({ name, force }, context, program) => {
    const { makeSessionManifest, readSession, sessionFile, writeSession } = await import(
      "../manifest.ts"
    );
    const { digestCommands } = await import("../command-digests.ts");
    const { id } = context.session;
    const chosen = name ?? ownName(context, program);
    const file = sessionFile(program.stateDir, chosen);
    const before = readSession(file);
    if (before !== null && before.session_id !== id && !force) throw taken(chosen);
    const { turns: store, stages } = program.sessions();
    const stage = stages.read(id);
    const saved = {
      turns: store.list(id, store.count(id)),
      conversations: store.listConversations(id),
    };
    const manifest = makeSessionManifest(await context.session.get(), saved, {
      name: chosen,
      savedAt: new Date(),
      sessionId: id,
      root: program.root,
      stage,
      commands: await digestCommands(await program.layers()),
    });
    writeSession(file, manifest);
    nameSession(context, program, chosen);
    const { turns, param_paths } = manifest;
    const lost =
      param_paths.length === 0 ? "" : `; ${countOf(param_paths.length, "parameter")} left out`;
    const held = stage === null ? "" : ` and workflow ${stage.workflow} in stage ${stage.stage}`;
    const metadata = {
      ...{ name: chosen, file, turns: turns.length, paramsLeftOut: param_paths },
      workflow: stage?.workflow ?? null,
    };
    return ok(`saved ${chosen} with ${countOf(turns.length, "turn")}${held}${lost}`, metadata);
  },
});

function ownName({ session }: CommandContext, program: Program): string {
  const row = program
    .sessions()
    .list()
    .find(({ id }) => id === session.id);
  const folder = basename(program.root).replaceAll(/^[^A-Za-z0-9]+|[^A-Za-z0-9._-]/g, "");
  return row?.name ?? (folder.slice(0, 64) || session.id);
}

/** A name that another session has stays its name; the saved file is what matters. */
function nameSession({ session }: CommandContext, program: Program, name: string): void {
  const sessions = program.sessions();
  if (sessions.findByName(name) === null) sessions.rename(session.id, name);
}

const taken = (name: string) =>
  fault(
    "InputInvalid",
    { what: `session \`${name}\``, problem: "another session saved it" },
    { hint: "choose another name, or replace it with `--force`" },
  );
