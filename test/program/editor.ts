// An editor made of the protocol's own client library, in front of the built program.
import { Readable, Writable } from "node:stream";
import {
  type ClientContext,
  client,
  methods,
  type NewSessionResponse,
  ndJsonStream,
  type PromptResponse,
  type RequestPermissionRequest,
  type SessionNotification,
} from "@agentclientprotocol/sdk";
import { ADJ, start } from "./adj.ts";
import type { SessionHome } from "./session-home.ts";

interface EditorOptions {
  readonly words?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** The option that the person picks. */
  readonly pick?: (request: RequestPermissionRequest) => string | Promise<string>;
}

export interface TestEditor {
  readonly agent: ClientContext;
  readonly updates: SessionNotification["update"][];
  readonly asked: RequestPermissionRequest[];
  /** What the agent said since the last look. */
  said(): string;
  open(): Promise<string>;
  prompt(sessionId: string, text: string): Promise<string>;
}

/** Runs `work` with an editor; the program has left when it is over. */
export async function withEditor<Result>(
  home: Pick<SessionHome, "project" | "env">,
  { words = ["--agent", "replay"], env = home.env, pick = () => "no" }: EditorOptions,
  work: (editor: TestEditor) => Promise<Result>,
): Promise<{ readonly result: Result; readonly exitCode: number | null }> {
  const started = start(ADJ, ["acp", ...words], { cwd: home.project, env, stdin: null });
  const { child } = started;
  const stream = ndJsonStream(
    Writable.toWeb(child.stdin) as WritableStream<Uint8Array>,
    Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>,
  );
  const updates: SessionNotification["update"][] = [];
  const asked: RequestPermissionRequest[] = [];
  let seen = 0;
  const result = await client({ name: "test-editor" })
    .onRequest(methods.client.session.requestPermission, async ({ params }) => {
      asked.push(params);
      return { outcome: { outcome: "selected", optionId: await pick(params) } };
    })
    .onNotification(methods.client.session.update, ({ params }) => {
      updates.push(params.update);
    })
    .connectWith(stream, async (agent) => {
      await agent.request(methods.agent.initialize, { protocolVersion: 1 });
      return work({
        agent,
        updates,
        asked,
        said: () => {
          const fresh = updates.slice(seen);
          seen = updates.length;
          return fresh.map(textOf).join("");
        },
        open: async () => {
          const params = { cwd: home.project, mcpServers: [] };
          return (await agent.request<NewSessionResponse>(methods.agent.session.new, params))
            .sessionId;
        },
        prompt: async (sessionId, text) => {
          const prompt = [{ type: "text" as const, text }];
          const params = { sessionId, prompt };
          return (await agent.request<PromptResponse>(methods.agent.session.prompt, params))
            .stopReason;
        },
      });
    });
  child.stdin.end();
  return { result, exitCode: (await started.ended).exitCode };
}

const textOf = (update: SessionNotification["update"]): string =>
  update.sessionUpdate === "agent_message_chunk" && update.content.type === "text"
    ? update.content.text
    : "";
