import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { CommandTools } from "../../../src/core/command/context.ts";
import { defineCommand } from "../../../src/core/command/definition.ts";
import type { Interactor } from "../../../src/core/command/request.ts";
import { ok } from "../../../src/core/command/result.ts";
import { splitWords } from "../../../src/core/command/words.ts";
import {
  openTestProgram,
  type RunOptions,
  type TestProgram,
} from "../../support/program-of-commands.ts";
import { writeFiles } from "../../support/temporary-folder.ts";
import { waitUntil } from "../../support/wait-until.ts";

/** A command that uses one tool and prints what came of it. */
const use = defineCommand({
  description: "use a tool",
  parseArgs: (line) => JSON.parse(splitWords(line)[1] ?? ""),
  run: async ({ tool, args }: { tool: keyof CommandTools; args: never }, context) =>
    ok(JSON.stringify(await context.tool(tool, args))),
});

interface Lab extends TestProgram {
  readonly questions: string[];
  use(
    tool: string,
    args: object,
    options?: RunOptions & { readonly command?: string },
  ): ReturnType<TestProgram["run"]>;
}

/** Somebody who chooses the same answer each time. */
function openLab(answer: string | null, mode = "ask"): Lab {
  const opened = openTestProgram({ commands: { use, write: { ...use, effect: "write" } } });
  writeFiles(opened.configDir, { "config.yaml": `mode: ${mode}\n` });
  const questions: string[] = [];
  const somebody: Interactor = {
    name: "terminal",
    confirm: async () => false,
    input: async () => "",
    select: async (question, choices) => {
      questions.push(`${question} [${choices.join()}]`);
      return answer ?? "";
    },
  };
  const interactors = answer === null ? [] : [somebody];
  return {
    ...opened,
    questions,
    use: (tool, args, { command = "use", ...options } = {}) =>
      opened.run([command, JSON.stringify({ tool, args })], { interactors, ...options }),
  };
}

const resultOf = (outcome: { result: { output: unknown } }) =>
  JSON.parse(String(outcome.result.output));

const steps = (lab: TestProgram) =>
  [
    ...lab.program.audit.read({
      types: ["StepDecided", "InteractionRaised", "InteractionAnswered"],
    }),
  ].map(({ type, data }) => [type, data.step, data.decision].filter(Boolean).join(" "));

