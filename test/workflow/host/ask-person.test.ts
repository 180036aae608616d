import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { waitUntil } from "../../support/wait-until.ts";
import { openWorkflowHost } from "./workflow-host.ts";

test.each([
  ["", false],
  [", also where another host asked", true],
])(
  "a secret that only the window knows in which it was typed is the script's, and in no file%s",
  async (_, isLater) => {
    const host = await openWorkflowHost();
    const id = await host.start(
      "sample.js",
      `export const meta = { name: "sample", description: "d" };
const key = await adj.ask("your key?", { input: true });
return key.length;`,
    );
    const { stateDir, program } = host.testProgram;
    const { questions } = program.sessions();
    await waitUntil(() => questions.listOpen().length === 1);
    if (isLater) await host.restart();
    const [asked] = questions.listOpen();
    const typed = "my private word 271828";
    // As `adj answer` hands it over: the words, and what of them may be kept.
    await host.host().answer(asked?.id ?? "", typed, "shell", "[secret]");
    const { run, entries } = await host.untilEnded(id);
    expect(run?.result).toBe(typed.length);
    expect(entries).toMatchObject([{ kind: "ask", status: "done", result: "[secret]" }]);
    const files = readdirSync(stateDir, { recursive: true, withFileTypes: true });
    for (const { parentPath, name } of files.filter((file) => file.isFile()))
      expect(readFileSync(join(parentPath, name)).includes(typed), name).toBe(false);
  },
);
