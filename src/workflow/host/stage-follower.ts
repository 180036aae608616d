// What others are to know of the stage a run is in: its row, for commands and approvals of an attached session, and its
// events in the record. A run that is taken up passes its earlier stages again in a moment; those are not told twice.
import type { JsonValue } from "../../core/command/context.ts";
import type { EventType } from "../../core/command/event.ts";
import type { HostServices } from "../../core/commands/host-extension.ts";
import type { StageRow } from "../../core/store/stages.ts";
import type { Stage, Workflow } from "../definition/workflow.ts";
import type { StageEvent } from "../engine/stages/stage-run.ts";
import type { RunRecord } from "../journal/journal.ts";

type FollowedRun = Pick<RunRecord, "id" | "workflow" | "sessionId">;

export class StageFollower {
  readonly #services: HostServices;
  readonly #run: FollowedRun;
  readonly #workflow: Workflow;
  readonly #known: { readonly entered: number; readonly left: number };
  #entered = 0;
  #left = 0;

  constructor(services: HostServices, run: FollowedRun, workflow: Workflow) {
    this.#services = services;
    this.#run = run;
    this.#workflow = workflow;
    const { audit } = services.program;
    const count = (type: EventType) =>
      [...audit.read({ types: [type], correlationId: run.id })].length;
    this.#known = { entered: count("StageEntered"), left: count("StageLeft") };
  }

  follow(event: StageEvent): void {
    const { stage, visit, phase } = event;
    if (phase === "enter") {
      this.#entered += 1;
      if (this.#entered > this.#known.entered)
        recordRunEvent(this.#services, this.#run, "StageEntered", { stage: stage.name, visit });
    }
    if (phase === "exit") {
      this.#left += 1;
      const { isPassed, reason } = event;
      if (this.#left > this.#known.left)
        recordRunEvent(this.#services, this.#run, "StageLeft", {
          ...{ stage: stage.name, visit, isPassed, reason },
        });
    }
    if (this.#entered < this.#known.entered) return;
    if (phase === "enter" || phase === "act" || phase === "check")
      this.#write(stage, phase === "act");
    this.#show({ stage: stage.name, visit, phase });
  }

  #write(stage: Stage, isActing: boolean): void {
    const { sessionId } = this.#run;
    if (sessionId === null) return;
    const row = stageRowOf(this.#run, this.#workflow, stage, isActing);
    this.#services.program.sessions().stages.write(sessionId, row);
  }

  #show(data: JsonValue): void {
    const { sessionId, id, workflow } = this.#run;
    this.#services.tell(sessionId ?? id, { run: id, workflow, event: data });
  }
}

export function stageRowOf(
  { id: runId, workflow: name }: Pick<RunRecord, "id" | "workflow">,
  workflow: Workflow,
  { name: stage, mode, posture, commands, hide }: Stage,
  isActing: boolean,
): StageRow {
  const requires = workflow.form === "stages" ? workflow.requires : [];
  return { runId, workflow: name, stage, isActing, mode, posture, commands, hide, requires };
}

export function recordRunEvent(
  { program }: HostServices,
  { id, workflow, sessionId }: FollowedRun,
  type: EventType,
  data: Readonly<Record<string, JsonValue>>,
): void {
  program.audit.append({
    time: new Date().toISOString(),
    type,
    correlationId: id,
    sessionId,
    origin: { surface: "library" },
    data: { run: id, workflow, ...data },
  });
}
