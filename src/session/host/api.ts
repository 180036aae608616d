// The host over HTTP, version 1: what it is asked, checked once at this edge, and one stream of events. Only whoever has
// the key of the 0600 file is answered, and only under our own name: a page of another site reaches nothing.
import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { streamSSE } from "hono/streaming";
import * as z from "zod/mini";
import type { JsonValue } from "../../core/command/context.ts";
import { Fault, formatFault, reportFault } from "../../core/command/fault.ts";
import type { HookCall, HookReply } from "../../hooks/pipeline/hook-call.ts";
import { formatTurnReply, readTurnCall, type TurnAddress } from "../../hooks/resident/turn-call.ts";
import { isSameSecret } from "../../hooks/resident/wire.ts";
import type { ExtensionReply, HostEvent, SendRequest, SessionHost } from "./session-host.ts";

export interface ApiOptions {
  readonly host: SessionHost;
  readonly key: string;
  /** The first opens the way of hooks and no other, since agents can read it; answers to them carry the second. */
  readonly hookKeys: Pick<TurnAddress, "clientKey" | "serverKey">;
  readonly version: string;
  /** Somebody came without the key, or by another name. */
  readonly refuse: (problem: string) => void;
  /** A client of an extension, which has no key of the host. */
  readonly fetchExtension: (name: string, request: Request) => Promise<Response | null>;
  /** A hook of an agent that runs in a turn. */
  readonly answerHook: (call: HookCall) => Promise<HookReply>;
  /** Asks the host to end. */
  readonly stop: () => void;
  /** How often a stream of events says that it is still there; a minute by default. */
  readonly beatMs?: number;
}

/** Node's own `fetch` gives up a stream that is silent for five minutes, and a person may take ten to answer. */
const BEAT_MS = 60_000;

const MAX_BODY_BYTES = 64 << 20;
const TEXT_RECORD = z.record(z.string(), z.string());

const JSON_VALUE: z.ZodMiniType<JsonValue> = z.lazy(() =>
  z.union([
    z.string(),
    z.number(),
    z.boolean(),
    z.null(),
    z.array(JSON_VALUE),
    z.record(z.string(), JSON_VALUE),
  ]),
);

const OPTIONS = z.strictObject({
  cwd: z.string(),
  root: z.string(),
  agent: z.nullable(z.string()),
  model: z.nullable(z.string()),
  params: z.record(z.string(), JSON_VALUE),
  via: z.nullable(z.string()),
});

const SEND = z.strictObject({ text: z.string(), options: OPTIONS, env: TEXT_RECORD });
const STEER = z.strictObject({ text: z.string(), env: TEXT_RECORD });
const EXTENSION_CALL = z.strictObject({ body: JSON_VALUE, env: TEXT_RECORD });
const ANSWER = z.strictObject({
  answer: JSON_VALUE,
  by: z.string(),
  kept: z.optional(JSON_VALUE),
});

export function createApi(options: ApiOptions): Hono {
  const api = new Hono();
  guardApi(api, options);
  api.get("/v1/status", (context) => context.json({ version: options.version }));
  api.post("/v1/stop", (context) => {
    options.stop();
    return context.json({ kind: "stopping" });
  });
  offerTurns(api, options.host);
  offerQuestions(api, options.host);
  offerHooks(api, options);
  api.post("/v1/extensions/:name/:method", async (context) => {
    const read = await readBody(context.req.raw, EXTENSION_CALL);
    if (read === null) return context.json(MALFORMED, 400);
    const { name, method } = context.req.param();
    return context.json(await callExtension(options.host, { name, method, ...read }));
  });
  api.get("/v1/events", (context) => streamEvents(context, options));
  return api;
}

/** What stands before everything that needs a key, and what is said of a failure. */
function guardApi(api: Hono, options: ApiOptions): void {
  // Clients of an extension have no key of ours: it knows its own, and how much each may say.
  api.all("/:extension{mcp}", async (context) => {
    const { extension } = context.req.param();
    const answer = await options.fetchExtension(extension, context.req.raw);
    return answer ?? context.json({ error: "there is nothing here" }, 404);
  });
  api.use(async (context, next) => {
    const isHook = context.req.path.startsWith(HOOK_PATH);
    const problem = findProblem(context.req.raw, isHook ? options.hookKeys.clientKey : options.key);
    if (problem === null) return next();
    options.refuse(problem);
    return context.json({ error: "not permitted" }, 401);
  });
  // After the key: nothing is read of what somebody without it sends.
  api.use(
    bodyLimit({
      maxSize: MAX_BODY_BYTES,
      onError: (context) => context.json({ error: "the body is too long" }, 413),
    }),
  );
  api.onError((error, context) => {
    if (!(error instanceof Fault)) throw error;
    return context.json({ error: formatFault(error) }, 503);
  });
}

