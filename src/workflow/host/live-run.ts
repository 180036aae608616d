// A run that this host owns, from its claim to its end: the engine with calls, commands and questions of the host behind it.
import { loadAdapters } from "../../agents/roster.ts";
import type { JsonValue } from "../../core/command/context.ts";
import { formatFault } from "../../core/command/fault.ts";
import { newId } from "../../core/command/new-id.ts";
import type { Request } from "../../core/command/request.ts";
import { textOfOutput } from "../../core/command/result.ts";
import type { HostServices } from "../../core/commands/host-extension.ts";
import { maskSecrets, secretValues } from "../../core/secrets/mask.ts";
import type { Stage, Workflow } from "../definition/workflow.ts";
import type { AgentBreakers } from "../engine/breakers.ts";
import type { WorkflowEnding } from "../engine/census.ts";
import { systemClock } from "../engine/clock.ts";
import {
  type AgentCall,
  type EffectPorts,
  OPENING_PATH,
  type PerformEffect,
} from "../engine/effect.ts";
import { executeRun } from "../engine/execute-run.ts";
import type { Journal, RunRecord } from "../journal/journal.ts";
import { removeUnchanged } from "../worktree/call-worktree.ts";
import { askPersonFor } from "./ask-person.ts";
import { callAgent } from "./call-agent.ts";
import { createForms } from "./forms.ts";
import { readAllowed } from "./read-definition.ts";
import { recordRunEvent, StageFollower } from "./stage-follower.ts";

export interface LiveRunOptions {
  readonly services: HostServices;
  readonly journal: Journal;
  readonly breakers: AgentBreakers;
  readonly run: RunRecord;
  readonly workflow: Workflow;
  readonly env: Readonly<Record<string, string>>;
}

/** What the person says to begin with, and with what. */
export interface Opening {
  readonly text: string;
  readonly env: Readonly<Record<string, string>>;
}

export class LiveRun {
  readonly #options: LiveRunOptions;
  readonly #leave = new AbortController();
  #env: Readonly<Record<string, string>>;
  #opening: PromiseWithResolvers<string> | null = null;
  readonly #settled = Promise.withResolvers<void>();
  readonly ended: Promise<WorkflowEnding>;

  constructor(options: LiveRunOptions) {
    this.#options = options;
    this.#env = options.env;
    this.ended = this.#execute().finally(() => this.#settled.resolve());
  }

  get run(): RunRecord {
    return this.#options.run;
  }

  /** Attached, and nothing happens before the person's next prompt. */
  get isWaitingForPrompt(): boolean {
    return this.#opening !== null;
  }

  /** Kept when it waits for the person's prompt, acts, or has ended. */
  settled(): Promise<void> {
    return this.#settled.promise;
  }

  /** False where it does not wait for it. */
  begin({ text, env }: Opening): boolean {
    const opening = this.#opening;
    if (opening === null) return false;
    this.#opening = null;
    this.#env = env;
    opening.resolve(text);
    return true;
  }

  /** Ends what is under way; all of it can be taken up. */
  async leave(): Promise<void> {
    this.#leave.abort();
    // How it ended, its owner is told by the same promise.
    await this.ended.catch(() => undefined);
  }

