// A conversation with the real Copilot CLI.
import { describe, test } from "vitest";
import { findLabCli, missingMessage } from "../lab.ts";
import { describeAcpTalk } from "./acp-behaviour.ts";

describe("copilot", () => {
  const cli = findLabCli("copilot");
  if (cli === null) return test.skip(missingMessage("copilot"));
  const figures = { input: 1111, output: 222, cacheRead: 333, reasoning: 55 };
  describeAcpTalk({
    cli,
    models: ["another-model", "one-more-model"],
    modelOf: ({ body }) => String(JSON.parse(body).model),
    shell: { tool: "bash", args: { command: "touch made.txt" } },
    usage: [figures, figures],
    resumedUsage: figures,
  });
});
