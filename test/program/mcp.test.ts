import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { longTest } from "../support/tier.ts";
import { waitUntil } from "../support/wait-until.ts";
import { callTool, type Era, openClient } from "./mcp-client.ts";
import { makeSessionHome, type SessionHome } from "./session-home.ts";

const COMMANDS = `
hello: { description: Say hello, argv: [echo, hello], safety: read_only }
wipe: { description: Wipe it, shell: sh, command: "echo > wiped", safety: destructive }
count: { description: Count far, shell: sh, command: "seq 1 5000", safety: read_only }
broken: { description: Fail, shell: sh, command: "echo why >&2; exit 3" }
gate: { description: Wait, shell: sh, command: "while ! test -e open; do sleep 0.05; done; echo through" }
keys: { description: Keys, shell: sh, command: "env | sort", env: [ANTHROPIC_API_KEY, MY_KEY] }
`;

const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

function makeHomeWithCommands(): SessionHome {
  const home = makeSessionHome();
  home.write({
    "config/commands.yaml": COMMANDS,
    "config/commands/review.md":
      "---\ndescription: Review a change\nagent: replay\ninputs:\n  focus:\n    description: what to look at\n---\nReview it, above all {{ focus }}.\n",
  });
  return home;
}

describe.each<Era>(["2025", "2026"])("to a client of the %s protocol", (era) => {
  test("commands are tools, and each form of an answer says all of it", async () => {
    const client = await openClient(makeHomeWithCommands(), { era });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      ...["broken", "count", "gate", "hello", "keys", "review", "wipe", "adj_wait", "adj_cancel"],
    ]);
    expect(tools.find(({ name }) => name === "hello")?.annotations).toMatchObject({
      readOnlyHint: true,
      destructiveHint: false,
    });
    expect(client.getInstructions()).toContain("adj_wait");
    const said = { status: "done", exit_code: 0, output: "hello you\n", text: "hello you\n" };
    expect(await callTool(client, "hello", { args: ["you"] })).toMatchObject(said);
    expect(await callTool(client, "broken")).toMatchObject({
      ...{ isError: true, exit_code: 3, error_output: expect.stringContaining("why") },
      text: expect.stringContaining("exit code 3"),
    });
  });
});

describe("a long answer", () => {
  longTest("is cut in the middle and whole as a resource", async () => {
    const client = await openClient(makeHomeWithCommands());
    const answer = await callTool(client, "count");
    expect(Buffer.byteLength(JSON.stringify(answer))).toBeLessThan(16_000);
    expect(answer.text).toContain("characters left out");
    expect(answer.text.startsWith("1\n2\n")).toBe(true);
    expect(answer.text).toContain("\n5000\n");
    const { contents } = await client.readResource({ uri: String(answer.rest) });
    const [whole] = contents;
    expect(whole !== undefined && "text" in whole ? whole.text : "").toHaveLength(23_893);
  });
});

describe("a destructive command", () => {
  longTest("waits for a person, who says yes in a shell of their own", async () => {
    const home = makeHomeWithCommands();
    const client = await openClient(home);
    const waiting = await callTool(client, "wipe", { background: true });
    const question = await home.question();
    const asked = await callTool(client, "adj_wait", { run_id: waiting.run_id, seconds: 0 });
    expect(asked).toMatchObject({ status: "waiting", next: expect.stringContaining(question) });
    expect(existsSync(join(home.project, "wiped"))).toBe(false);
    expect((await home.adj("answer", question, "yes")).exitCode).toBe(0);
    const done = await callTool(client, "adj_wait", { run_id: waiting.run_id });
    expect(done).toMatchObject({ status: "done", exit_code: 0 });
    expect(existsSync(join(home.project, "wiped"))).toBe(true);
  });

  longTest("does nothing after a no, and no client can answer for the person", async () => {
    const home = makeHomeWithCommands();
    const options = { capabilities: { elicitation: { form: {} } } };
    const client = await openClient(home, { words: ["mcp", "--all"], options });
    client.setRequestHandler("elicitation/create", () => ({
      action: "accept",
      content: { answer: "yes", confirm: true },
    }));
    const running = callTool(client, "wipe");
    const question = await home.question();
    const { tools } = await client.listTools();
    for (const name of ["answer", "approve", "trust"])
      expect(tools.map((tool) => tool.name)).not.toContain(name);
    expect(await callTool(client, "mode", { to: "auto" })).toMatchObject({
      isError: true,
      error_output: expect.stringContaining("outside the agent"),
    });
    await home.adj("answer", question, "no");
    expect(await running).toMatchObject({ isError: true, exit_code: 126 });
    expect(existsSync(join(home.project, "wiped"))).toBe(false);
  });
});

describe("a run", () => {
  longTest("outlives the client that began it, and another is told how it ended", async () => {
    const home = makeHomeWithCommands();
    const first = await openClient(home);
    const { run_id } = await callTool(first, "gate", { background: true });
    await first.close();
    const second = await openClient(home);
    const seconds = 0;
    expect(await callTool(second, "adj_wait", { run_id, seconds })).toMatchObject({
      status: "running",
    });
    home.write({ "project/open": "" });
    expect(await callTool(second, "adj_wait", { run_id })).toMatchObject({
      status: "done",
      output: "through\n",
    });
  });

  longTest("is cancelled by its handle; a handle that is none is said to be none", async () => {
    const client = await openClient(makeHomeWithCommands());
    const { run_id } = await callTool(client, "gate", { background: true });
    expect(await callTool(client, "adj_cancel", { run_id })).toMatchObject({
      status: "done",
      exit_code: 130,
    });
    expect(await callTool(client, "adj_wait", { run_id: "c000000000000" })).toMatchObject({
      isError: true,
      error_output: expect.stringContaining("there is no run `c000000000000`"),
    });
  });
});

