import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeHome } from "../program/adj.ts";
import { CHECKOUT } from "../support/checkout.ts";
import { sampled } from "../support/tier.ts";
import { matchesPrinted, readSteps } from "./console-blocks.ts";
import { typeLine } from "./type-line.ts";

const PAGES = [
  "README.md",
  ...readdirSync(join(CHECKOUT, "examples")).map((example) => `examples/${example}/README.md`),
  ...readdirSync(join(CHECKOUT, "docs"))
    .filter((file) => file.endsWith(".md"))
    .map((file) => `docs/${file}`),
];

describe("every page does what it says", () => {
  // A page is a session of many commands, each a start of the program.
  it.for(sampled(PAGES))("%s", { timeout: 120_000 }, async (page) => {
    const home = makeHome();
    // An example is typed in a copy of its own folder.
    if (page.startsWith("examples/"))
      cpSync(dirname(join(CHECKOUT, page)), home.project, { recursive: true });
    mkdirSync(join(home.project, "node_modules"));
    symlinkSync(CHECKOUT, join(home.project, "node_modules", "adjutant"));
    // What `npm install` brings on a page with a project of its own.
    for (const part of ["typescript", ".bin"])
      symlinkSync(join(CHECKOUT, "node_modules", part), join(home.project, "node_modules", part));
    // Set up by npm, not by a reader's shell: these two are proven by the whole test run itself.
    const isSetUp = (typed: string) => /^(npm|npx|git clone|git pull|cd)\b/.test(typed);
    for (const step of readSteps(join(CHECKOUT, page))) {
      if (step.kind === "file") {
        const file = join(home.project, step.path);
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, step.content);
      } else if (!isSetUp(step.typed)) {
        const printed = await typeLine(step.typed, placeOf(home));
        expect(
          matchesPrinted(step.printed, printed),
          `${page}:${step.line}: $ ${step.typed}\n--- expected\n${step.printed}--- printed\n${printed}`,
        ).toBe(true);
      }
    }
  });
});

/** With the program of this checkout; a host that a page leaves behind leaves by itself. */
function placeOf({ project, env }: ReturnType<typeof makeHome>) {
  const PATH = `${join(CHECKOUT, "bin")}:${env.PATH}`;
  return { cwd: project, env: { ...env, PATH, ADJ_HOST_IDLE: "10s" } };
}
