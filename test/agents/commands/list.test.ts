import { expect, test } from "vitest";
import { linesOf, openTestProgram } from "../../support/program-of-commands.ts";

test.each(["agent list", "install"])(
  "`adj %s` says on a narrow screen, too, how to get an agent",
  async (words) => {
    const { run } = openTestProgram();
    const lines = linesOf(
      await run(words.split(" "), { env: { COLUMNS: "80", PATH: "/nowhere" } }),
    );
    expect(lines.find((line) => line.startsWith("codex "))).toMatch(/ @openai\/codex`$/);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  },
);
