// A host put together: its queue, the gate for tools, and the port on which windows and hooks reach it.
import type { Surface } from "../../core/command/context.ts";
import { newId } from "../../core/command/new-id.ts";
import type { Program } from "../../core/commands/bundled.ts";
import { Host } from "./host.ts";
import { type ListeningHost, listenForWindows, TurnHookEntry } from "./listen.ts";

interface HostRequest {
  readonly program: Program;
  readonly env: Readonly<Record<string, string>>;
  readonly surface: Surface;
  readonly waitsForOthers: boolean;
  readonly stop: () => void;
}

export interface OpenedHost {
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
