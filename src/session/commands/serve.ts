import * as z from "zod/mini";
import { fault } from "../../core/command/fault.ts";
import { PERSON_USES } from "../../core/command/person.ts";
import { ok } from "../../core/command/result.ts";
import { parseDuration } from "../../core/command/time.ts";
import { defineBundled, textArgument } from "../../core/commands/bundled.ts";
import { seesOtherFiles } from "../../core/process/namespaces.ts";
import { findHost } from "../host/address.ts";

const DEFAULT_IDLE_MS = 30 * 60 * 1_000;

export default defineBundled({
  name: "serve",
  description: "Run the host of all sessions here; it starts by itself where one is needed",
  category: "session",
  person: PERSON_USES.serve,
  inheritEnv: true,
  // Turns under way end first.
  graceMs: 600_000,
  argumentHint: "[status|stop]",
  examples: ["adj serve", "adj serve status", "adj serve stop"],
  args: z.strictObject({
    action: z._default(
      z.enum(["run", "status", "stop"]).check(
        z.meta({
          positional: 0,
          plain: true,
          description: "what to do; it is run here by default",
          actions: {
            run: "Run the host here, until it is ended",
            status: "Say whether one runs, and as which process",
            stop: "End it, with the turns that it runs",
          },
        }),
      ),
      "run",
    ),
    idle: textArgument("leave after so long without turns and windows, `30m`", {
      plain: true,
      when: ["run"],
    }),
  }),
  run: async ({ action, idle }, context, program) => {
    const running = findHost(program.stateDir);
    const facts = running === null ? null : { pid: running.owner.pid, port: running.port };
    if (action === "status")
      return ok(running === null ? "no host runs" : `a host runs as process ${running.owner.pid}`, {
        host: facts,
      });
    if (action === "stop") {
      if (running === null) return ok("no host runs", { host: null });
      const { stopHost } = await import("../host/client.ts");
      await stopHost(running);
      return ok(`process ${running.owner.pid} ends its turns and leaves`, { host: facts });
    }
    if (seesOtherFiles(program.stateDir)) {
      const problem = "in namespaces of its own it would see other files than whom it serves";
      throw fault("HostUnreachable", { problem }, { hint: "run `adj serve` outside of them" });
    }
    const env = context.env.forChild();
    const idleMs = parseDuration(idle ?? env.ADJ_HOST_IDLE ?? "") ?? DEFAULT_IDLE_MS;
    if (idle !== undefined && parseDuration(idle) === null)
      throw fault("ArgumentsInvalid", { command: "serve", problem: "`--idle` takes `30m`" });
    const { serveHost } = await import("../host/serve.ts");
    const onReady = (port: number) => context.progress(`serving on 127.0.0.1:${port}`);
    await serveHost({ program, env, idleMs, signal: context.signal, onReady });
    return ok("nobody needed the host any more");
  },
});
