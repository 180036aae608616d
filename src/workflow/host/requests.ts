// What clients ask of the extension, checked once at this edge.
import { randomBytes } from "node:crypto";
import * as z from "zod/mini";
import { APPROVAL_MODES, type JsonValue } from "../../core/command/context.ts";
import { fault } from "../../core/command/fault.ts";
import type { BudgetLimits } from "../definition/workflow.ts";

const limit = z.nullable(z.number().check(z.nonnegative()));
const LIMITS = z.strictObject({ usd: limit, tokens: limit, calls: limit, timeMs: limit });

const NEW_RUN = z.strictObject({
  /** Of a client that listens before the run starts. */
  runId: z.optional(z.string().check(z.regex(/^wf_[a-z0-9]{12}$/))),
  file: z.string(),
  /** What the person looked at. */
  hash: z.string(),
  args: z.optional(z.json()),
  agent: z.nullable(z.string()),
  model: z.nullable(z.string()),
  mode: z.nullable(z.enum(APPROVAL_MODES)),
  limits: LIMITS,
  atOnce: z.nullable(z.int().check(z.positive())),
  cwd: z.string(),
  root: z.string(),
});

const ATTACH = z.extend(NEW_RUN, { sessionId: z.string() });
const RESUME = z.strictObject({ runId: z.string(), limits: z.nullable(LIMITS) });
const MOVE = z.strictObject({
  runId: z.string(),
  stage: z.string(),
  sessionId: z.string(),
  root: z.string(),
});
const DETACH = z.strictObject({ sessionId: z.string() });

export type NewRunRequest = z.infer<typeof NEW_RUN>;
export type AttachRequest = z.infer<typeof ATTACH>;
export type MoveRequest = z.infer<typeof MOVE>;
export type ResumeRequest = z.infer<typeof RESUME>;

function read<Value>(schema: z.ZodMiniType<Value>, method: string, body: JsonValue): Value {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const problem = `\`${issue?.path.join(".") || "body"}\` ${issue?.message ?? "does not fit"}`;
  throw fault("InputInvalid", { what: `workflow ${method}`, problem });
}

export const readNewRun = (body: JsonValue): NewRunRequest => read(NEW_RUN, "start", body);
export const readAttach = (body: JsonValue): AttachRequest => read(ATTACH, "attach", body);
export const readResume = (body: JsonValue): ResumeRequest => read(RESUME, "resume", body);
export const readMove = (body: JsonValue): MoveRequest => read(MOVE, "move", body);
export const readDetach = (body: JsonValue): z.infer<typeof DETACH> => read(DETACH, "detach", body);

/** What is asked for counts; what it leaves open the workflow says. */
export const mergeLimits = (asked: BudgetLimits, own: BudgetLimits | null): BudgetLimits => ({
  usd: asked.usd ?? own?.usd ?? null,
  tokens: asked.tokens ?? own?.tokens ?? null,
  calls: asked.calls ?? own?.calls ?? null,
  timeMs: asked.timeMs ?? own?.timeMs ?? null,
});

const LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789";

export const newRunId = (): string =>
  `wf_${[...randomBytes(12)].map((byte) => LETTERS[byte % LETTERS.length]).join("")}`;
