// What of workflows lives in the host: the runs it owns. Whatever it leaves can be taken up by the next one.
import { availableParallelism } from "node:os";
import type { JsonValue } from "../../core/command/context.ts";
import { Fault, fault } from "../../core/command/fault.ts";
import type { HostExtension, HostServices, TurnOrder } from "../../core/commands/host-extension.ts";
import { sessionOfRoot } from "../../core/dispatch/session.ts";
import type { Workflow } from "../definition/workflow.ts";
import { AgentBreakers } from "../engine/breakers.ts";
import { systemClock } from "../engine/clock.ts";
import { hasLivingOwner } from "../engine/control.ts";
import { defaultAtOnce } from "../engine/slots.ts";
import type { Journal, RunRecord } from "../journal/journal.ts";
import { openJournal } from "../journal/sqlite-journal.ts";
import { chooseRunAgent } from "./choose-agent.ts";
import { cleanUpRun, LiveRun } from "./live-run.ts";
import { findMoveProblem, moveRun, readStageOf } from "./move-run.ts";
import { readAllowed, readRecorded } from "./read-definition.ts";
import {
  type AttachRequest,
  type MoveRequest,
  mergeLimits,
  type NewRunRequest,
  newRunId,
  readAttach,
  readDetach,
  readMove,
  readNewRun,
  readResume,
} from "./requests.ts";
import { recordRunEvent, stageRowOf } from "./stage-follower.ts";

type Variables = Readonly<Record<string, string>>;

export const openWorkflowRuns = (services: HostServices): HostExtension =>
  new WorkflowExtension(services);

class WorkflowExtension implements HostExtension {
  readonly name = "workflow";
  readonly #services: HostServices;
  readonly #live = new Map<string, LiveRun>();
  #opened: { readonly journal: Journal; readonly breakers: AgentBreakers } | null = null;
  #isLeaving = false;

  constructor(services: HostServices) {
    this.#services = services;
  }

