import * as z from "zod/mini";
import type { CommandContext } from "../command/context.ts";
import { fault } from "../command/fault.ts";
import { nearestNames } from "../command/nearest-names.ts";
import { ok } from "../command/result.ts";
import type { Manifest } from "../session/manifest.ts";
import type { Misfit } from "../session/resumption.ts";
import { flag, text } from "./argument-shapes.ts";
import { defineBundled, type Program } from "./program.ts";

export default defineBundled({
  name: "resume",
  description: "Open a saved session here and report what no longer fits",
  category: "session",
  effect: "exclusive",
  examples: ["adj resume", "adj resume before-refactoring"],
  args: z.strictObject({
    name: text("the last one saved in this project", { positional: 0 }),
    force: flag("give up turns of this session that are not saved"),
  }),
  run: async ({ name, force }, context, program) => {
    const { findMisfits, losesTurns, resumeState } = await import("../session/resumption.ts");
    const { digestCommands } = await import("./command-digests.ts");
    const manifest = await findManifest(name, program);
    const current = await context.session.get();
    if (!force && losesTurns(manifest, current)) throw unsaved(current.turns.length);
    const misfits = findMisfits(manifest, {
      agents: await program.agents(),
      commands: await digestCommands(await program.layers()),
      params: current.params,
    });
    await context.session.update((state) => resumeState(manifest, state));
    return report(manifest, misfits, context);
  },
});

async function findManifest(name: string | undefined, program: Program): Promise<Manifest> {
  const { listSaved, readSession, sessionFile } = await import("./session-files.ts");
  const names = listSaved(program.stateDir).map((saved) => saved.name);
  if (name !== undefined) {
    const manifest = readSession(sessionFile(program.stateDir, name));
    if (manifest === null) throw notSaved(name, names);
    return manifest;
  }
  for (const saved of names) {
    const manifest = readSession(sessionFile(program.stateDir, saved));
    if (manifest?.root === program.root) return manifest;
  }
  throw notSaved(null, names);
}

function report(manifest: Manifest, misfits: readonly Misfit[], { session }: CommandContext) {
  const { name, agent, model, workflow, turns, saved_at: savedAt } = manifest;
  const lines = [
    `resumed ${name}, saved ${savedAt}, with ${turns.length} turns`,
    ...misfits.map(({ kind, name: what, problem }) => `${kind} ${what}: ${problem}`),
  ];
  return ok(lines.join("\n"), {
    name,
    savedAt,
    sessionId: session.id,
    agent,
    model,
    workflow,
    turns: turns.length,
    misfits,
  });
}

const unsaved = (count: number) =>
  fault(
    "InputInvalid",
    { what: "this session", problem: `${count} turns of it would be lost` },
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
