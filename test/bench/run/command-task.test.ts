import { expect } from "vitest";
import { longTest } from "../../support/tier.ts";
import { makeBenchHome } from "./bench-home.ts";

const FIX = `---
description: Mend a file
args: [file]
---
Mend {{ file }}, please.
`;

longTest("a case can be a Markdown command, run by each agent of the suite", async () => {
  const home = makeBenchHome(
    {
      mend: {
        agent: "",
        files: { "file.txt": "one\n" },
        evaluators: [{ run: "grep -q two file.txt" }],
        entry: { prompt: undefined, command: { name: "fix", args: ["file.txt"] } },
      },
    },
    {
      agents: [
        { id: "good", agent: "replay", config: { cassette: "./good.yaml" } },
        { id: "bad", agent: "replay", config: { cassette: "./bad.yaml" } },
        {
          id: "program",
          agent: "command",
          config: { argv: ["sh", "-c", "cat > file.txt; echo two >> file.txt; echo done"] },
        },
      ],
    },
  );
  const tape = (steps: string) => `adjutant: 1\nsteps:\n${steps}cost_usd: 0.5\n`;
  home.write({
    "project/.adjutant/commands/fix.md": FIX,
    "project/good.yaml": tape('  - write: { path: file.txt, content: "two\\n" }\n'),
    "project/bad.yaml": tape("  - say: no\n"),
  });
  await home.trust();
  const { results } = await home.bench("suite.yaml");
  expect(results.map(({ key, ending, reason, costUsd }) => [key, ending, reason, costUsd])).toEqual(
    [
      ["mend/good/1", "passed", null, 0.5],
      ["mend/bad/1", "failed", "`run`: exit 1", 0.5],
      ["mend/program/1", "passed", null, null],
    ],
  );
  home.write({ "project/.adjutant/commands/fix.md": `${FIX}Really.\n` });
  await home.trust();
  const { metadata } = await home.bench("plan", "suite.yaml");
  expect(metadata.trials).toMatchObject([{ stale: true }, { stale: true }, { stale: true }]);
  expect((await home.adj("bench", "plan", "suite.yaml")).stdout).toContain(
    "3 to run (3 of them stale)\ncost: $1.00 to $1.00 by what it was before; not known for program, which said none before\n",
  );
});
