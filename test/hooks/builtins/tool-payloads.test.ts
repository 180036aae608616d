// Calls of the six agents' own tools, of MCP servers' and of tools that nobody knows: each line of the tables names a
// call that would touch what is protected, or one that would not.
import { mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { removeFolder } from "../../support/temporary-folder.ts";
import { sampled } from "../../support/tier.ts";
import { readLines } from "./fixtures/read-lines.ts";
import { type Guarding, openGuards } from "./guarded-project.ts";

const FILES: Readonly<Record<string, string>> = {
  ...{ "project/.env": "x", "project/sub/.env": "x", "project/secrets/key.txt": "x" },
  ...{ "project/secrets/n.ipynb": "{}", "project/secrets/shot.png": "x" },
  ...{ "project/package-lock.json": "{}", "project/src/a.ts": "x", "project/src/lib/b.ts": "x" },
  ...{ "project/README.md": "x", "project/.gitignore": ".env", "home/.ssh/id_rsa": "x" },
  ...{ "project/.adjutant/hooks.yaml": "x", "home/.config/adjutant/hooks.yaml": "x" },
  "project/.claude/settings.json": "{}",
  "home/.claude/settings.json": `{"hooks":{"PreToolUse":[{"hooks":[{"command":"adj hook claude-code"}]}]}}`,
};

let base: string;
beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "adj-payloads-")));
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(base, name)), { recursive: true });
    writeFileSync(join(base, name), text);
  }
  symlinkSync("../.env", join(base, "project/src/link"));
  symlinkSync("../secrets", join(base, "project/src/dirlink"));
  symlinkSync(join(base, "home/.config"), join(base, "project/src/cfg"));
});
afterAll(() => removeFolder(base));

const PROTECTING = `hooks:
  - name: guard
    on: before_tool
    run: { builtin: protect-paths, with: { paths: ["**/.env", secrets, package-lock.json, ~/.ssh] } }
`;
/** With any guard at all Adjutant's own places are protected. */
const ANY_GUARD = `hooks:
  - { name: guard, on: before_tool, match: { tool: NoSuchTool }, run: { builtin: deny } }
`;

/** The lines of a table whose answer is of that kind. */
async function answeredBy(
  table: string,
  hooks: string,
  isWanted: (answer: Guarding["answer"]) => boolean,
): Promise<string[]> {
  const [root, home, stateDir] = ["project", "home", "state"].map((name) => join(base, name));
  const guards = new Map<string, Awaited<ReturnType<typeof openGuards>>>();
  const found: string[] = [];
  for (const line of sampled(readLines(`payloads/${table}.txt`))) {
    const [agent = "", tool = "", ...rest] = line.split(" ");
    const place = { root: root ?? "", home: home ?? "", stateDir: stateDir ?? "" };
    const decide = guards.get(agent) ?? (await openGuards({ ...place, hooks, agent }));
    guards.set(agent, decide);
    const args = rest.join(" ").replaceAll("ROOT", place.root).replaceAll("UHOME", place.home);
    const call = { tool, args: JSON.parse(args.replaceAll("STATE", place.stateDir)) };
    if (isWanted((await decide(call)).answer)) found.push(line);
  }
  return found;
}

it("a call that touches a protected file does not pass", { timeout: 60_000 }, async () => {
  expect(await answeredBy("touching", PROTECTING, (answer) => answer === "pass")).toEqual([]);
});
it("a call that touches none passes", { timeout: 60_000 }, async () => {
  expect(await answeredBy("free", PROTECTING, (answer) => answer !== "pass")).toEqual([]);
});
it("a call that changes the guards or their settings does not pass", {
  timeout: 60_000,
}, async () => {
  expect(await answeredBy("own-places", ANY_GUARD, (answer) => answer === "pass")).toEqual([]);
});
it("nor does one that is nested too deep to be an argument", async () => {
  const place = { root: join(base, "project"), home: join(base, "home") };
  const decide = await openGuards({ ...place, stateDir: join(base, "state"), hooks: PROTECTING });
  const nest = (args: unknown, times: number): unknown =>
    Array.from({ length: times }).reduce((inner) => [inner], args);
  const call = (args: unknown) => decide({ tool: "mcp__a__b", args: { x: nest(args, 4_000) } });
  expect((await call(".env")).answer).toBe("deny");
  expect((await call("src/a.ts")).answer).toBe("pass");
});
