import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { LogEvent } from "../../../src/agents/log/event.ts";
import type {
  Conversation,
  ConversationContext,
  TurnEnding,
  TurnRequest,
} from "../../../src/agents/run/conversation.ts";
import { resumeByRun } from "../../../src/agents/run/resumed-conversation.ts";
import { findMembersInProc } from "../../../src/core/process/process-tree.ts";
import { adapterOf } from "../../support/agents.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { ANSWER, COMPLETED, makePlace, makeProgram, type Place, print } from "./scripted-agent.ts";

const ID = "0b7c2f60-1c1f-4c38-8a4b-1f9f3a1f2a11";
const STARTED = { type: "thread.started", thread_id: ID };

/** Notes its words and its prompt, one line a run. */
const NOTING = `prompt=$(cat); printf '%s | %s | %s\\n' "$*" "$prompt" "$HOOK" >> "$HOME/runs"`;
const ANSWERING = `${NOTING}\n${print(STARTED, ANSWER, COMPLETED)}`;

const runsOf = ({ home }: Place): string[] =>
  existsSync(join(home, "runs")) ? readFileSync(join(home, "runs"), "utf8").trim().split("\n") : [];

const contextIn = (place: Place, body: string): ConversationContext => ({
  settings: { model: "gpt-5.5" },
  resume: null,
  stepHook: null,
  workspaceDir: place.workspace,
  env: { PATH: process.env.PATH ?? "", HOME: place.home, OPENAI_API_KEY: "sk-dummy" },
  runId: crypto.randomUUID(),
  logDir: join(place.folder, "log"),
  program: makeProgram(place, body),
});

async function open(
  context: ConversationContext,
  agent = "codex",
  ...hooks: [Parameters<typeof resumeByRun>[1]?]
): Promise<Conversation> {
  const opened = await resumeByRun(adapterOf(agent), ...hooks).open(context);
  if (opened.kind === "refused") throw new Error(JSON.stringify(opened.errors));
  return opened.conversation;
}

interface Sent {
  readonly ending: TurnEnding;
  readonly events: readonly LogEvent[];
}

async function send(
  conversation: Conversation,
  prompt: string,
  more: Partial<TurnRequest> = {},
): Promise<Sent> {
  const events: LogEvent[] = [];
  const ending = await conversation.send({
    prompt,
    model: null,
    signal: new AbortController().signal,
    onEvent: (event) => events.push(event),
    decideTool: async () => ({ kind: "deny", reason: "nobody asks here" }),
    ...more,
  });
  return { ending, events };
}

const kindsOf = ({ events }: Sent): string[] => events.map(({ kind }) => kind);

