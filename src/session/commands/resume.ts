import * as z from "zod/mini";
import { countOf } from "../../agents/log/figures.ts";
import type { CommandContext } from "../../core/command/context.ts";
import { fault } from "../../core/command/fault.ts";
import { didYouMean } from "../../core/command/names.ts";
import { newId } from "../../core/command/new-id.ts";
import { ok } from "../../core/command/result.ts";
import {
  type AttachOutcome,
  defineBundled,
  flagArgument,
  type Program,
  textArgument,
} from "../../core/commands/bundled.ts";
import { isFolder } from "../../core/project/files.ts";
import { formatLocalTime } from "../../core/terminal/render.ts";
import type { SessionManifest } from "../manifest.ts";
import type { ResumptionProblem } from "../resumption.ts";

export default defineBundled({
  name: "resume",
  description: "Open a saved session here and report what no longer fits",
  category: "session",
  effect: "exclusive",
  // A workflow that goes on here is started with the person's own variables.
  inheritEnv: true,
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
    const workflow = await bringWorkflow(manifest, context, program);
    return report(manifest, { misfits, workflow }, context);
  },
});

const keptMode = ({ mode }: SessionManifest): ResumptionProblem => ({
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

/** What became of the workflow: the one that was saved, or one that is attached here and was not. */
interface BroughtWorkflow extends AttachOutcome {
  readonly name: string;
}

/** Last of all, because it may begin to act. One that is attached here already stays where it is. */
async function bringWorkflow(
  { workflow, attached = null }: SessionManifest,
  context: CommandContext,
  program: Program,
): Promise<BroughtWorkflow | null> {
  const here = program.sessions().stages.read(context.session.id);
  if (workflow === null)
    return here === null
      ? null
      : { name: here.workflow, isAttached: true, text: "stays attached; none was saved" };
  if (attached === null)
    return { name: workflow, isAttached: false, text: "its run was not saved; attach it again" };
  if (here?.runId === attached.run_id)
    return { name: workflow, isAttached: true, text: `is attached, in stage ${here.stage}` };
  const bring = program.features.find(({ bringAttached }) => bringAttached)?.bringAttached;
  if (bring === undefined) throw new TypeError("no feature brings what is attached");
  const saved = { workflow, runId: attached.run_id, stage: attached.stage };
  return { name: workflow, ...(await bring(saved, context, program)) };
}

interface ResumeReport {
  readonly misfits: readonly ResumptionProblem[];
  readonly workflow: BroughtWorkflow | null;
}

function report(
  manifest: SessionManifest,
  { misfits: found, workflow: brought }: ResumeReport,
  { session }: CommandContext,
) {
  const { name, agent, model, mode, turns, saved_at: savedAt } = manifest;
  const isLost = brought !== null && !brought.isAttached;
  const misfits: readonly ResumptionProblem[] = isLost
    ? [...found, { kind: "workflow", name: brought.name, problem: brought.text }]
    : found;
  const workflow = brought?.isAttached ? brought.name : null;
  const lines = [
    `resumed ${name}, saved ${formatLocalTime(savedAt)}, with ${countOf(turns.length, "turn")}`,
    ...(workflow === null ? [] : [`workflow ${workflow}: ${brought?.text}`]),
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
  const problem = name === null ? "no session of it is saved" : "it is not saved";
  const meant = name === null ? "" : didYouMean(name, names, 1);
  const hint = "see what there is with `adj sessions`";
  return fault("InputInvalid", { what, problem: `${problem}${meant}` }, { hint });
}
