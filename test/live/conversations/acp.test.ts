// A conversation with a real CLI through the adapter for any agent that speaks the protocol.
import { describe, test } from "vitest";
import { findLabCli, missingMessage } from "../lab.ts";
import { describeAcpTalk } from "./acp-behaviour.ts";

describe("opencode as an agent of the protocol", () => {
  const cli = findLabCli("opencode");
  if (cli === null) return test.skip(missingMessage("opencode"));
  describeAcpTalk({
    cli,
    agent: "acp",
    settings: { argv: [cli.program, "acp"] },
    env: { OPENCODE_PERMISSION: JSON.stringify({ bash: "ask" }) },
    models: ["sim/sim-model"],
    modelOf: ({ body }) => `sim/${JSON.parse(body).model}`,
    shell: { tool: "execute", args: { command: "touch made.txt" } },
    usage: [{ input: null }, { input: null }],
    resumedUsage: { input: null },
  });
});
