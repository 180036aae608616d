// A script of the dialect from its first line to its end. All that it does goes through `perform`; all that it can reach is
// in a process of its own, whose every word is checked.
import type { JsonValue } from "../../core/command/context.ts";
import { findFirstNode, readSyntax } from "../definition/script-syntax.ts";
import { whereIs } from "../definition/source-position.ts";
import type { EffectOutcome, PerformEffect, RunNarration } from "../engine/effect.ts";
import {
  childOutcome,
  describeLoss,
  IDLE_ENDING,
  limitResult,
  placesInFile,
  type ScriptEnding,
} from "./ending.ts";
import { makePrelude } from "./inside/prelude.ts";
import {
  readScriptMessage,
  type ScriptCall,
  type ScriptMessage,
  writeAnswer,
  writeStart,
} from "./messages.ts";
import { readRequest, type WorkflowRef } from "./requests.ts";
import { SCRIPT_ENTRY, SCRIPT_LIMITS, type ScriptLimits, ScriptProcess } from "./script-process.ts";

/** Runs the workflow that another one calls, as one more script or as stages; the path is put before those of its effects. */
type RunChild = (
  ref: WorkflowRef,
  args: JsonValue | undefined,
  path: string,
) => Promise<ScriptEnding>;

export interface ScriptOptions {
  /** As `ScriptWorkflow.body`. */
  readonly body: string;
  /** Stands before the places of what it throws. */
  readonly file: string;
  readonly args: JsonValue | undefined;
  /** Output tokens; null is no limit. */
  readonly budgetTotal: number | null;
  readonly perform: PerformEffect;
  /** Null in a script that another one called: there it goes no deeper. */
  readonly runChild: RunChild | null;
  readonly narration: RunNarration;
  readonly signal: AbortSignal;
  /** Stands before all paths. */
  readonly path?: string;
  readonly limits?: Partial<ScriptLimits>;
  /** Another program in the place of the script's process. */
  readonly entry?: string;
}

/** Runs it; when this returns, its process is gone. It rejects only with what `perform` or `runChild` rejected with. */
export async function runScript(options: ScriptOptions): Promise<ScriptEnding> {
  if (options.signal.aborted) return { kind: "ended", reason: "stopped" };
  const problem = findTextProblem(options.body);
  if (problem === null) return new ScriptRun(options).ending;
  const { line, column } = whereIs(options.body, problem.at, options.file);
  const stack = [`${options.file}:${line}:${column}`];
  return { kind: "threw", name: "SyntaxError", message: problem.message, stack };
}

/**
 * `import()` is the one thing in a script's text by which something else could be loaded; text that is made while it runs
 * is no code here. So it is looked for before the script is started. Null where all is well.
 */
function findTextProblem(body: string): { readonly message: string; readonly at: number } | null {
  const reading = readSyntax(body, { takesExports: false });
  if (reading.kind === "wrong") return { message: reading.problem, at: reading.at };
  const found = findFirstNode(reading.program, ({ type }) => type === "ImportExpression");
  if (found === null) return null;
  const message = "`import()` is refused: a script has only the names of the dialect";
  return { message, at: found.start };
}

/** Of calls that nobody has answered. */
const MAX_WAITING_LENGTH = 256 * 1024 * 1024;
const MAX_NARRATION_LINES = 20_000;

class ScriptRun {
  readonly ending: Promise<ScriptEnding>;
  readonly #options: ScriptOptions;
  readonly #limits: ScriptLimits;
  readonly #process: ScriptProcess;
  readonly #warned = new Set<string>();
  #result: ScriptEnding | null = null;
  #bug: { readonly error: unknown } | null = null;
  #lastId = 0;
  #waitingLength = 0;
  #spent = 0;
  #narrated = 0;

  constructor(options: ScriptOptions) {
    this.#options = options;
    this.#limits = { ...SCRIPT_LIMITS, ...options.limits };
    const onLine = (line: string) => this.#readLine(line);
    this.#process = new ScriptProcess(options.entry ?? SCRIPT_ENTRY, this.#limits, { onLine });
    this.ending = this.#run();
  }

  async #run(): Promise<ScriptEnding> {
    const { body, file, args, budgetTotal, signal } = this.#options;
    const stop = () => this.#end({ kind: "ended", reason: "stopped" });
    signal.addEventListener("abort", stop, { once: true });
    const facts = {
      args: args === undefined ? null : JSON.stringify(args),
      budgetTotal,
      spent: this.#spent,
    };
    this.#process.send(writeStart({ prelude: makePrelude(), script: body, file, facts }));
    const loss = await this.#process.over;
    signal.removeEventListener("abort", stop);
    if (this.#bug !== null) throw this.#bug.error;
    return this.#result ?? describeLoss(loss, this.#limits);
  }

