// `adj mcp --http`: a token for this project, the address to use it at, and a host that stays as long as this window is open.
import type { CommandContext } from "../../core/command/context.ts";
import { fault } from "../../core/command/fault.ts";
import { type CommandResult, ok } from "../../core/command/result.ts";
import type { Program } from "../../core/commands/bundled.ts";
import { findHost } from "../../session/host/address.ts";
import { connectHost } from "../../session/host/connect.ts";
import { issueToken } from "./tokens.ts";

export async function announceHttp(
  { all }: { readonly all: boolean },
  context: CommandContext,
  program: Program,
): Promise<CommandResult> {
  const { signal } = context;
  const host = await connectHost({ program, env: context.env.forChild(), signal, surface: "mcp" });
  try {
    const address = findHost(program.stateDir);
    if (host.isInside || address === null)
      throw fault(
        "HostUnreachable",
        { problem: "no host runs beside this process" },
        { hint: "start one with `adj serve`" },
      );
    const grant = { cwd: context.workingDirectory, root: program.root, isAll: all };
    const token = issueToken(program.stateDir, grant);
    const url = `http://127.0.0.1:${address.port}/mcp`;
    const entry = { type: "http", url, headers: { Authorization: `Bearer ${token}` } };
    await context.write(`${JSON.stringify({ adjutant: entry }, null, 2)}\n`);
    // A window that watches keeps the host from leaving.
    for await (const event of host.follow({ sessionId: `mcp ${token.slice(0, 8)}`, signal }))
      if (event.kind === "notice") context.progress(event.text);
    return ok("");
  } finally {
    await host.close();
  }
}