  /** One that is attached and waits for the person's prompt needs nobody: that prompt starts a host. */
  get busy(): number {
    return [...this.#live.values()].filter((live) => !live.isWaitingForPrompt).length;
  }

  async call(method: string, body: JsonValue, env: Variables): Promise<JsonValue> {
    if (this.#isLeaving) throw fault("HostUnreachable", { problem: "it leaves" });
    switch (method) {
      case "start":
        return this.#start(readNewRun(body), env);
      case "attach":
        return this.#attach(readAttach(body), env);
      case "move":
        return this.#move(readMove(body), env);
      case "detach":
        return this.#detach(readDetach(body).sessionId);
      case "resume": {
        const { runId, limits } = readResume(body);
        if (limits !== null) this.#open().journal.changeRun(runId, { limits });
        return this.#resume(runId, env);
      }
      case "wake":
        await this.takeOver();
        return null;
    }
    throw fault("InputInvalid", {
      what: `workflow \`${method}\``,
      problem: "there is no such call",
    });
  }

  async takePrompt(order: TurnOrder): Promise<boolean> {
    const row = this.#services.program.sessions().stages.read(order.sessionId);
    if (row === null || this.#isLeaving) return false;
    const run = this.#open().journal.readRun(row.runId);
    // The row of a call, or of a run that somebody else has.
    if (run?.sessionId !== order.sessionId) return false;
    if (run.endedAt !== null) {
      this.#services.program.sessions().stages.write(order.sessionId, null);
      return false;
    }
    const live = this.#live.get(run.id) ?? this.#takeUp(run, order.env);
    if (live === null) return false;
    await live.settled();
    return live.begin({ text: order.text, env: order.env });
  }

  async takeOver(): Promise<void> {
    const { journal } = this.#open();
    for (const run of journal.listRuns({})) this.#takeUp(run, this.#services.env);
  }

  /** All that is under way can be taken up at any moment, so nothing needs to be waited for. */
  async drain(): Promise<void> {
    await this.#leaveAll();
  }

  async close(): Promise<void> {
    await this.#leaveAll();
    this.#opened?.journal.close();
    this.#opened = null;
  }

  async #leaveAll(): Promise<void> {
    this.#isLeaving = true;
    await Promise.all([...this.#live.values()].map((live) => live.leave()));
  }

  #open() {
    if (this.#opened === null) {
      const journal = openJournal(this.#services.program.stateDir);
      this.#opened = { journal, breakers: new AgentBreakers({ journal, clock: systemClock }) };
    }
    return this.#opened;
  }

  async #start(request: NewRunRequest, env: Variables): Promise<JsonValue> {
    const { run, workflow } = await this.#addRun(request, { env, sessionId: null });
    this.#execute(run, workflow, env);
    return { runId: run.id };
  }

  async #attach(request: AttachRequest, env: Variables): Promise<JsonValue> {
    const { sessionId } = request;
    const { stages } = this.#services.program.sessions();
    const attached = stages.read(sessionId);
    if (attached !== null) {
      const problem = `workflow \`${attached.workflow}\` is attached to this session already`;
      throw fault(
        "InputInvalid",
        { what: "workflow attach", problem },
        { hint: "`adj workflow detach` first" },
      );
    }
    const { run, workflow } = await this.#addRun(request, { env, sessionId });
    const stage = workflow.form === "stages" ? workflow.stages[workflow.start] : undefined;
    if (stage === undefined) throw new TypeError("a workflow was read without its first stage");
    stages.write(sessionId, stageRowOf(run, workflow, stage, false));
    recordRunEvent(this.#services, run, "WorkflowAttached", { stage: stage.name });
    const live = this.#execute(run, workflow, env);
    await live.settled();
    return { runId: run.id, stage: stages.read(sessionId)?.stage ?? stage.name };
  }

  async #detach(sessionId: string): Promise<JsonValue> {
    const { stages } = this.#services.program.sessions();
    const row = stages.read(sessionId);
    if (row === null)
      throw fault("InputInvalid", { what: "workflow detach", problem: "none is attached" });
    const { journal } = this.#open();
    const live = this.#live.get(row.runId);
    await live?.leave();
    const endedAt = new Date().toISOString();
    const run = journal.readRun(row.runId);
    if (run !== null && run.endedAt === null) {
      journal.changeRun(run.id, { status: "stopped", reason: "it was detached", endedAt });
      await cleanUpRun(this.#services, journal, { run, env: this.#services.env });
    }
    stages.write(sessionId, null);
    const { runId, workflow, stage } = row;
    recordRunEvent(this.#services, { id: runId, workflow, sessionId }, "WorkflowDetached", {
      stage,
    });
    return { runId, stage };
  }

  /** What was attached to a saved session, into the one that it is resumed in: in the stage where it was. */
  async #move({ runId, stage, sessionId, root }: MoveRequest, env: Variables): Promise<JsonValue> {
    const sessions = this.#services.program.sessions();
    const { stages } = sessions;
    const { journal } = this.#open();
    const run = journal.readRun(runId);
    const there = run === null ? null : readStageOf(sessions, run);
    const here = stages.read(sessionId);
    const live = this.#live.get(runId);
    const facts = { sessionId, root, here, there, isOurs: live !== undefined };
    const problem = findMoveProblem(run, facts);
    if (problem !== null || run === null) return { problem };
    const workflow = await readAllowed(this.#services.program, run.file, { ...run, env });
    const name = there?.stage ?? stage;
    const next = workflow.form === "stages" ? workflow.stages[name] : undefined;
    if (next === undefined) return { problem: `it has no stage ${name} any more; attach it again` };
    await live?.leave();
    stages.write(sessionId, stageRowOf(run, workflow, next, false));
    moveRun(journal, run, sessionId);
    const from = there === null ? null : run.sessionId;
    if (from !== null) {
      stages.write(from, null);
      recordRunEvent(this.#services, run, "WorkflowDetached", { stage: name });
    }
    const moved = { ...run, sessionId };
    recordRunEvent(this.#services, moved, "WorkflowAttached", { stage: name });
    this.#execute(moved, workflow, env);
    return { stage: name, from };
  }

  async #resume(runId: string, env: Variables): Promise<JsonValue> {
    const run = this.#open().journal.readRun(runId);
    if (run === null)
      throw fault("InputInvalid", { what: "workflow resume", problem: `no run \`${runId}\`` });
    if (this.#live.has(runId)) return { runId };
    if (hasLivingOwner(run)) throw fault("RunTaken", { run: runId, pid: run.owner?.pid ?? 0 });
    const workflow = await readAllowed(this.#services.program, run.file, { ...run, env });
    this.#execute(run, workflow, env);
    return { runId };
  }

  async #addRun(
    request: NewRunRequest,
    { env, sessionId }: { readonly env: Variables; readonly sessionId: string | null },
  ): Promise<{ readonly run: RunRecord; readonly workflow: Workflow }> {
    const { program } = this.#services;
    const {
      runId: id = newRunId(),
      root,
      cwd,
      file,
      hash,
      agent,
      model,
      mode,
      limits,
      atOnce,
    } = request;
    const workflow = await readAllowed(program, file, { root, cwd, env });
    if (workflow.hash !== hash) {
      const problem = `${file} changed in this moment`;
      throw fault(
        "InputInvalid",
        { what: `workflow ${workflow.name}`, problem },
        { hint: "try again" },
      );
    }
    if (sessionId !== null && workflow.form !== "stages")
      throw fault("InputInvalid", { what: "workflow attach", problem: "a script has no stages" });
    const whose = sessionId ?? (env.ADJ_SESSION_ID || sessionOfRoot(root));
    const place = { root, cwd, env, sessionId: whose };
    const chosen = await chooseRunAgent(program, { agent, model }, { workflow, folders: place });
    const own = workflow.form === "stages" ? workflow : null;
    const { journal } = this.#open();
    journal.addRun({
      ...{ id, workflow: workflow.name, form: workflow.form, file: workflow.file },
      ...{ source: workflow.source, sourceHash: workflow.hash, args: request.args },
      ...{ root, cwd, sessionId, ...chosen, mode: mode ?? own?.mode ?? null },
      limits: mergeLimits(limits, own?.budget ?? null),
      atOnce: atOnce ?? DEFAULT_AT_ONCE,
      ...{ status: "running", reason: null, waitingUntil: null, phase: null, result: undefined },
      ...{ createdAt: new Date().toISOString(), endedAt: null },
    });
    const run = journal.readRun(id);
    if (run === null) throw new TypeError("a run that was written is not there");
    recordRunEvent(this.#services, run, "WorkflowStarted", { form: workflow.form, ...chosen });
    return { run, workflow };
  }

  /** What a dead host left, as it was; null where nothing is to be gone on with. */
  #takeUp(run: RunRecord, env: Variables): LiveRun | null {
    const isLeft = run.status === "running" || run.status === "waiting";
    if (!isLeft || hasLivingOwner(run) || this.#live.has(run.id)) return null;
    return this.#execute(run, readRecorded(run), env);
  }

  #execute(run: RunRecord, workflow: Workflow, env: Variables): LiveRun {
    const { journal, breakers } = this.#open();
    const live = new LiveRun({
      ...{ services: this.#services, journal, breakers, run, workflow, env },
    });
    this.#live.set(run.id, live);
    live.ended
      .catch((error: unknown) => this.#noteFault(run, error))
      .finally(() => {
        // One that was moved lives again by then.
        if (this.#live.get(run.id) === live) this.#live.delete(run.id);
      });
    return live;
  }

  /** Somebody else has it, or the disk is full: the run stays as it is, and can be taken up. */
  #noteFault(run: RunRecord, error: unknown): void {
    if (!(error instanceof Fault)) throw error;
    this.#services.tell(run.sessionId ?? run.id, { run: run.id, problem: error.message });
  }
}

/** The default of the script dialect, which leaves two processors to the person. */
const DEFAULT_AT_ONCE = defaultAtOnce(availableParallelism());