describe("a tool of a command", () => {
  test("that only reads inside the project is used at once", async () => {
    const lab = openLab("no");
    writeFiles(lab.root, { "a.txt": "hello\n" });
    expect(resultOf(await lab.use("read", { path: "a.txt" }))).toEqual({
      output: "hello\n",
      errorOutput: "",
      exitCode: 0,
    });
    expect(resultOf(await lab.use("shell", { command: "cat a.txt; ls nowhere" }))).toMatchObject({
      output: "hello\n",
      exitCode: 2,
    });
    expect(lab.questions).toEqual([]);
    expect(steps(lab).slice(0, 2)).toEqual([
      "StepDecided before_tool allow",
      "StepDecided after_tool pass",
    ]);
  });

  test("that may change something is asked of the person of the dispatch", async () => {
    const lab = openLab("yes");
    await lab.use("write", { path: "new/a.txt", content: "one two\n" });
    await lab.use("edit", { path: "new/a.txt", oldText: "two", newText: "2" });
    expect(readFileSync(join(lab.root, "new/a.txt"), "utf8")).toBe("one 2\n");
    expect(lab.questions[0]).toBe(
      "adjutant wants to use `write`: `new/a.txt` (it may change something); `yes-session` remembers edit or write `new/**` [yes,yes-session,no]",
    );
    expect(steps(lab)).toEqual([
      "InteractionRaised",
      "InteractionAnswered",
      "StepDecided before_tool allow",
      "StepDecided after_tool pass",
      "InteractionRaised",
      "InteractionAnswered",
      "StepDecided before_tool allow",
      "StepDecided after_tool pass",
    ]);
  });

  test("that is declined does nothing and ends the command as rejected", async () => {
    const lab = openLab("no");
    const outcome = await lab.use("shell", { command: "touch made" });
    expect(outcome).toMatchObject({
      kind: "rejected",
      error: { class: "Consent", code: "Declined" },
    });
    expect(resultOf(await lab.use("shell", { command: "ls" })).output).toBe("");
  });

  test("is refused where nobody can be asked, below an agent above all", async () => {
    const code = { kind: "rejected", error: { class: "Consent", code: "Required" } };
    expect(await openLab(null).use("shell", { command: "touch made" })).toMatchObject(code);
    const lab = openLab("yes");
    const below = { env: { CLAUDECODE: "1" } };
    expect(await lab.use("shell", { command: "touch made" }, below)).toMatchObject(code);
    expect(lab.questions).toEqual([]);
    expect((await lab.use("shell", { command: "ls" }, below)).kind).toBe("ok");
  });

  test("said yes to for the session is asked once, also by a command that holds the lease", async () => {
    const lab = openLab("yes-session");
    await lab.use("shell", { command: "touch a" }, { command: "write" });
    await lab.use("shell", { command: "touch a b" });
    expect(lab.questions).toHaveLength(1);
    expect(lab.program.sessions().read(`project:${lab.root}`).allow).toHaveLength(1);
  });

  test("needs nobody in mode auto, but for what a hook refuses or wants asked", async () => {
    const lab = openLab("no", "auto");
    writeFiles(lab.configDir, {
      "hooks.yaml": `hooks:
  - { name: no-push, on: before_tool, match: { agent: adjutant, command: "git push*" }, run: { builtin: deny } }
  - { name: look, on: before_tool, match: { path: "keep/**" }, run: { builtin: require-approval } }
`,
    });
    expect((await lab.use("shell", { command: "touch made" })).kind).toBe("ok");
    expect(await lab.use("shell", { command: "git push" })).toMatchObject({
      error: { class: "Hook", code: "Vetoed" },
    });
    expect(await lab.use("write", { path: "keep/x", content: "" })).toMatchObject({
      error: { code: "Declined" },
    });
    expect(lab.questions).toHaveLength(1);
  });

  test("is seen by the hooks after it, whose words go with the result", async () => {
    const lab = openLab("no");
    writeFiles(lab.configDir, {
      "hooks.yaml": `hooks:
  - { name: seen, on: after_tool, match: { tool: read }, run: { shell: sh, command: "grep -q '\\"output\\":\\"hello' || exit 1; echo 'seen it' >&2; exit 2" } }
`,
    });
    writeFiles(lab.root, { "a.txt": "hello" });
    expect(resultOf(await lab.use("read", { path: "a.txt" }))).toEqual({
      output: "hello",
      errorOutput: "seen it",
      exitCode: 0,
    });
  });

  test("touches what was approved: a link that was put there meanwhile is refused", async () => {
    const lab = openLab("yes");
    mkdirSync(join(lab.root, "out"));
    writeFileSync(join(lab.folder, "theirs"), "kept");
    const switching: Interactor = {
      name: "terminal",
      confirm: async () => false,
      input: async () => "",
      select: async () => {
        rmSync(join(lab.root, "out"), { recursive: true });
        symlinkSync(lab.folder, join(lab.root, "out"));
        return "yes";
      },
    };
    const args = { path: "out/theirs", content: "lost" };
    const outcome = await lab.use("write", args, { interactors: [switching] });
    expect(outcome).toMatchObject({ kind: "rejected" });
    expect(readFileSync(join(lab.folder, "theirs"), "utf8")).toBe("kept");
  });

  test("fetches an address and follows no redirection", async () => {
    const server = createServer((request, response) => {
      if (request.url === "/away") response.writeHead(302, { location: "/" }).end();
      else response.end(`${request.method} ${request.headers["x-a"]}`);
    });
    onTestFinished(() => void server.close());
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const lab = openLab("yes");
    const fetched = await lab.use("fetch", { url, method: "POST", headers: { "x-a": "b" } });
    expect(resultOf(fetched)).toEqual({ output: "POST b", errorOutput: "", exitCode: 0 });
    expect(resultOf(await lab.use("fetch", { url: `${url}/away` }))).toEqual({
      output: "",
      errorOutput: "it answered with 302, to `/`",
      exitCode: 1,
    });
    expect(lab.questions[0]).toContain("it uses the network");
  });

  test.each<[string, object, string]>([
    ["shel", {}, "there is no tool `shel`; did you mean `shell`?"],
    ["shell", {}, "the tool `shell` needs `command`, a text"],
    ["read", { path: 7 }, "the tool `read` needs `path`, a text"],
    ["shell", { command: "ls", timeout: "3" }, "`timeout` must be a duration such as `30s`"],
  ])("%s with %j is a mistake of the command", async (tool, args, problem) => {
    const outcome = await openLab("yes").use(tool, args);
    expect(outcome.error).toMatchObject({ code: "ArgumentsInvalid" });
    expect(outcome.error?.message).toContain(problem);
  });

  test.each<[string, object, string]>([
    ["read", { path: "nowhere" }, "does not exist"],
    ["edit", { path: "a.txt", oldText: "x", newText: "" }, "`oldText` is not in the file"],
    ["edit", { path: "a.txt", oldText: "l", newText: "" }, "more than once"],
    ["fetch", { url: "file:///etc/passwd" }, "no address of the web"],
  ])("%s of %j that fails says why", async (tool, args, problem) => {
    const lab = openLab("yes");
    writeFiles(lab.root, { "a.txt": "hello" });
    const { errorOutput, exitCode } = resultOf(await lab.use(tool, args));
    expect(errorOutput).toContain(problem);
    expect(exitCode).toBe(1);
  });

  test("ends with its command", async () => {
    const lab = openLab("yes");
    const stop = new AbortController();
    const running = lab.use("shell", { command: "touch began; sleep 60" }, { signal: stop.signal });
    await waitUntil(() => existsSync(join(lab.root, "began")));
    stop.abort();
    expect((await running).kind).toBe("cancelled");
  });
});
