// The protocol's own client in front of the built program.
import { Client, type ClientOptions } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { onTestFinished } from "vitest";
import { ADJ } from "./adj.ts";
import type { SessionHome } from "./session-home.ts";

export type Era = "2025" | "2026";

interface ClientRequest {
  readonly era?: Era;
  readonly words?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  readonly options?: ClientOptions;
}

export async function openClient(
  home: SessionHome,
  { era = "2026", words = ["mcp"], env = {}, cwd = home.project, options = {} }: ClientRequest = {},
): Promise<Client> {
  const given = Object.entries({ ...home.env, ...env }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  const transport = new StdioClientTransport({
    command: ADJ,
    args: [...words],
    env: Object.fromEntries(given),
    cwd,
  });
  const negotiation = era === "2026" ? { versionNegotiation: { mode: "auto" } as const } : {};
  const client = new Client({ name: "test-client", version: "1" }, { ...negotiation, ...options });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return client;
}

/** Of the server that it talks to. */
export function pidOf({ transport }: Client): number {
  const pid = transport instanceof StdioClientTransport ? transport.pid : null;
  if (pid === null) throw new Error("no process is behind this client");
  return pid;
}

export interface ToolAnswer {
  readonly text: string;
  readonly isError: boolean;
  readonly [key: string]: unknown;
}

/** Both forms of an answer in one. */
export async function callTool(
  client: Client,
  name: string,
  given: Readonly<Record<string, unknown>> = {},
): Promise<ToolAnswer> {
  const {
    content,
    structuredContent,
    isError = false,
  } = await client.callTool({
    name,
    arguments: { ...given },
  });
  const [first] = content ?? [];
  const text = first?.type === "text" ? first.text : "";
  return { ...Object(structuredContent), text, isError };
}
