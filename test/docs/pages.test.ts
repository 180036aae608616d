import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeHome, run } from "../program/adj.ts";
import { sampled } from "../support/tier.ts";
import { matchesPrinted, readSteps } from "./console-blocks.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const PAGES = [
  "README.md",
  ...readdirSync(join(ROOT, "examples")).map((example) => `examples/${example}/README.md`),
  ...readdirSync(join(ROOT, "docs"))
    .filter((file) => file.endsWith(".md"))
    .map((file) => `docs/${file}`),
];

describe("every page does what it says", () => {
  // A page is a session of many commands, each a start of the program.
  it.for(sampled(PAGES))("%s", { timeout: 120_000 }, async (page) => {
    const home = makeHome();
    // An example is typed in a copy of its own folder.
    if (page.startsWith("examples/"))
      cpSync(dirname(join(ROOT, page)), home.project, { recursive: true });
    mkdirSync(join(home.project, "node_modules"));
    symlinkSync(ROOT, join(home.project, "node_modules", "adjutant"));
    // Set up by npm, not by a reader's shell: these two are proven by the whole test run itself.
    const isSetUp = (typed: string) => /^(npm|npx|git clone|git pull|cd)\b/.test(typed);
    for (const step of readSteps(join(ROOT, page))) {
      if (step.kind === "file") {
        const file = join(home.project, step.path);
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, step.content);
      } else if (!isSetUp(step.typed)) {
        const printed = await type(step.typed, home);
        expect(
          matchesPrinted(step.printed, printed),
          `${page}:${step.line}: $ ${step.typed}\n--- expected\n${step.printed}--- printed\n${printed}`,
        ).toBe(true);
      }
    }
  });
});

/** Types a line in a real terminal where the page asks a person, in a plain shell otherwise. */
async function type(typed: string, { project, env }: ReturnType<typeof makeHome>): Promise<string> {
  const PATH = `${join(ROOT, "bin")}:${env.PATH}`;
  // A host that a page leaves behind leaves by itself.
  const place = { cwd: project, env: { ...env, PATH, ADJ_HOST_IDLE: "10s" } };
  if (/^adj trust$/.test(typed)) {
    const { stdout } = await run("script", ["-qefc", typed, "/dev/null"], { ...place, stdin: "y" });
    return stdout.slice(stdout.lastIndexOf("trusted")).replaceAll("\r", "");
  }
  const { stdout } = await run("sh", ["-c", `{ ${typed}\n} 2>&1`], place);
  return stdout;
}
