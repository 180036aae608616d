// An agent's process that stays and speaks JSON in both directions, one object a line.
import { messageOf } from "../../../core/command/fault.ts";
import type { ProcessEnding } from "../../../core/process/command-spec.ts";
import type { JsonRecord } from "../../../core/project/json-value.ts";
import { capText, stripAnsi } from "../../log/text.ts";
import type { AgentRunPlan } from "../../run/adapter.ts";
import { readRawOptions, runStayingProcess } from "../../run/execute.ts";
import { parseObject, TailBytes, TextLines } from "../../run/output/lines.ts";
import { MessageQueue } from "../message-queue.ts";

/** What is held in memory stays small whatever the agent prints, and however little it reads. */
const MAX_LINE_LENGTH = 16 * 1024 * 1024;
const MAX_WAITING_LENGTH = 64 * 1024 * 1024;
const MAX_STDERR_BYTES = 16 * 1024;
/** A line or two that are no JSON are noise; this many in a row are another program. */
const MAX_NOISE_LINES = 1_000;
const MAX_SHOWN = 500;

export class JsonLineProcess {
  /** Settles with why it is gone, in one sentence; it never rejects. Nothing that it started is alive then. */
  readonly gone: Promise<string>;
  readonly #queue = new MessageQueue();
  readonly #end = new AbortController();
  readonly #stderr = new TailBytes(MAX_STDERR_BYTES);
  readonly #onRecord: (record: JsonRecord) => void;
  readonly #lines = new TextLines({
    limit: MAX_LINE_LENGTH,
    onLine: (line) => this.#readLine(line),
    onTooLong: () => this.end(`the agent printed a line of over ${MAX_LINE_LENGTH} characters`),
  });
  #noise = 0;
  #problem: string | null = null;

  constructor(plan: AgentRunPlan, onRecord: (record: JsonRecord) => void) {
    this.#onRecord = onRecord;
    this.gone = this.#run(plan).catch(
      (error: unknown) => `the agent could not be run: ${messageOf(error)}`,
    );
  }

  send(message: object): void {
    this.#queue.push(message);
    if (this.#queue.length > MAX_WAITING_LENGTH) this.end("the agent does not read its input");
  }

  /** Closes its stdin, by which it leaves; after a while it is ended. */
  async leave(patienceMs: number): Promise<void> {
    this.#problem ??= "the conversation was closed";
    this.#queue.close();
    const timer = setTimeout(() => this.#end.abort(), patienceMs);
    await this.gone;
    clearTimeout(timer);
  }

  /** Ends it and all that it started; the first reason is the one that is told. */
  end(problem: string): void {
    this.#problem ??= problem;
    this.#queue.close();
    this.#end.abort();
  }

  async #run(plan: AgentRunPlan): Promise<string> {
    const ended = await runStayingProcess(plan, {
      reader: {
        readStdout: (bytes) => this.#lines.push(bytes),
        readStderr: (bytes) => this.#stderr.push(bytes),
        // Of a process that stays only the first megabytes are kept, which is no loss: its raw files have all.
        noteError: () => undefined,
      },
      stdin: this.#queue.lines(),
      signal: this.#end.signal,
      raw: readRawOptions(plan.context),
    });
    this.#queue.close();
    this.#lines.end();
    return this.#problem ?? describeLoss(ended, this.#stderr.text());
  }

  #readLine(line: string): void {
    if (this.#end.signal.aborted || line.trim() === "") return;
    const record = parseObject(line.trim());
    this.#noise = record === null ? this.#noise + 1 : 0;
    if (record !== null) this.#onRecord(record);
    else if (this.#noise > MAX_NOISE_LINES)
      this.end(`the agent prints what is no JSON: ${capText(stripAnsi(line).trim(), 100)}`);
  }
}

function describeLoss(ended: ProcessEnding, stderr: string): string {
  const last = stripAnsi(stderr)
    .trim()
    .split(/(?<!\s)\s*\n\s*/)
    .slice(-3)
    .join("; ");
  const detail = last === "" ? "" : `: ${capText(last, MAX_SHOWN)}`;
  if (ended.kind === "not_started") return `the agent could not be started: ${ended.problem}`;
  if (ended.kind === "exited") return `the agent's process exited with ${ended.exitCode}${detail}`;
  return `the agent's process was ended by ${ended.signal ?? "a signal"}${detail}`;
}
