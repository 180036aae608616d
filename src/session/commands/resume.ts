import { statSync } from "node:fs";
import * as z from "zod/mini";
import { countOf } from "../../agents/log/figures.ts";
import type { CommandContext } from "../../core/command/context.ts";
import { fault } from "../../core/command/fault.ts";
import { newId } from "../../core/command/new-id.ts";
import { ok } from "../../core/command/result.ts";
import { nearestNames } from "../../core/command/words.ts";
import {
  defineBundled,
  flagArgument,
  type Program,
  textArgument,
} from "../../core/commands/bundled.ts";
import type { SessionManifest } from "../manifest.ts";
import type { Misfit } from "../resumption.ts";

export default defineBundled({
  name: "resume",
  description: "Open a saved session here and report what no longer fits",
  category: "session",
  effect: "exclusive",
  examples: ["adj resume", "adj resume before-refactoring"],
  args: z.strictObject({
    name: textArgument("the last one saved in this project", { positional: 0 }),
    force: flagArgument("give up turns of this session that are not saved"),
  }),
  run: async ({ name, force }, context, program) => {
    const { findMisfits, losesTurns, restoredTurns, resumeState } = await import(
      "../resumption.ts"
    );
    const { digestCommands } = await import("../command-digests.ts");
    const { listCandidates } = await import("../../agents/choice/cards.ts");
    const manifest = await findManifest(name, program);
    const current = await context.session.get();
    const { turns } = program.sessions();
    const { id } = context.session;
    const held = turns.list(id, turns.count(id));
    if (!force && losesTurns(manifest, held)) throw unsaved(held.length);
    // An agent may open a session, and not grant itself a mode by it.
    const takesMode = manifest.mode === current.mode || !context.isBelowAgent;
    const misfits = [
      ...findMisfits(manifest, {
        agents: await listCandidates(),
        commands: await digestCommands(await program.layers()),
        params: current.params,
        isFolder,
      }),
      ...(takesMode ? [] : [keptMode(manifest)]),
    ];
    await context.session.update((state) => resumeState(manifest, state, { takesMode }));
    turns.restore(id, restoredTurns(manifest, { newId, root: program.root, isFolder }));
    return report(manifest, misfits, context);
  },
});

const isFolder = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

const keptMode = ({ mode }: SessionManifest): Misfit => ({
  kind: "mode",
  name: mode ?? "of the settings",
  problem: "only a person sets it",
});

async function findManifest(name: string | undefined, program: Program): Promise<SessionManifest> {
  const { listSaved, readSession, sessionFile } = await import("../manifest.ts");
  const all = listSaved(program.stateDir);
  const names = all.map((saved) => saved.name);
  if (name !== undefined) {
    const manifest = readSession(sessionFile(program.stateDir, name));
    if (manifest === null) throw notSaved(name, names);
    return manifest;
  }
  // Files of the same moment are told apart by what they say themselves.
  let last: { readonly manifest: SessionManifest; readonly at: string } | null = null;
  for (const saved of all) {
    if (last !== null && saved.savedAt !== last.at) break;
    const manifest = readSession(sessionFile(program.stateDir, saved.name));
    if (manifest?.root !== program.root) continue;
    if (last === null || manifest.saved_at > last.manifest.saved_at)
      last = { manifest, at: saved.savedAt };
  }
  if (last === null) throw notSaved(null, names);
  return last.manifest;
}

function report(
  manifest: SessionManifest,
  misfits: readonly Misfit[],
  { session }: CommandContext,
) {
  const { name, agent, model, mode, workflow, turns, saved_at: savedAt } = manifest;
  const lines = [
    `resumed ${name}, saved ${savedAt}, with ${countOf(turns.length, "turn")}`,
    ...misfits.map(({ kind, name: what, problem }) => `${kind} ${what}: ${problem}`),
  ];
  return ok(lines.join("\n"), {
    name,
    savedAt,
    sessionId: session.id,
    agent,
    model,
    mode,
    workflow,
    turns: turns.length,
    conversations: manifest.conversations.map((row) => row.agent),
    misfits,
  });
}

const unsaved = (count: number) =>
  fault(
    "InputInvalid",
    { what: "this session", problem: `${countOf(count, "turn")} of it would be lost` },
    { hint: "save it first with `adj save NAME`, or give them up with `--force`" },
  );

function notSaved(name: string | null, names: readonly string[]) {
  const what = name === null ? "this project" : `session \`${name}\``;
  const [nearest] = name === null ? [] : nearestNames(name, names);
  const problem = name === null ? "no session of it is saved" : "it is not saved";
  const meant = nearest === undefined ? "" : `; did you mean \`${nearest}\`?`;
  const hint = "see what there is with `adj sessions`";
  return fault("InputInvalid", { what, problem: `${problem}${meant}` }, { hint });
}
