// A conversation with the real Gemini CLI.
import { describe, test } from "vitest";
import { findLabCli, missingMessage } from "../lab.ts";
import { describeAcpTalk } from "./acp-behaviour.ts";

describe("gemini", () => {
  const cli = findLabCli("gemini");
  if (cli === null) return test.skip(missingMessage("gemini"));
  describeAcpTalk({
    cli,
    models: ["gemini-2.5-pro", "gemini-made-up"],
    modelOf: ({ path }) => /models\/([^:]+):/.exec(path)?.[1] ?? null,
    shell: { tool: "run_shell_command", args: { command: "touch made.txt" } },
    usage: [{ input: 1111 }, { input: 1111 }],
    resumedUsage: { input: 1111 },
  });
});