describe("a conversation by a run for each prompt", () => {
  test("goes on by the agent's own id, with the model and the careful mode every time", async () => {
    const place = makePlace();
    const conversation = await open(contextIn(place, ANSWERING));
    expect(conversation.id).toBeNull();
    const first = await send(conversation, "one");
    expect(first.ending).toEqual({ kind: "ended" });
    expect(kindsOf(first)).toEqual(["init", "message", "usage", "final"]);
    expect(conversation.id).toBe(ID);
    const second = await send(conversation, "two", { model: "gpt-6" });
    expect(kindsOf(second)).toEqual(kindsOf(first));
    const [one, two] = runsOf(place);
    expect(one).toMatch(/--model gpt-5\.5.*--sandbox read-only.* - \| one \|/);
    expect(two).toMatch(new RegExp(`--model gpt-6.* resume ${ID} - \\| two \\|`));
    expect(readFileSync(join(place.folder, "log/prompt-2/stdout"), "utf8")).toContain("Hello.");
  });

  test("an id that the agent does not know is forgotten, and nothing of that run is handed on", async () => {
    const place = makePlace();
    const unknown = `${print({ type: "thread.started", thread_id: "other" })}
      echo 'Error: thread/resume failed: no rollout found for thread id' >&2; exit 1`;
    const conversation = await open({ ...contextIn(place, unknown), resume: ID });
    const sent = await send(conversation, "go on");
    expect(sent.ending).toMatchObject({ kind: "forgotten", problem: expect.stringContaining(ID) });
    expect(sent.events).toEqual([]);
  });

  test("an id with which the agent would begin anew is forgotten without a run", async () => {
    const place = makePlace();
    const conversation = await open({ ...contextIn(place, ANSWERING), resume: "nonsense" });
    expect((await send(conversation, "go on")).ending.kind).toBe("forgotten");
    expect(runsOf(place)).toEqual([]);
  });

  test("a failure of the model in a resumed run is its end, with its error", async () => {
    const failing = print(STARTED, { type: "turn.failed", error: { message: "rate limit 429" } });
    const place = makePlace();
    const conversation = await open({ ...contextIn(place, `${failing}\nexit 1`), resume: ID });
    const sent = await send(conversation, "go on");
    expect(sent.ending).toEqual({ kind: "ended" });
    expect(kindsOf(sent)).toEqual(["init", "error", "final"]);
    expect(sent.events.at(-1)).toMatchObject({ isSuccess: false });
  });

  test("a run that ends without its last word is lost, and says why", async () => {
    const place = makePlace();
    const dying = `${print(STARTED)}\necho 'segmentation fault' >&2; kill -9 $$`;
    const conversation = await open(contextIn(place, dying));
    const { ending } = await send(conversation, "one");
    expect(ending).toMatchObject({ kind: "lost", problem: expect.stringContaining("SIGKILL") });
    expect(conversation).toMatchObject({ isOpen: true, id: ID });
    const absent = await open({ ...contextIn(place, ""), program: "/no/such/program" });
    expect((await send(absent, "one")).ending).toMatchObject({ kind: "lost" });
  });

  test("a cancelled prompt leaves no process, and the next one works", async () => {
    const place = makePlace();
    const body = `if [ -e "$HOME/quick" ]; then ${ANSWERING}\nelse ${print(STARTED)}; sleep 600; fi`;
    const context = contextIn(place, body);
    const conversation = await open(context);
    const stop = new AbortController();
    const onEvent = () => stop.abort();
    const { ending } = await send(conversation, "slow", { signal: stop.signal, onEvent });
    expect(ending).toEqual({ kind: "cancelled" });
    const { members } = findMembersInProc({
      pid: 0,
      runId: context.runId,
      ownsGroup: false,
      since: 0,
    });
    expect(members).toEqual([]);
    writeFileSync(join(place.home, "quick"), "");
    expect((await send(conversation, "next")).ending).toEqual({ kind: "ended" });
    expect(runsOf(place)[0]).toContain(`resume ${ID}`);
  });

  test("closing ends the run that goes on", async () => {
    const place = makePlace();
    const context = contextIn(place, `${print(STARTED)}; touch "$HOME/on"; sleep 600`);
    const conversation = await open(context);
    const sending = send(conversation, "slow");
    await waitUntil(() => existsSync(join(place.home, "on")));
    await conversation.close();
    expect((await sending).ending.kind).toBe("cancelled");
    expect(conversation.isOpen).toBe(false);
    expect((await send(conversation, "late")).ending.kind).toBe("lost");
  });

  test("wrong settings are refused when it is opened, a wrong model when it comes", async () => {
    const place = makePlace();
    const context = contextIn(place, ANSWERING);
    const wrong = { ...context, settings: { modle: "x", permission_mode: "never" } };
    expect(await resumeByRun(adapterOf("codex")).open(wrong)).toMatchObject({
      kind: "refused",
      errors: [{ path: "modle" }, { path: "permission_mode" }],
    });
    const conversation = await open(context);
    const sent = await send(conversation, "one", { model: "no model" });
    expect(sent.ending).toEqual({ kind: "ended" });
    expect(kindsOf(sent)).toEqual(["error", "final"]);
    expect(runsOf(place)).toEqual([]);
  });

  test("hooks of the run are handed over, by words, variables and files", async () => {
    const place = makePlace();
    const body = `cat "$HOOK" >> "$HOME/hooks"\n${ANSWERING}`;
    const stepHook = { argv: ["adj", "hook"], env: {}, limitMs: 1_000 };
    const context = { ...contextIn(place, body), stepHook };
    const conversation = await open(context, "codex", ({ argv }, logDir) => ({
      args: ["-c", "hooks=1"],
      env: { HOOK: join(logDir, "plugin/hooks.json") },
      files: [{ path: join(logDir, "plugin/hooks.json"), text: argv.join(" ") }],
    }));
    expect((await send(conversation, "one")).ending).toEqual({ kind: "ended" });
    expect(readFileSync(join(place.home, "hooks"), "utf8")).toBe("adj hook");
    expect(runsOf(place)[0]).toMatch(/-c hooks=1.*prompt-1\/plugin\/hooks\.json$/);
  });

  test("an agent that runs everything by itself is told not to, unless the settings say so", async () => {
    const place = makePlace();
    const body = `printf '%s\\n' "$OPENCODE_PERMISSION" >> "$HOME/runs"`;
    const context = { ...contextIn(place, body), settings: {} };
    await send(await open(context, "opencode"), "one");
    await send(
      await open({ ...context, settings: { permission_mode: "auto" } }, "opencode"),
      "one",
    );
    const [strict, free] = readFileSync(join(place.home, "runs"), "utf8").split("\n");
    expect(JSON.parse(strict ?? "")).toMatchObject({ "*": "deny", bash: "deny", edit: "deny" });
    expect(free).toBe("");
  });

  test("a program that keeps no thread answers each prompt by itself", async () => {
    const place = makePlace();
    const context = contextIn(place, "echo I got; cat");
    const conversation = await open(
      { ...context, settings: { argv: [context.program ?? ""] } },
      "command",
    );
    for (const prompt of ["one", "two"]) {
      const sent = await send(conversation, prompt);
      expect(sent.ending).toEqual({ kind: "ended" });
      expect(kindsOf(sent).filter((kind) => kind === "final")).toEqual(["final"]);
      expect(JSON.stringify(sent.events)).toContain(`I got\\n${prompt}`);
    }
    expect(conversation.id).toBeNull();
  });
});