describe("what a client gets", () => {
  longTest("a Markdown command is a prompt; an argument that lacks is asked for", async () => {
    const home = makeHomeWithCommands();
    home.write({
      "config/commands/greet.js": `import { defineCommand, ok, z } from "adjutant";
export default defineCommand({
  description: "Greet", safety: "read_only",
  args: z.object({
    who: z.string().meta({ positional: 0, description: "whom" }),
    tone: z.enum(["warm", "cool"]).default("warm"),
  }),
  run: ({ who, tone }) => ok("hello " + who + ", " + tone),
});`,
    });
    const options = { capabilities: { elicitation: { form: {} } } };
    const client = await openClient(home, { options });
    const forms: unknown[] = [];
    client.setRequestHandler("elicitation/create", ({ params }) => {
      forms.push(Object(params).requestedSchema);
      return { action: "accept", content: { who: "Ada", tone: "cool" } };
    });
    const { prompts } = await client.listPrompts();
    expect(prompts).toMatchObject([{ name: "review", arguments: [{ name: "focus" }] }]);
    const { messages } = await client.getPrompt({ name: "review", arguments: { focus: "tests" } });
    expect(messages[0]?.content).toMatchObject({
      text: expect.stringContaining("above all tests"),
    });
    expect(await callTool(client, "greet")).toMatchObject({ output: "hello Ada, cool" });
    expect(await callTool(client, "greet", { who: "Bo" })).toMatchObject({
      output: "hello Bo, warm",
    });
    expect(forms).toEqual([
      {
        type: "object",
        properties: {
          who: { type: "string", description: "whom" },
          tone: { type: "string", enum: ["warm", "cool"], default: "warm" },
        },
        required: ["who"],
      },
    ]);
  });

  longTest("an image that a command prints is an image, and can be read again", async () => {
    const home = makeHomeWithCommands();
    home.write({
      "config/commands.yaml": `shot: { description: Shoot, shell: sh, command: "echo ${PNG} | base64 -d" }`,
    });
    const client = await openClient(home);
    const { content, structuredContent } = await client.callTool({ name: "shot", arguments: {} });
    expect(content).toEqual([
      { type: "text", text: "image/png, 70 bytes" },
      { type: "image", mimeType: "image/png", data: PNG },
    ]);
    const { run_id } = Object(structuredContent);
    expect(structuredContent).toMatchObject({ exit_code: 0, output: "image/png, 70 bytes" });
    const uri = `adj://calls/${run_id}/output`;
    const { contents } = await client.readResource({ uri });
    expect(contents).toEqual([{ uri, mimeType: "image/png", blob: PNG }]);
    await home.adj("serve", "stop");
    expect((await client.readResource({ uri })).contents).toEqual(contents);
  });

  longTest("a client of 2025 hears a command's words as a log, if it wants them", async () => {
    const home = makeHomeWithCommands();
    // Each step waits until the one before was heard.
    home.write({
      "config/commands/steps.js": `import { existsSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { defineCommand, ok } from "adjutant";
export default defineCommand({
  description: "Tell of steps",
  run: async (_, context) => {
    for (const step of ["one", "two"]) {
      context.progress(step);
      while (!existsSync(context.workingDirectory + "/" + step)) await pause(20);
    }
    return ok("done");
  },
});`,
    });
    const client = await openClient(home, { era: "2025" });
    const heard: unknown[] = [];
    client.setNotificationHandler("notifications/message", ({ params }) => {
      heard.push(params);
      home.write({ [`project/${params.data}`]: "heard" });
    });
    await callTool(client, "steps");
    const line = (data: string) => ({ level: "info", data, logger: "steps" });
    expect(heard).toEqual([line("one"), line("two")]);
    await client.setLoggingLevel("error");
    await callTool(client, "steps");
    expect(heard).toHaveLength(2);
  });

  longTest("hears of a command that was added, and never of an untrusted project's", async () => {
    const home = makeHomeWithCommands();
    const client = await openClient(home, { era: "2025" });
    let changes = 0;
    client.setNotificationHandler("notifications/tools/list_changed", () => {
      changes += 1;
    });
    const file = { "project/.adjutant/commands.yaml": "ours: { description: Ours, argv: [echo] }" };
    home.write(file);
    const names = async () => (await client.listTools()).tools.map(({ name }) => name);
    expect(await names()).not.toContain("ours");
    await home.trust();
    await waitUntil(() => changes > 0);
    expect(await names()).toContain("ours");
  });

  longTest("no command is given the client's own key", async () => {
    const home = makeHomeWithCommands();
    const env = { CLAUDECODE: "1", ANTHROPIC_API_KEY: "sk-ant-1", MY_KEY: "mine" };
    const client = await openClient(home, { env });
    const { output } = await callTool(client, "keys");
    expect(output).toContain("MY_KEY=mine");
    expect(output).toContain("ADJ_DEPTH=1");
    expect(output).not.toContain("ANTHROPIC");
    const [event] = (await home.events()).filter(({ data }) => data.name === "keys");
    expect(event?.origin).toEqual({ surface: "mcp", agent: "test-client" });
    expect(readFileSync(join(home.stateDir, "audit.db")).includes("sk-ant-1")).toBe(false);
  });
});