  async #execute(): Promise<WorkflowEnding> {
    const { services, journal, run, workflow } = this.#options;
    const follower = new StageFollower(services, run, workflow);
    const isAttached = run.sessionId !== null;
    const ending = await executeRun({
      ...this.#options,
      runId: run.id,
      workflow,
      env: this.#env,
      ports: this.#makePorts(run.limits.usd === null ? new Set() : await listCosted()),
      clock: systemClock,
      // One of the sessions that no list has.
      newId: () => `${run.id}.${newId()}`,
      forms: createForms({
        readWorkflow: (word) => readAllowed(services.program, word, { ...run, env: this.#env }),
        onStage: (event) => {
          follower.follow(event);
          if (event.phase === "act") this.#settled.resolve();
        },
        beforeFirstAct: isAttached ? (stage, perform) => this.#awaitPrompt(stage, perform) : null,
      }),
      narration: {
        log: (text) => this.#tell({ log: text }),
        phase: (title) => this.#tell({ phase: title }),
      },
      signal: this.#leave.signal,
      onChange: () => this.#tell({ changed: true }),
    });
    if (ending.kind === "left") return ending;
    await cleanUpRun(services, journal, { run, env: this.#env });
    const reason = ending.kind === "done" ? null : ending.reason;
    recordRunEvent(services, run, "WorkflowEnded", { status: ending.kind, reason });
    this.#tell({ ended: ending.kind });
    return ending;
  }

  #makePorts(costed: ReadonlySet<string>): EffectPorts {
    const { services, run } = this.#options;
    const ports = { services, notice: (text: string) => this.#tell({ log: text }) };
    return {
      statesCost: (agent) => costed.has(agent),
      callAgent: (call: AgentCall) => callAgent(ports, { ...call, env: this.#env }),
      runCommand: (call) => runCommandFor(services, call, { root: run.root, env: this.#env }),
      ask: (call) =>
        call.question === openingQuestion(run)
          ? this.#awaitOpening(call)
          : askPersonFor(services, call, () => this.#leave.signal.aborted),
    };
  }

  /** Journaled like any answer of a person, so that a run that is taken up begins with the same words. */
  async #awaitPrompt(_: Stage, perform: PerformEffect): Promise<string> {
    const question = openingQuestion(this.run);
    const effect = { kind: "ask", question, choices: [], isInput: true } as const;
    const outcome = await perform({ path: OPENING_PATH, effect });
    return outcome.kind === "value" && typeof outcome.value === "string" ? outcome.value : "";
  }

  async #awaitOpening(call: Parameters<EffectPorts["ask"]>[0]): Promise<JsonValue | null> {
    const opening = Promise.withResolvers<string>();
    this.#opening = opening;
    this.#settled.resolve();
    call.onWaiting(call.question);
    const given = Promise.withResolvers<null>();
    const stop = () => given.resolve(null);
    call.signal.addEventListener("abort", stop, { once: true });
    if (call.signal.aborted) stop();
    try {
      const text = await Promise.race([opening.promise, given.promise]);
      // The window it was typed in is not the one that attached the workflow.
      if (text !== null) call.onKept(maskSecrets(text, secretValues(this.#env)));
      return text;
    } finally {
      this.#opening = null;
      call.signal.removeEventListener("abort", stop);
      call.onWaiting(null);
    }
  }

  #tell(data: Readonly<Record<string, JsonValue>>): void {
    const { services, run } = this.#options;
    services.tell(run.sessionId ?? run.id, { run: run.id, workflow: run.workflow, ...data });
  }
}

/** Of a run that has ended nothing is taken up any more. */
export async function cleanUpRun(
  services: HostServices,
  journal: Journal,
  { run, env }: Pick<LiveRunOptions, "run" | "env">,
): Promise<void> {
  const { signal } = new AbortController();
  const git = { cwd: run.cwd, env, signal };
  for (const { number, worktree } of journal.listEntries(run.id))
    if (worktree !== null && (await removeUnchanged(worktree, git).catch(() => false)))
      journal.change(run.id, number, { worktree: null });
  const { stages, questions } = services.program.sessions();
  for (const { id, details } of questions.listOpen())
    if (details.workflowRun === run.id) questions.close(id, "closed");
  const { sessionId } = run;
  if (sessionId !== null && stages.read(sessionId)?.runId === run.id) stages.write(sessionId, null);
  await services.closeThread(run.id);
}

/** Agents that say what they cost: only with those a limit in dollars can be kept. */
async function listCosted(): Promise<ReadonlySet<string>> {
  const adapters = await loadAdapters();
  const stating = adapters.filter((one) => one.capabilities(null).statesCost === true);
  return new Set(stating.map(({ name }) => name));
}

const openingQuestion = ({ workflow }: Pick<RunRecord, "workflow">): string =>
  `your next prompt starts workflow ${workflow}`;

// A command of a workflow: dispatched like a person's, in the run's folder; below an agent nothing is granted.

type CommandCall = Parameters<EffectPorts["runCommand"]>[0];
type CommandAnswer = Awaited<ReturnType<EffectPorts["runCommand"]>>;

interface CommandScope {
  readonly root: string;
  /** The person's variables, of whoever started the run. */
  readonly env: Readonly<Record<string, string>>;
}

async function runCommandFor(
  { program }: HostServices,
  { name, args, cwd, sessionId, signal }: CommandCall,
  { root, env }: CommandScope,
): Promise<CommandAnswer> {
  const adjutant = await program.open({ cwd, root, env, surface: "library" });
  try {
    // What it shows as it goes is part of its result, too.
    const { result, error } = await adjutant.dispatch({
      ...readCommand(name, args),
      ...{ sessionId, signal },
    });
    return {
      exitCode: result.exitCode,
      output: textOfOutput(result.output),
      errorOutput:
        error === undefined ? textOfOutput(result.errorOutput ?? "") : formatFault(error),
      metadata: toJson(result.metadata),
    };
  } finally {
    await adjutant.close();
  }
}

/** A whole line where nothing but a name is given that holds more than one word. */
function readCommand(name: string, args: CommandCall["args"]): Request["command"] {
  if (Array.isArray(args) && args.length === 0 && /\s/.test(name.trim())) return { line: name };
  return { name, args };
}

/** What JSON cannot hold of it is left out. */
const toJson = (value: unknown): JsonValue => JSON.parse(JSON.stringify(value ?? null));