function offerTurns(api: Hono, host: SessionHost): void {
  api.post("/v1/sessions/:session/turns", async (context) => {
    const read = await readBody(context.req.raw, SEND);
    if (read === null) return context.json(MALFORMED, 400);
    const request: SendRequest = { sessionId: context.req.param("session"), ...read };
    return context.json(await host.send(request));
  });
  api.get("/v1/sessions/:session/turns", async (context) => {
    const last = Number(context.req.query("last") ?? 50);
    if (!Number.isInteger(last) || last < 1) return context.json(MALFORMED, 400);
    return context.json(await host.turns(context.req.param("session"), last));
  });
  api.post("/v1/sessions/:session/steer", async (context) => {
    const read = await readBody(context.req.raw, STEER);
    if (read === null) return context.json(MALFORMED, 400);
    return context.json(await host.steer(context.req.param("session"), read.text, read.env));
  });
  api.post("/v1/turns/:turn/cancel", async (context) =>
    context.json(await host.cancel(context.req.param("turn"))),
  );
}

function offerQuestions(api: Hono, host: SessionHost): void {
  api.get("/v1/questions", async (context) => context.json(await host.questions()));
  api.post("/v1/questions/:question/answer", async (context) => {
    const read = await readBody(context.req.raw, ANSWER);
    if (read === null) return context.json(MALFORMED, 400);
    const { answer, by, kept } = read;
    return context.json(await host.answer(context.req.param("question"), answer, by, kept));
  });
}

/** Agents within a turn call their hooks here. */
function offerHooks(api: Hono, options: Pick<ApiOptions, "answerHook" | "hookKeys">): void {
  api.post(`${HOOK_PATH}:agent`, async (context) => {
    const read = readTurnCall(await context.req.text());
    if (read === null) return context.json(MALFORMED, 400);
    const { event, ...call } = read;
    const agent = context.req.param("agent");
    const { signal } = context.req.raw;
    const named = event === null ? {} : { event };
    const reply = await options.answerHook({ agent, ...call, ...named, signal });
    reply.record();
    return context.body(formatTurnReply(reply, options.hookKeys));
  });
}

interface ExtensionCall extends z.infer<typeof EXTENSION_CALL> {
  readonly name: string;
  readonly method: string;
}

async function callExtension(
  host: SessionHost,
  { name, method, body, env }: ExtensionCall,
): Promise<ExtensionReply<JsonValue>> {
  try {
    return { kind: "answer", value: await host.callExtension(name, method, body, env) };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { kind: "refused", error: reportFault(error), exitCode: error.exitCode };
  }
}

const HOOK_PATH = "/v1/hook/";

const MALFORMED = { error: "the body is not what this address takes" };

/** Null for a request that may be answered. */
function findProblem(request: Request, key: string): string | null {
  const given = /^Bearer (.+)$/.exec(request.headers.get("authorization") ?? "")?.[1];
  if (given === undefined) return "HTTP without a key";
  if (!isSameSecret(given, key)) return "HTTP with a wrong key";
  const name = new URL(request.url).hostname;
  if (name !== "127.0.0.1" && name !== "localhost") return "HTTP under a foreign name";
  return request.headers.get("origin") === null ? null : "HTTP from a page";
}

async function readBody<Value>(
  request: Request,
  schema: z.ZodMiniType<Value>,
): Promise<Value | null> {
  try {
    const parsed = schema.safeParse(await request.json());
    return parsed.success ? parsed.data : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** `Last-Event-ID` is the last `seq` of the record that the window saw. */
function streamEvents(
  context: Parameters<typeof streamSSE>[0],
  { host, beatMs = BEAT_MS }: Pick<ApiOptions, "host" | "beatMs">,
) {
  const since = context.req.header("last-event-id") ?? context.req.query("since");
  const sessionId = context.req.query("session");
  const fromStart = context.req.query("from") === "start";
  const gone = new AbortController();
  return streamSSE(context, async (stream) => {
    stream.onAbort(() => gone.abort());
    const request = {
      signal: gone.signal,
      fromStart,
      // A first word, so that whoever waits knows that from here on nothing is missed.
      onOpen: () => void stream.writeSSE({ event: "open", data: "{}" }),
      ...(sessionId === undefined ? {} : { sessionId }),
      ...(since === undefined || since === "" ? {} : { sinceSeq: Number(since) }),
    };
    const beat = setInterval(() => void stream.write(": still here\n\n"), beatMs);
    try {
      for await (const event of host.follow(request)) await stream.writeSSE(describeEvent(event));
    } finally {
      clearInterval(beat);
    }
  });
}

const describeEvent = (event: HostEvent) => ({
  event: event.kind,
  data: JSON.stringify(event),
  ...(event.kind === "event" ? { id: String(event.event.seq) } : {}),
});
