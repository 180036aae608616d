// The host as a connection needs it: looked for with each call, so that the first answer waits for none, and a host that left
// for idleness is followed by the next.
import type { Program } from "../../core/commands/bundled.ts";
import type { ConnectedHost } from "../../session/host/connect.ts";
import type { Connection } from "./host-calls.ts";

interface LazyHost extends Pick<ConnectedHost, "callExtension"> {
  close(): Promise<void>;
}

export function connectLazily(request: {
  readonly program: Program;
  readonly env: Connection["env"];
  readonly signal: AbortSignal;
}): LazyHost {
  let opening: Promise<ConnectedHost> | null = null;
  const connect = (): Promise<ConnectedHost> => {
    opening ??= open();
    return opening;
  };
  const open = async (): Promise<ConnectedHost> => {
    try {
      const { connectHost } = await import("../../session/host/connect.ts");
      const host = await connectHost({ ...request, surface: "mcp" });
      // One inside this process stays; one beside it may have another address the next time.
      if (!host.isInside) opening = null;
      return host;
    } catch (error) {
      opening = null;
      throw error;
    }
  };
  return {
    callExtension: async (...call) => (await connect()).callExtension(...call),
    close: async () => (await opening)?.close(),
  };
}