  #end(ending: ScriptEnding): void {
    this.#result ??= ending;
    this.#process.end();
  }

  #readLine(line: string): void {
    const message = readScriptMessage(line);
    if (message === null) this.#refuse(`it said what is no message: ${line.slice(0, 80)}`);
    else this.#receive(message, line);
  }

  #refuse(what: string): void {
    const message = `the script's process was ended: ${what}`;
    this.#end({ kind: "hung", cause: "protocol", message });
  }

  #receive(message: ScriptMessage, line: string): void {
    switch (message.kind) {
      case "call":
        this.#begin(message, line.length);
        break;
      case "pong":
        this.#process.noteAnswer();
        break;
      case "log":
      case "warning":
      case "phase":
        this.#narrate(message.kind, message.text);
        break;
      case "unawaited":
        this.#warn(
          `the script ended while ${message.calls} of its calls were under way; they are waited for (is an \`await\` missing?)`,
        );
        break;
      case "idle":
        this.#end(IDLE_ENDING);
        break;
      case "returned":
        this.#end(limitResult(message, line));
        break;
      case "threw": {
        const { name, message: text, stack } = message;
        const own = placesInFile(stack, this.#options.file);
        this.#end({ kind: "threw", name, message: text, stack: own });
      }
    }
  }

  #narrate(kind: "log" | "warning" | "phase", text: string): void {
    this.#narrated += 1;
    if (this.#narrated > MAX_NARRATION_LINES) return;
    if (kind === "phase") this.#options.narration.phase(text);
    else if (kind === "log") this.#options.narration.log(text);
    else this.#warn(text);
  }

  #warn(text: string): void {
    this.#options.narration.log(`warning: ${text}`);
  }

  #begin(call: ScriptCall, length: number): void {
    if (call.id <= this.#lastId) {
      this.#refuse(`call ${call.id} came out of order`);
      return;
    }
    this.#lastId = call.id;
    this.#waitingLength += length;
    this.#carryOut(call).then(
      (outcome) => {
        this.#waitingLength -= length;
        this.#answer(call.id, outcome);
      },
      (error: unknown) => {
        this.#bug ??= { error };
        this.#process.end();
      },
    );
  }

  async #carryOut(call: ScriptCall): Promise<EffectOutcome> {
    if (this.#waitingLength > MAX_WAITING_LENGTH)
      return { kind: "thrown", message: "calls of over 256 MB are under way; await some of them" };
    const request = readRequest(call);
    if (request.kind === "refused") return { kind: "thrown", message: request.message };
    const { path: outer = "", perform } = this.#options;
    const path = outer === "" || call.path === "" ? outer + call.path : `${outer}/${call.path}`;
    if (request.kind === "child") return this.#callChild(request.ref, request.args, path);
    for (const name of request.unknown) this.#warnOnce(name, call.what);
    return perform({ path, effect: request.effect });
  }

  async #callChild(ref: WorkflowRef, args: JsonValue | undefined, path: string) {
    const { runChild } = this.#options;
    const name = typeof ref === "string" ? ref : ref.scriptPath;
    if (runChild === null)
      return { kind: "thrown", message: "workflow() goes one level deep, and this is it" } as const;
    return childOutcome(name, await runChild(ref, args, path));
  }

  #warnOnce(option: string, call: string): void {
    const key = `${call} ${option}`;
    if (this.#warned.has(key)) return;
    this.#warned.add(key);
    const of = call === "agent" ? "agent()" : `adj.${call}()`;
    this.#narrate("warning", `the unknown option \`${option.slice(0, 80)}\` of ${of} is ignored`);
  }

  #answer(id: number, outcome: EffectOutcome): void {
    if (outcome.kind === "ended") {
      this.#end({ kind: "ended", reason: outcome.reason });
      return;
    }
    const isThrown = outcome.kind === "thrown";
    this.#spent += isThrown ? 0 : outcome.outputTokens;
    const value = outcome.kind === "value" ? outcome.value : null;
    const message = isThrown ? outcome.message : null;
    this.#process.send(writeAnswer(id, { value, thrown: message, spent: this.#spent }));
  }
}