describe("what such a conversation must not do", () => {
  test("count tokens of earlier prompts as those of this one", async () => {
    const place = makePlace();
    const counting = `runs=$(wc -l < "$HOME/runs"); printf '{"type":"turn.completed","usage":{"input_tokens":%d,"output_tokens":%d}}\\n' $((runs * 5)) $((runs * 6))`;
    const conversation = await open(
      contextIn(place, `${NOTING}\n${print(STARTED, ANSWER)}\n${counting}`),
    );
    for (const prompt of ["one", "two", "three"]) {
      const { events } = await send(conversation, prompt);
      const [usage] = events.filter((event) => event.kind === "usage");
      expect(usage?.figures).toMatchObject({ input: 5, output: 6 });
    }
  });

  test("leave a secret in its raw files", async () => {
    const place = makePlace();
    const context = { ...contextIn(place, ANSWERING), secrets: ["Hello."] };
    await send(await open(context), "one");
    const raw = readFileSync(join(context.logDir, "prompt-1", "stdout"), "utf8");
    expect(raw).toContain("agent_message");
    expect(raw).not.toContain("Hello.");
  });

  test.each([{ settings: { settings: "{}" } }, { settings: { extra_args: ["--settings={}"] } }])(
    "let a user's flag take the place of the hook's: %j",
    async ({ settings }) => {
      const place = makePlace();
      const context = {
        ...contextIn(place, ANSWERING),
        settings,
        env: { HOME: place.home, ANTHROPIC_API_KEY: "sk-dummy" },
        stepHook: { argv: ["adj", "hook"], env: {}, limitMs: 1_000 },
      };
      const way = resumeByRun(adapterOf("claude-code"), (_, logDir) => ({
        args: ["--settings", logDir],
        env: {},
        files: [],
      }));
      expect(await way.open(context)).toMatchObject({
        kind: "refused",
        errors: [{ path: "settings", message: expect.stringContaining("taken by the hook") }],
      });
    },
  );
});
