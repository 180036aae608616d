import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseHooksFile } from "../../../src/hooks/pipeline/file.ts";
import { markRepository } from "../../support/temporary-folder.ts";
import { hooks } from "./hooks-asking.ts";
import { openHooksProgram } from "./hooks-program.ts";

describe("hooks init", () => {
  test("writes guards that can be read, all with something to do, and says what comes next", async () => {
    const opened = openHooksProgram();
    const { text, facts } = await hooks(opened, "init");
    const file = join(opened.configDir, "hooks.yaml");
    expect(text.split("\n")[0]).toBe(`wrote ${file}`);
    expect(text).toContain("`adj install AGENT`");
    expect(facts).toMatchObject({ file, scope: "user" });
    const { configDir: folder } = opened;
    const form = parseHooksFile(readFileSync(file, "utf8"), {
      ...{ file, layer: "user", folder, workingFolder: folder },
    });
    expect(form.warnings).toEqual([]);
    expect(form.rules.map(({ name }) => name)).toEqual([
      ...[
        "no-lost-work",
        "ask-before-discarding",
        "no-lost-files",
        "no-secrets",
        "secret-files",
        "lock-files",
        "ask-network",
      ],
      "tests-before-stop",
    ]);
  });

  // biome-ignore format: one case a line
  const GUARDED: readonly (readonly [readonly string[], number, string | null])[] = [
    [["--command", "sudo git push -f"], 126, "no-lost-work"],
    [["--command", "git push"], 0, null],
    [["--command", "git checkout -- src", "--agent", "codex"], 126, null],
    [["--command", "git stash clear", "--agent", "codex"], 126, null],
    [["--command", "git checkout -b topic", "--agent", "codex"], 0, null],
    [["--command", "cat .env"], 126, "secret-files"],
    [["--command", "cat .env.example"], 0, null],
    [["--tool", "Read", "--path", "sub/.env.local"], 126, "secret-files"],
    [["--tool", "Write", "--path", "package-lock.json"], 126, "lock-files"],
    [["--tool", "Read", "--path", "package-lock.json"], 0, null],
    [["--tool", "Write", "--path", "a", "--args", `{"content":"AKIA${"Z7QK2M4X".repeat(2)}"}`], 126, "no-secrets"],
    [["--command", "curl https://example.org", "--agent", "codex"], 126, null],
    [["--command", "curl http://localhost:3000", "--agent", "codex"], 0, null],
  ];
  test.each(GUARDED)("the guards written decide on %j: %i", async (words, exitCode, by) => {
    const opened = openHooksProgram();
    await opened.adj("hooks", "init");
    const tried = await hooks(opened, "test", ...words);
    expect({ exitCode: tried.exitCode, by: tried.facts.decision.decidedBy }, tried.text).toEqual({
      exitCode,
      by,
    });
  });

  test("in a project asks for trust, and never writes over anything", async () => {
    const opened = openHooksProgram();
    markRepository(opened.root);
    const { text } = await hooks(opened, "init", "--project");
    expect(text).toContain("next: `adj trust`; until then a project's hooks do not count");
    const file = join(opened.root, ".adjutant/hooks.yaml");
    writeFileSync(file, "mine");
    const again = await opened.adj("hooks", "init", "--project");
    expect(again).toMatchObject({ kind: "rejected", error: { code: "InputInvalid" } });
    expect(readFileSync(file, "utf8")).toBe("mine");
  });

  test("is not for an agent to do", async () => {
    const opened = openHooksProgram();
    const outcome = await opened.run(["hooks", "init"], {
      env: { ...opened.env, CLAUDECODE: "1" },
    });
    expect(outcome.result.exitCode).toBe(126);
    expect(existsSync(join(opened.configDir, "hooks.yaml"))).toBe(false);
  });
});
