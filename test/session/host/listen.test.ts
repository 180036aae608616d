import { expect, test } from "vitest";
import { type HookCall, silentReply } from "../../../src/hooks/pipeline/hook-call.ts";
import { answerTurnCall } from "../../../src/hooks/resident/turn-call.ts";
import { listenForWindows, TurnHookEntry } from "../../../src/session/host/open-host.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { openIdleHost } from "./idle-host.ts";

test("a hook of a turn finds the host by the file that it was given, and nobody once the host is gone", async () => {
  const calls: HookCall[] = [];
  const entry = new TurnHookEntry(temporaryFolder(), ["adj"]);
  const listening = await listenForWindows(
    {
      host: openIdleHost(),
      refuse: (problem) => expect.unreachable(problem),
      answerHook: async (call) => {
        calls.push(call);
        return silentReply("{}", "said");
      },
      fetchExtension: async () => null,
      stop: () => undefined,
    },
    entry,
  );
  const { argv, env } = entry.stepHook("claude-code");
  expect(argv).toEqual(["adj", "hook", "claude-code", "turn"]);
  const [file = ""] = Object.values(env);
  const call = { agent: "claude-code", payload: "{}", cwd: "/p", env: { A: "1" }, event: null };
  const ask = () => answerTurnCall(file, { ...call, signal: new AbortController().signal });
  expect(await ask()).toEqual({ stdout: "{}", stderr: "adj: said\n" });
  expect(calls).toMatchObject([
    { agent: "claude-code", payload: "{}", cwd: "/p", env: { A: "1" } },
  ]);
  await listening.close();
  expect((await ask()).stderr).toContain("whoever runs this turn is gone");
});
