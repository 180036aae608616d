// The picture in README is what the program prints: the files of README, these lines typed, drawn. `-u` draws it anew.
import { join } from "node:path";
import { expect } from "vitest";
import { makeHome } from "../program/adj.ts";
import { CHECKOUT } from "../support/checkout.ts";
import { writeFiles } from "../support/temporary-folder.ts";
import { longTest } from "../support/tier.ts";
import { readSteps } from "./console-blocks.ts";
import { drawScreen } from "./draw-screen.ts";
import { typeLine } from "./type-line.ts";

const TYPED = [
  "adj release 1.4.2 --step=minro",
  "adj release 1.4.2 --step=minor",
  "adj hooks test before_tool --agent codex --command 'sudo git push -f' | grep decision",
  'adj send --agent replay "good morning" | head -1',
];

longTest("the picture in README is what is printed", async () => {
  const home = makeHome();
  for (const step of readSteps(join(CHECKOUT, "README.md")))
    if (step.kind === "file") writeFiles(home.project, { [step.path]: step.content });
  await home.trust();
  const env = {
    ...home.env,
    PATH: `${join(CHECKOUT, "bin")}:${home.env.PATH}`,
    ADJ_HOST_IDLE: "10s",
  };
  const lines: string[] = [];
  for (const typed of TYPED) {
    const printed = await typeLine(typed, { cwd: home.project, env });
    lines.push(`$ ${typed}`, ...printed.trimEnd().split("\n"));
  }
  await expect(drawScreen(lines)).toMatchFileSnapshot(join(CHECKOUT, "docs", "screen.svg"));
});
