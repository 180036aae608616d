// The process of a script as its owner has it: started with nothing, spoken with in lines, watched, ended.
import { existsSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { TailBytes, TextLines } from "../../agents/run/output/lines.ts";
import {
  type CommandSpec,
  hasSucceeded,
  type ProcessEnding,
} from "../../core/process/command-spec.ts";
import { runProcess } from "../../core/process/run.ts";
import { MAX_LINE_LENGTH, PING } from "./messages.ts";

export interface ScriptLimits {
  /** So long it may run without a pause; 30 s. */
  readonly syncMs: number;
  /** Of the heap; 512 MB. */
  readonly memoryMb: number;
}

export const SCRIPT_LIMITS: ScriptLimits = { syncMs: 30_000, memoryMb: 512 };

const isSource = import.meta.filename.endsWith(".ts");
/** In the build all files lie side by side. */
export const SCRIPT_ENTRY = isSource
  ? join(import.meta.dirname, "..", "..", "workflow-script.ts")
  : join(import.meta.dirname, "workflow-script.cjs");

/** What is open to it is to read its own entry. Node 24 has no word against the network: the namespace does that. */
const flagsFor = (entry: string, { memoryMb }: ScriptLimits): string[] => [
  ...["--permission", `--allow-fs-read=${entry}`, "--no-addons", "--disable-sigusr1"],
  ...["--disallow-code-generation-from-strings", "--frozen-intrinsics"],
  ...["--no-experimental-websocket", "--no-experimental-sqlite", "--no-require-module"],
  ...["--no-experimental-global-navigator", "--unhandled-rejections=none", "--no-warnings"],
  `--max-old-space-size=${memoryMb}`,
];

/** Buffers lie outside the heap: the system counts them together with what Node needs by itself. */
const NODE_OWN_MB = 1_024;
/** For one that loops on after its owner was killed. */
const MAX_CPU_SECONDS = 900;

const limitWords = ({ memoryMb }: ScriptLimits): string =>
  [`-c 0`, `-f 0`, `-t ${MAX_CPU_SECONDS}`, `-d ${(memoryMb + NODE_OWN_MB) * 1_024}`]
    .map((limit) => `ulimit ${limit} 2>/dev/null || :; `)
    .join("");

let networkCut: Promise<readonly string[]> | null = null;

/** The words that cut a program off the network, none where the system gives no namespace. Found once. */
function findNetworkCut(): Promise<readonly string[]> {
  networkCut ??= tryNetworkCuts();
  return networkCut;
}

const UNSHARE = ["/usr/bin/unshare", "/bin/unshare", "/usr/local/bin/unshare"];
/** The person's own number is better than root's of a namespace, which is better than none. */
const CUTS = ["-cn", "-rn", "-n"];
const PROBE_TIMEOUT_MS = 5_000;

async function tryNetworkCuts(): Promise<readonly string[]> {
  const executable = UNSHARE.find((path) => existsSync(path));
  if (executable === undefined) return [];
  for (const cut of CUTS) {
    const args = [cut, "--", "true"];
    const spec = { executable, args, env: { PATH: "/usr/bin:/bin" }, cwd: "/" };
    const ended = await runProcess(spec, { timeoutMs: PROBE_TIMEOUT_MS });
    if (hasSucceeded(ended)) return [executable, cut, "--"];
  }
  return [];
}

async function specFor(entry: string, limits: ScriptLimits): Promise<CommandSpec> {
  const own = realpathSync(entry);
  const program = [process.execPath, ...flagsFor(own, limits), own];
  const words = [...(await findNetworkCut()), ...program];
  const args = ["-c", `${limitWords(limits)}unset PWD OLDPWD; exec "$@"`, "sh", ...words];
  return { executable: "/bin/sh", args, env: {}, cwd: "/" };
}

export type ProcessLoss =
  /** It did not answer for so long as it may run without a pause. */
  | { readonly kind: "silent" }
  | { readonly kind: "too_long" }
  | { readonly kind: "gone"; readonly ending: ProcessEnding; readonly stderr: string };

interface ProcessHandlers {
  readonly onLine: (line: string) => void;
}

const MAX_STDERR_BYTES = 16 * 1_024;
const GRACE_MS = 500;
/** A loaded machine takes its time to start a program. */
const START_PATIENCE_MS = 60_000;
/** It is asked so many times in its time: an owner that slept, the machine with it, does not count the night. */
const ASKED = 30;

export class ScriptProcess {
  /** Why it is over; whoever ended it knows better. It never rejects for what a script does. */
  readonly over: Promise<ProcessLoss>;
  readonly #feed = new LineFeed();
  readonly #kill = new AbortController();
  readonly #limits: ScriptLimits;
  #loss: ProcessLoss | null = null;
  /** Below zero while it starts. */
  #unanswered = 0;

  constructor(entry: string, limits: ScriptLimits, handlers: ProcessHandlers) {
    this.#limits = limits;
    this.over = this.#run(entry, handlers);
  }

  send(text: string): void {
    this.#feed.push(text);
  }

  /** It said what shows that it is not stuck. */
  noteAnswer(): void {
    this.#unanswered = 0;
  }

  end(): void {
    this.#kill.abort();
    this.#feed.close();
  }

  async #run(entry: string, { onLine }: ProcessHandlers): Promise<ProcessLoss> {
    const spec = await specFor(entry, this.#limits);
    const stderr = new TailBytes(MAX_STDERR_BYTES);
    const lines = new TextLines({
      limit: MAX_LINE_LENGTH,
      onLine: (line) => {
        if (!this.#kill.signal.aborted) onLine(line);
      },
      onTooLong: () => this.#lose({ kind: "too_long" }),
    });
    const everyMs = this.#limits.syncMs / ASKED;
    this.#unanswered = -START_PATIENCE_MS / everyMs;
    const watch = setInterval(() => this.#look(), everyMs);
    const ending = await runProcess(spec, {
      stdin: this.#feed.texts(),
      signal: this.#kill.signal,
      graceMs: GRACE_MS,
      keepBytes: 0,
      onChunk: (channel, bytes) => (channel === "stdout" ? lines : stderr).push(bytes),
    });
    clearInterval(watch);
    this.#feed.close();
    return this.#loss ?? { kind: "gone", ending, stderr: stderr.text() };
  }

  #look(): void {
    if (this.#unanswered === 0) this.send(PING);
    this.#unanswered += 1;
    if (this.#unanswered > ASKED) this.#lose({ kind: "silent" });
  }

  #lose(loss: ProcessLoss): void {
    this.#loss ??= loss;
    this.end();
  }
}

/** What is to be sent, in order; closing it ends the reading. */
class LineFeed {
  #waiting: string[] = [];
  #isClosed = false;
  #wake: (() => void) | null = null;

  push(text: string): void {
    if (this.#isClosed) return;
    this.#waiting.push(text);
    this.#wake?.();
  }

  close(): void {
    this.#isClosed = true;
    this.#wake?.();
  }

  async *texts(): AsyncGenerator<string> {
    while (!this.#isClosed) {
      const ready = this.#waiting;
      this.#waiting = [];
      if (ready.length > 0) yield ready.join("");
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}
