// The process of `opencode serve` for one conversation: started on a free port of the loopback with a password of its
// own, spoken to by HTTP, and listened to by its stream of events.

import { randomUUID } from "node:crypto";
import { mkdirSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { unlessAborted } from "../../core/command/cancellation.ts";
import { messageOf } from "../../core/command/fault.ts";
import {
  type CommandSpec,
  lastLineOf,
  type ProcessEnding,
} from "../../core/process/command-spec.ts";
import { readAtMost } from "../../core/process/read-stream.ts";
import { runProcess } from "../../core/process/run.ts";
import type { JsonRecord } from "../../core/project/json-value.ts";
import { type ExactValues, joinExactValues } from "../../core/secrets/mask.ts";
import { stripAnsi } from "../log/text.ts";
import type { AgentCommand, WrapProgram } from "../run/adapter.ts";
import { parseObject, TailBytes, TextLines } from "../run/output/lines.ts";
import { withTempFolder } from "../run/workspace.ts";

/** A loaded machine took 16 s for 1.18.33 to listen. */
const START_LIMIT_MS = 120_000;
const REQUEST_LIMIT_MS = 60_000;
const MAX_EVENT_LENGTH = 16 * 1024 * 1024;
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;
const KEPT_BYTES = 64 * 1024;
const GRACE_MS = 2_000;
const LAST_WORD_MS = 1_000;

interface ServePlan {
  /** The command without its port. */
  readonly command: AgentCommand;
  readonly wrap: WrapProgram | undefined;
  readonly runId: string;
  readonly logDir: string;
  /** Values that its raw files may not hold. */
  readonly secrets: ExactValues;
  readonly onEvent: (event: JsonRecord) => void;
}

interface ServeAnswer {
  readonly status: number;
  readonly body: JsonRecord;
}

/** A server that was started; `lost` says why it is no more, once. */
export class OpencodeServer {
  readonly #plan: ServePlan;
  readonly #password = randomUUID();
  readonly #stop = new AbortController();
  readonly #output = new TailBytes(KEPT_BYTES);
  readonly #lost = Promise.withResolvers<string>();
  readonly #listening = Promise.withResolvers<string>();
  readonly #ended: Promise<void>;
  #isListening = false;
  #url = "";

  private constructor(plan: ServePlan) {
    this.#plan = plan;
    this.#ended = this.#run()
      .catch(messageOf)
      .then((problem) => this.#lose(problem));
  }

  /** A problem in one sentence where it does not come to listen; then nothing of it is left. */
  static async start(
    plan: ServePlan,
    signal: AbortSignal,
  ): Promise<OpencodeServer | { readonly problem: string }> {
    const server = new OpencodeServer(plan);
    const limit = AbortSignal.any([signal, AbortSignal.timeout(START_LIMIT_MS)]);
    const problem = await server.#connect(limit);
    if (problem === null) return server;
    await server.close();
    return { problem };
  }

  get lost(): Promise<string> {
    return this.#lost.promise;
  }

  /** Rejects where no answer comes. */
  async request(method: string, path: string, body?: object): Promise<ServeAnswer> {
    const signal = AbortSignal.any([this.#stop.signal, AbortSignal.timeout(REQUEST_LIMIT_MS)]);
    const response = await fetch(`${this.#url}${path}`, {
      method,
      signal,
      headers: { ...this.#headers(), "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await readText(response.body);
    return { status: response.status, body: parseObject(text) ?? {} };
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#ended;
  }

  #headers(): Record<string, string> {
    const words = Buffer.from(`opencode:${this.#password}`).toString("base64");
    return { authorization: `Basic ${words}` };
  }

  #lose(problem: string): void {
    this.#lost.resolve(problem);
    this.#stop.abort();
  }

  async #run(): Promise<string> {
    const { command, wrap, runId, logDir, secrets } = this.#plan;
    mkdirSync(logDir, { recursive: true });
    const port = await findFreePort();
    const ended = await withTempFolder(command.env.TMPDIR, async (TMPDIR) => {
      const spec: CommandSpec = {
        ...command,
        args: [...command.args, "--port", String(port)],
        env: { ...command.env, TMPDIR, ...this.#variables() },
      };
      return runProcess((await wrap?.(spec)) ?? spec, {
        runId,
        signal: this.#stop.signal,
        graceMs: GRACE_MS,
        keepBytes: KEPT_BYTES,
        rawFiles: {
          stdout: join(logDir, "stdout"),
          stderr: join(logDir, "stderr"),
          secrets: joinExactValues([this.#password], secrets),
        },
        onChunk: (_, bytes) => this.#readOutput(bytes),
      });
    });
    return describeEnd(ended, this.#output.text());
  }

  #variables(): Record<string, string> {
    return {
      OPENCODE_SERVER_PASSWORD: this.#password,
      OPENCODE_SERVER_USERNAME: "opencode",
    };
  }

  #readOutput(bytes: Uint8Array): void {
    this.#output.push(bytes);
    if (this.#isListening) return;
    const [, url] = /listening on (http:\/\/127\.0\.0\.1:\d+)/.exec(this.#output.text()) ?? [];
    if (url === undefined) return;
    this.#isListening = true;
    this.#listening.resolve(url);
  }

  /** Waits for the server and joins its stream before anything is asked of it, so that no event is missed. */
  async #connect(limit: AbortSignal): Promise<string | null> {
    const lost = this.#lost.promise.then((problem) => ({ problem }));
    const first = await unlessAborted(Promise.race([this.#listening.promise, lost]), limit, null);
    if (first === null) return "`opencode serve` did not come to listen";
    if (typeof first === "object") return first.problem;
    this.#url = first;
    return this.#joinEvents();
  }

  async #joinEvents(): Promise<string | null> {
    try {
      const { signal } = this.#stop;
      const response = await fetch(`${this.#url}/event`, { headers: this.#headers(), signal });
      if (response.status !== 200 || response.body === null)
        return `\`opencode serve\` answered ${response.status} for its events`;
      void this.#follow(response.body);
      return null;
    } catch (error) {
      return messageOf(error);
    }
  }

  async #follow(body: ReadableStream<Uint8Array>): Promise<void> {
    const lines = new TextLines({
      limit: MAX_EVENT_LENGTH,
      onLine: (line) => this.#readLine(line),
      onTooLong: () =>
        this.#lose(`\`opencode serve\` sent an event of over ${MAX_EVENT_LENGTH} bytes`),
    });
    const problem = await readAll(body, (bytes) => lines.push(bytes));
    // Where the process has ended it has more to say about it than its stream.
    await Promise.race([this.#ended, wait(LAST_WORD_MS, undefined, { ref: false })]);
    this.#lose(`the events of \`opencode serve\` ended${problem === null ? "" : `: ${problem}`}`);
  }

  #readLine(line: string): void {
    if (!line.startsWith("data:")) return;
    const event = parseObject(line.slice("data:".length).trim());
    if (event === null) this.#lose("`opencode serve` sent an event that is no JSON");
    else this.#plan.onEvent(event);
  }
}

/** What matters is told by events; an answer is small. */
async function readText(body: ReadableStream<Uint8Array> | null): Promise<string> {
  if (body === null) return "";
  const bytes = await readAtMost(body, MAX_ANSWER_BYTES);
  if (bytes === null) throw new Error("an answer of `opencode serve` is too long");
  return bytes.toString();
}

async function readAll(
  body: ReadableStream<Uint8Array>,
  onBytes: (bytes: Uint8Array) => void,
): Promise<string | null> {
  try {
    for await (const bytes of body) onBytes(bytes);
    return null;
  } catch (error) {
    return messageOf(error);
  }
}

function describeEnd(ended: ProcessEnding, output: string): string {
  if (ended.kind === "not_started") return `opencode could not be started: ${ended.problem}`;
  const how = ended.signal ?? `exit code ${ended.exitCode}`;
  const last = lastLineOf(stripAnsi(output));
  return `\`opencode serve\` ended with ${how}${last === null ? "" : `: ${last}`}`;
}

/** Its own `--port 0` means 4096 first, which another one may have. */
function findFreePort(): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const probe = createServer();
  probe.once("error", reject);
  probe.listen(0, "127.0.0.1", () => {
    const address = probe.address();
    probe.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
  });
  return promise;
}
