// The process of a conversation: it takes lines, says JSON objects, one a line, and stays until it is ended.
import type { ProcessEnding } from "../../core/process/command-spec.ts";
import type { JsonRecord } from "../../core/project/json-value.ts";
import { stripAnsi } from "../log/text.ts";
import type { AgentRunPlan } from "../run/adapter.ts";
import { readRawOptions, runStayingProcess } from "../run/execute.ts";
import { parseObject, TailBytes, TextLines } from "../run/output/lines.ts";

const MAX_LINE_LENGTH = 16 * 1024 * 1024;
const MAX_STDERR_BYTES = 16 * 1024;
const MAX_SHOWN_LENGTH = 200;
/** So long it may take to leave once its stdin is closed. */
const LEAVE_MS = 2_000;

interface AgentLines {
  /** Its end is the end of the process's stdin. */
  readonly stdin: AsyncIterable<string>;
  readonly onRecord: (record: JsonRecord) => void;
  /** Waited for after each piece of output, before the next one is taken. */
  readonly hold: () => Promise<void>;
}

export class AgentProcess {
  /** Why it is over, as one sentence; it never rejects. */
  readonly ended: Promise<string>;
  readonly #kill = new AbortController();
  readonly #stderr = new TailBytes(MAX_STDERR_BYTES);
  #problem: string | null = null;

  constructor(plan: AgentRunPlan, lines: AgentLines) {
    this.ended = this.#run(plan, lines).catch(
      (error) => `the conversation failed: ${error instanceof Error ? error.message : error}`,
    );
  }

  /** Ends it and all that it started; the first problem that is given is why. */
  async kill(problem: string): Promise<void> {
    this.#problem ??= problem;
    this.#kill.abort();
    await this.ended;
  }

  /** Lets it leave by itself for a while: its stdin must be closed by now. */
  async leave(): Promise<void> {
    this.#problem ??= "the conversation was closed";
    const timer = setTimeout(() => this.#kill.abort(), LEAVE_MS);
    await this.ended;
    clearTimeout(timer);
  }

  async #run(plan: AgentRunPlan, lines: AgentLines): Promise<string> {
    const text = this.#readLines(lines);
    const ended = await runStayingProcess(plan, {
      reader: {
        readStdout: (bytes) => text.push(bytes),
        readStderr: (bytes) => this.#stderr.push(bytes),
        // How it ended says all that matters here.
        noteError: () => {},
      },
      stdin: lines.stdin,
      signal: this.#kill.signal,
      raw: readRawOptions(plan.context),
      hold: lines.hold,
    });
    return this.#problem ?? describeEnd(ended, stripAnsi(this.#stderr.text()));
  }

  #readLines({ onRecord }: AgentLines): TextLines {
    return new TextLines({
      limit: MAX_LINE_LENGTH,
      onLine: (line) => {
        if (this.#kill.signal.aborted || line.trim() === "") return;
        const record = parseObject(line.trim());
        if (record !== null) onRecord(record);
        else
          void this.kill(`the agent said what is no message: ${line.slice(0, MAX_SHOWN_LENGTH)}`);
      },
      onTooLong: () =>
        void this.kill(`the agent said more than ${MAX_LINE_LENGTH} characters in one line`),
    });
  }
}

function describeEnd(ended: ProcessEnding, stderr: string): string {
  if (ended.kind === "not_started") return `the agent could not be started: ${ended.problem}`;
  const how =
    ended.signal === null
      ? `exited with ${ended.exitCode ?? "nothing"}`
      : `was ended by ${ended.signal}`;
  const last = stderr.split("\n").findLast((line) => line.trim() !== "");
  return `the agent ${how}${last === undefined ? "" : `: ${last.trim()}`}`;
}
