// A host put together: its queue, the gate for tools, and the port on which windows and hooks reach it.

import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { getRequestListener } from "@hono/node-server";
import type { StepHook } from "../../agents/run/conversation.ts";
import type { Surface } from "../../core/command/context.ts";
import { newId } from "../../core/command/new-id.ts";
import { VERSION } from "../../core/command/version.ts";
import type { Program } from "../../core/commands/bundled.ts";
import { TURN_HOOK_EVENT, TURN_HOOK_NAME } from "../../hooks/pipeline/hook-call.ts";
import { KEY_LENGTH } from "../../hooks/resident/address.ts";
import { formatTurnAddress } from "../../hooks/resident/turn-call.ts";
import { type ApiOptions, createApi } from "./api.ts";
import { Host } from "./host.ts";

interface HostRequest {
  readonly program: Program;
  readonly env: Readonly<Record<string, string>>;
  readonly surface: Surface;
  readonly waitsForOthers: boolean;
  readonly stop: () => void;
}

interface OpenedHost {
  readonly host: Host;
  readonly listening: ListeningHost;
  close(): Promise<void>;
}

export async function openHost(request: HostRequest): Promise<OpenedHost> {
  const { program, stop } = request;
  const entry = new TurnHookEntry(program.stateDir, program.entry);
  const refuse = (problem: string) => {
    program.audit.append({
      time: new Date().toISOString(),
      type: "AccessDenied",
      correlationId: newId(),
      sessionId: null,
      origin: { surface: request.surface },
      data: { what: "host", problem },
    });
  };
  const stepHook = (agent: string) => entry.stepHook(agent);
  const host = new Host({ ...request, stepHook, refuse });
  const fetchExtension = (name: string, of: Request) => host.extensions.fetch(name, of);
  const answerHook = host.answerHook.bind(host);
  const listening = await listenForWindows(
    { host, refuse, answerHook, fetchExtension, stop },
    entry,
  );
  return {
    host,
    listening,
    close: async () => {
      await host.close();
      await listening.close();
    },
  };
}

// A host that can be reached: its API on a port of loopback, and the file by which hooks of its agents find it.

interface ListeningHost {
  readonly port: number;
  readonly key: string;
  close(): Promise<void>;
}

/** A person has ten minutes, and the answer some seconds more. */
const HOOK_LIMIT_MS = 615_000;

/** Where hooks will be answered: known before the host listens, so that it can be handed to agents. */
export class TurnHookEntry {
  readonly file: string;
  readonly keys = { clientKey: newKey(), serverKey: newKey() };
  readonly #program: readonly string[];

  constructor(stateDir: string, program: readonly string[]) {
    this.file = join(stateDir, `host-hook.${newId()}`);
    this.#program = program;
  }

  stepHook(agent: string): StepHook {
    return {
      argv: [...this.#program, "hook", agent, TURN_HOOK_EVENT],
      env: { [TURN_HOOK_NAME]: this.file },
      limitMs: HOOK_LIMIT_MS,
    };
  }

  open(port: number): void {
    const url = `http://127.0.0.1:${port}`;
    const text = formatTurnAddress({ url, ...this.keys, limitMs: HOOK_LIMIT_MS });
    writeFileSync(this.file, text, { mode: 0o600, flag: "wx" });
  }

  close(): void {
    rmSync(this.file, { force: true });
  }
}

const newKey = (): string => randomBytes(KEY_LENGTH / 2).toString("hex");

export async function listenForWindows(
  options: Omit<ApiOptions, "key" | "hookKeys" | "version">,
  entry: TurnHookEntry,
): Promise<ListeningHost> {
  const key = newKey();
  const api = createApi({ ...options, key, hookKeys: entry.keys, version: VERSION });
  const server = createServer(getRequestListener(api.fetch));
  const port = await listen(server);
  entry.open(port);
  return {
    port,
    key,
    close: async () => {
      entry.close();
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function listen(server: Server): Promise<number> {
  // A hook may wait for a person for minutes.
  server.requestTimeout = 0;
  server.listen({ port: 0, host: "127.0.0.1" });
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new TypeError("no port");
  return address.port;
}
