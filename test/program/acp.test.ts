import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { methods, type SetSessionConfigOptionResponse } from "@agentclientprotocol/sdk";
import { describe, expect, test } from "vitest";
import { runAgent } from "../../src/agents/run/run-agent.ts";
import { adapterOf } from "../support/agents.ts";
import { longTest } from "../support/tier.ts";
import { waitUntil } from "../support/wait-until.ts";
import { ADJ, start } from "./adj.ts";
import { withEditor } from "./editor.ts";
import { makeSessionHome } from "./session-home.ts";

describe("behind an editor", () => {
  longTest(
    "a conversation goes on over prompts, and a later editor is told all of it",
    async () => {
      const home = makeSessionHome();
      const first = await withEditor(home, {}, async ({ open, prompt, said, updates }) => {
        const sessionId = await open();
        expect(await prompt(sessionId, "my name is Ada")).toBe("end_turn");
        said();
        expect(await prompt(sessionId, "second")).toBe("end_turn");
        expect(said()).toContain("prompt 2 of our conversation, which began with “my name is Ada”");
        await waitUntil(() =>
          updates.some((one) => one.sessionUpdate === "available_commands_update"),
        );
        return sessionId;
      });
      expect(first.exitCode).toBe(0);
      const again = await withEditor(home, {}, async ({ agent, updates, said, prompt }) => {
        const place = { cwd: home.project, mcpServers: [] };
        const { sessions } = await agent.request(methods.agent.session.list, { cwd: home.project });
        expect(sessions.map(({ sessionId }) => sessionId)).toContain(first.result);
        await agent.request(methods.agent.session.load, { sessionId: first.result, ...place });
        const users = updates.filter((one) => one.sessionUpdate === "user_message_chunk");
        expect(users).toHaveLength(2);
        said();
        await prompt(first.result, "third");
        return said();
      });
      expect(again.result).toContain("prompt 3 of our conversation");
    },
  );

  test("a tool waits for the editor's word: no is no, yes is yes", async () => {
    const home = makeSessionHome();
    const file = join(home.project, "notes.txt");
    let pick = "no";
    const { result } = await withEditor(home, { pick: () => pick }, async (editor) => {
      const sessionId = await editor.open();
      await editor.prompt(sessionId, "please write a file");
      expect(existsSync(file)).toBe(false);
      pick = "yes";
      await editor.prompt(sessionId, "please write a file");
      return editor.asked.map(({ options }) =>
        options.map(({ optionId, kind }) => [optionId, kind]),
      );
    });
    expect(existsSync(file)).toBe(true);
    expect(result[0]).toContainEqual(["yes", "allow_once"]);
    expect(result[0]).toContainEqual(["no", "reject_once"]);
  });

  longTest(
    "our commands are the editor's slash commands, and its switches set the session",
    async () => {
      const home = makeSessionHome();
      await withEditor(home, {}, async ({ agent, open, prompt, said }) => {
        const sessionId = await open();
        expect(await prompt(sessionId, "/mode")).toBe("end_turn");
        expect(said()).toContain("ask (from the settings)");
        const params = { sessionId, configId: "mode", value: "auto" };
        const { configOptions } = await agent.request<SetSessionConfigOptionResponse>(
          methods.agent.session.setConfigOption,
          params,
        );
        expect(configOptions.find(({ id }) => id === "mode")).toMatchObject({
          currentValue: "auto",
        });
        await prompt(sessionId, "/provider nobody");
        expect(said()).toContain("unknown agent `nobody`");
        // A line that names no command of ours is a prompt.
        await prompt(sessionId, "/no-such-command please");
        expect(said()).toContain("first prompt of our conversation");
      });
    },
  );

  longTest("a turn that is taken back is cancelled, and the next one works", async () => {
    const home = makeSessionHome();
    const { promise: never } = Promise.withResolvers<string>();
    await withEditor(home, { pick: () => never }, async ({ agent, asked, open, prompt, said }) => {
      const sessionId = await open();
      const first = prompt(sessionId, "please write a file");
      await waitUntil(() => asked.length > 0);
      await agent.notify(methods.agent.session.cancel, { sessionId });
      expect(await first).toBe("cancelled");
      said();
      expect(await prompt(sessionId, "and now")).toBe("end_turn");
      expect(said()).toContain("prompt 2");
    });
  });

  longTest("whoever is below an agent is asked nothing and answers for nobody", async () => {
    const home = makeSessionHome();
    const env = { ...home.env, CLAUDECODE: "1" };
    await withEditor(home, { env, pick: () => "yes" }, async ({ agent, asked, open, prompt }) => {
      const sessionId = await open();
      const turn = prompt(sessionId, "please write a file");
      const question = await home.question();
      expect(asked).toEqual([]);
      await home.adj("answer", question, "no");
      expect(await turn).toBe("end_turn");
      const params = { sessionId, configId: "mode", value: "auto" };
      await expect(agent.request(methods.agent.session.setConfigOption, params)).rejects.toThrow(
        "outside the agent",
      );
    });
    expect(existsSync(join(home.project, "notes.txt"))).toBe(false);
  });

  longTest("our own client of the protocol is answered like any editor", async () => {
    const home = makeSessionHome();
    const env = { ...home.env, PATH: home.env.PATH ?? "" } as Record<string, string>;
    const ask = (prompt: string, permission_mode: string) =>
      runAgent(adapterOf("acp"), {
        config: { prompt, permission_mode, argv: [ADJ, "acp", "--agent", "replay"] },
        workspaceDir: home.project,
        timeout: 60_000,
        env,
        runId: randomUUID(),
        logDir: join(home.folder, "log"),
      });
    const file = join(home.project, "notes.txt");
    const refused = await ask("please write a file", "plan");
    expect(refused.log.execution.status).toBe("success");
    expect(existsSync(file)).toBe(false);
    const { log } = await ask("please write a file", "auto");
    expect(log.execution.status).toBe("success");
    expect(log.messages.map(({ content }) => content).join("")).toContain("I wrote notes.txt");
    // The editor's request for permission is a call of its own to it, which ends with the answer.
    expect(log.tool_calls).toMatchObject([
      { kind: "edit", is_error: false, result: "wrote notes.txt (20 bytes)" },
      { kind: "edit", is_error: false },
    ]);
    expect(existsSync(file)).toBe(true);
  });

  longTest("a session that nobody opened is named, and none is made of its name", async () => {
    const home = makeSessionHome();
    await withEditor(home, {}, async ({ agent, prompt }) => {
      await expect(prompt("nothing", "hello")).rejects.toThrow("there is no session `nothing`");
      const place = { cwd: home.project, mcpServers: [] };
      for (const sessionId of ["nothing", ""])
        for (const method of [methods.agent.session.load, methods.agent.session.resume])
          await expect(agent.request(method, { sessionId, ...place })).rejects.toThrow(
            `there is no session \`${sessionId}\``,
          );
    });
    expect(home.store.list().map(({ id }) => id)).not.toContain("nothing");
  });

  longTest("to take back takes back what waits as well as what runs", async () => {
    const home = makeSessionHome();
    const { promise: never } = Promise.withResolvers<string>();
    await withEditor(home, { pick: () => never }, async ({ agent, asked, open, prompt }) => {
      const sessionId = await open();
      const both = [
        prompt(sessionId, "please write a file"),
        prompt(sessionId, "please write a file"),
      ];
      await waitUntil(() => asked.length > 0 && home.store.turns.list(sessionId, 9).length === 2);
      await agent.notify(methods.agent.session.cancel, { sessionId });
      await agent.notify(methods.agent.session.cancel, { sessionId });
      expect(await Promise.all(both)).toEqual(["cancelled", "cancelled"]);
      expect(asked).toHaveLength(1);
    });
  });

  longTest(
    "a question that was answered elsewhere is over in the editor too, as it was",
    async () => {
      const home = makeSessionHome();
      const late = Promise.withResolvers<string>();
      await withEditor(home, { pick: () => late.promise }, async ({ open, prompt, updates }) => {
        const sessionId = await open();
        const turn = prompt(sessionId, "please write a file");
        const question = await home.question();
        await home.adj("answer", question, "no");
        expect(await turn).toBe("end_turn");
        late.resolve("yes");
        expect(await prompt(sessionId, "and now")).toBe("end_turn");
        const told = updates.filter(
          (one) =>
            one.sessionUpdate === "tool_call_update" && one.toolCallId === `question-${question}`,
        );
        expect(told).toMatchObject([{ status: "failed" }]);
      });
      expect(existsSync(join(home.project, "notes.txt"))).toBe(false);
    },
  );

  longTest(
    "a prompt that cannot be read is refused, and the editor is still answered",
    async () => {
      const home = makeSessionHome();
      await withEditor(home, {}, async ({ agent, open, prompt, said }) => {
        const sessionId = await open();
        await expect(prompt(sessionId, " ")).rejects.toThrow("it has no text");
        const link = { type: "resource_link" as const, name: "x", uri: "file:///%E0%A4%A" };
        const text = { type: "text" as const, text: "read this" };
        await agent.request(methods.agent.session.prompt, { sessionId, prompt: [text, link] });
        expect(said()).toContain("first prompt of our conversation");
      });
    },
  );

  longTest("a line that is no message is told, and the next one is answered", async () => {
    const home = makeSessionHome();
    const { ended } = start(ADJ, ["acp", "--agent", "replay"], {
      ...{ cwd: home.project, env: home.env },
      stdin: [
        "{ no json",
        "[]",
        "7",
        '{"jsonrpc":"2.0","id":{},"method":"initialize"}',
        '{"jsonrpc":"2.0","id":3,"method":8}',
        '{"jsonrpc":"2.0","id":99,"result":{}}',
        '{"jsonrpc":"2.0","id":4,"method":"no/such"}',
        '{"jsonrpc":"2.0","id":5,"method":"initialize","params":7}',
        "",
      ].join("\n"),
    });
    const { exitCode, stdout } = await ended;
    const answers = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(exitCode).toBe(0);
    expect(answers.map(({ id, error }) => [id, error?.code])).toEqual([
      [null, -32700],
      ...Array.from({ length: 4 }, () => [null, -32600]),
      [4, -32601],
      [5, undefined],
    ]);
  });

  longTest("a turn that runs is seen, and released, in an editor that comes to it", async () => {
    const home = makeSessionHome();
    const { promise: never } = Promise.withResolvers<string>();
    await withEditor(home, { pick: () => never }, async (first) => {
      const sessionId = await first.open();
      const turn = first.prompt(sessionId, "please write a file");
      await waitUntil(() => first.asked.length > 0);
      const place = { cwd: home.project, mcpServers: [] };
      await expect(
        first.agent.request(methods.agent.session.load, { sessionId, ...place }),
      ).rejects.toThrow("runs in this editor");
      await withEditor(home, { pick: () => "yes" }, async (second) => {
        await second.agent.request(methods.agent.session.load, { sessionId, ...place });
        expect(await turn).toBe("end_turn");
        let said = "";
        await waitUntil(() => {
          said += second.said();
          return said.includes("I wrote notes.txt");
        });
        expect(second.asked).toHaveLength(1);
      });
      expect(await first.prompt(sessionId, "and now")).toBe("end_turn");
    });
    expect(existsSync(join(home.project, "notes.txt"))).toBe(true);
  });
});
