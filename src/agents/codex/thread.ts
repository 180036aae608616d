// A thread of Codex's app server is opened so that all it does is asked about, or not at all (0.166).
import { VERSION } from "../../core/command/version.ts";
import { asRecord } from "../../core/project/json-value.ts";
import { asName, asText } from "../log/json-fields.ts";
import type { JsonRpcPeer, RpcReply } from "../protocol/json-rpc-peer.ts";

export interface Thread {
  readonly kind: "thread";
  readonly id: string;
  /** The one that it uses where none is named. */
  readonly model: string | null;
  readonly provider: string | null;
  readonly version: string | null;
  readonly cwd: string;
}

export type OpenedThread =
  | Thread
  | { readonly kind: "forgotten"; readonly problem: string }
  | { readonly kind: "lost"; readonly problem: string };

interface ThreadRequest {
  readonly cwd: string;
  readonly model: string | null;
  readonly resume: string | null;
}

/** Every command and every patch is asked about, and no other model answers in our place. */
export const ASKING = { approvalPolicy: "untrusted", approvalsReviewer: "user" } as const;

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Codex's ids are UUIDs; with another one it may begin anew without a word. */
export const isThreadId = (id: string): boolean => UUID.test(id);

export const describeForgotten = (id: string): string =>
  `\`codex\` knows no conversation \`${id}\``;

const lost = (problem: string): OpenedThread => ({ kind: "lost", problem });

const describeReply = (method: string, reply: RpcReply): string =>
  `\`${method}\` failed: ${reply.kind === "error" ? reply.message : "no answer came"}`;

export async function openThread(peer: JsonRpcPeer, request: ThreadRequest): Promise<OpenedThread> {
  const introduced = await peer.request("initialize", {
    clientInfo: { name: "adjutant", version: VERSION },
    capabilities: null,
  });
  if (introduced.kind !== "result") return lost(describeReply("initialize", introduced));
  peer.notify("initialized");
  const { cwd, model, resume } = request;
  const method = resume === null ? "thread/start" : "thread/resume";
  const reply = await peer.request(method, {
    ...ASKING,
    ...(await chooseSandbox(peer, cwd)),
    cwd,
    ...(model === null ? {} : { model }),
    ...(resume === null ? {} : { threadId: resume, excludeTurns: true }),
  });
  if (resume !== null && reply.kind === "error" && UNKNOWN.test(reply.message))
    return { kind: "forgotten", problem: describeForgotten(resume) };
  return reply.kind === "result"
    ? readThread(reply.result, request)
    : lost(describeReply(method, reply));
}

const UNKNOWN = /no rollout found|thread not found|invalid (?:session|thread) id/i;

/** What a person chose stays. Codex's own choice may be to write nothing, whatever was allowed. */
async function chooseSandbox(peer: JsonRpcPeer, cwd: string): Promise<object> {
  const reply = await peer.request("config/read", { includeLayers: false, cwd });
  const config = asRecord(reply.kind === "result" ? asRecord(reply.result).config : null);
  const isChosen = [config.sandbox_mode, config.default_permissions].some((each) => each != null);
  return isChosen ? {} : { sandbox: "workspace-write" };
}

/** An administrator's word may be another one, and a thread that does not ask is not used. */
function readThread(result: unknown, { resume, cwd }: ThreadRequest): OpenedThread {
  const { thread, model, modelProvider, ...opened } = asRecord(result);
  const { id, cliVersion } = asRecord(thread);
  const threadId = asName(id);
  if (threadId === null) return lost("the agent opened no thread");
  if (resume !== null && threadId.toLowerCase() !== resume.toLowerCase())
    return { kind: "forgotten", problem: describeForgotten(resume) };
  const isAsking =
    opened.approvalPolicy === ASKING.approvalPolicy &&
    opened.approvalsReviewer === ASKING.approvalsReviewer;
  if (!isAsking)
    return lost(
      `\`codex\` would not ask before it acts: its approval policy is ${JSON.stringify(opened.approvalPolicy)}`,
    );
  return {
    kind: "thread",
    id: threadId,
    model: asName(model),
    provider: asName(modelProvider),
    version: asName(cliVersion),
    cwd: asText(opened.cwd) ?? cwd,
  };
}
