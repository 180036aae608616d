import { expect, onTestFinished, test } from "vitest";
import { VERSION } from "../../src/core/command/version.ts";
import { addressFile, readAddress } from "../../src/hooks/resident/address.ts";
import { prepareHttpEntry } from "../../src/hooks/resident/http-entry.ts";
import { until } from "../hooks/resident/stand-in.ts";
import { makeHome, type Printed } from "./adj.ts";

const says = (stdout: string): Printed => ({
  exitCode: 0,
  signal: null,
  stdout: `${stdout}\n`,
  stderr: "",
});

test("start, status and stop say what is there and what is not", async () => {
  const home = makeHome();
  onTestFinished(async () => void (await home.adj("resident", "stop")));
  expect(await home.adj("resident")).toEqual(
    says("no resident is running; the next hook of an agent starts one"),
  );
  const started = await home.adj("resident", "start");
  const { pid } = readAddress(addressFile(home.stateDir))?.owner ?? {};
  const running = says(`resident ${VERSION} is running as process ${pid}`);
  expect(started).toEqual(running);
  expect(await home.adj("resident", "start")).toEqual(running);
  expect(await home.adj("resident", "status")).toEqual(running);
  expect(await home.adj("resident", "stop")).toEqual(says("the resident was stopped"));
  expect(await home.adj("resident", "stop")).toEqual(says("no resident is running"));
});

test.each([{ CI: "true" }, { ADJ_RESIDENT: "off" }])("with %j none is started", async (env) => {
  const home = makeHome();
  const { exitCode, stderr } = await home.adjIn(
    { env: { ...home.env, ...env } },
    "resident",
    "start",
  );
  expect([exitCode, stderr]).toEqual([
    1,
    "there is no resident in CI or with `ADJ_RESIDENT=off`; unset them to start one\n",
  ]);
});

test("the first hook of an agent is answered cold and leaves one for the next", async () => {
  const home = makeHome();
  onTestFinished(async () => void (await home.adj("resident", "stop")));
  const stdin = JSON.stringify({
    session_id: "s1",
    cwd: home.project,
    hook_event_name: "PreToolUse",
    tool_name: "Bash",
    tool_input: { command: "ls" },
  });
  const first = await home.adjIn({ stdin }, "hook", "claude-code");
  expect(first).toEqual({ exitCode: 0, signal: null, stdout: "{}", stderr: "" });
  await until(() => readAddress(addressFile(home.stateDir)) !== null);
});

test("over HTTP a virtual command is left to the shell, and guards still answer", async () => {
  const home = makeHome();
  onTestFinished(async () => void (await home.adj("resident", "stop")));
  home.write({
    "config/commands.yaml": "say: { description: a, safety: read_only, argv: [echo, --] }\n",
    "config/hooks.yaml":
      "hooks:\n  - { name: no, on: before_tool, match: { command: 'no*' }, run: { builtin: deny } }\n",
  });
  const { port, secret } = await prepareHttpEntry(home.stateDir);
  const payload = (line: string) => ({
    ...{ session_id: "s1", cwd: home.project, hook_event_name: "PreToolUse" },
    ...{ tool_name: "Bash", tool_input: { command: line } },
  });
  const stdin = JSON.stringify(payload("adj-say hello"));
  const typed = await home.adjIn({ stdin }, "hook", "claude-code");
  expect(typed.stdout).toContain("updatedInput");
  const url = `http://127.0.0.1:${port}/hook/claude-code`;
  await expect
    .poll(async () => (await fetch(url).catch(() => null))?.status, { timeout: 20_000 })
    .toBe(401);
  const post = async (body: object): Promise<string> => {
    const headers = { authorization: `Bearer ${secret}`, "x-adj-project": home.project };
    return (await fetch(url, { method: "POST", headers, body: JSON.stringify(body) })).text();
  };
  expect(await post(payload("adj-say hello"))).toBe("{}");
  expect(await post(payload("no way"))).toContain('"deny"');
  const prompt = {
    session_id: "s1",
    cwd: home.project,
    hook_event_name: "UserPromptSubmit",
    prompt: "adj-say hello",
  };
  expect(await post(prompt)).toBe("{}");
});
