// Workflows as a person types them: the built program, a host of its own, `replay` in place of a model.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { longTest, sampled } from "../support/tier.ts";
import { waitUntil } from "../support/wait-until.ts";
import { makeSessionHome, type SessionHome } from "./session-home.ts";

const RUN = /wf_[a-z0-9]{12}/g;
const TIME = /(?:under 1|\d+(?:\.\d+)?) m?s\b/g;

/** What differs from run to run is left out. */
const plain = (text: string): string => text.replaceAll(RUN, "RUN").replaceAll(TIME, "TIME");

const PANEL = `export const meta = { name: "panel", description: "Ask twice" };
phase("Ask");
const answers = await parallel(["one", "two"].map((word) => () => agent(\`say \${word}\`, { label: word })));
log("both were asked");
return answers.filter(Boolean).length;
`;

async function openHome(files: Readonly<Record<string, string>>): Promise<SessionHome> {
  const home = makeSessionHome({ ADJ_AGENT: "replay" });
  home.write(
    Object.fromEntries(
      Object.entries(files).map(([name, text]) => [`project/.adjutant/workflows/${name}`, text]),
    ),
  );
  await home.trust();
  return home;
}

test("a run prints its result, and a line for each change beside it", async () => {
  const home = await openHome({ "panel.js": PANEL });
  const { exitCode, stdout, stderr } = await home.adj("workflow", "run", "panel");
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "2\n" });
  const lines = plain(stderr).trimEnd().split("\n");
  expect(lines[0]).toBe("panel (RUN) running");
  for (const line of [
    "1 Ask: one done in TIME (replay)",
    "2 Ask: two done in TIME (replay)",
    "both were asked",
    "panel (RUN) done",
  ])
    expect(lines).toContain(line);
  const again = await home.adj("workflow", "resume", "last", "--json");
  expect(JSON.parse(again.stdout)).toMatchObject({
    kind: "ok",
    result: {
      exitCode: 0,
      metadata: { workflow: "panel", status: "done", result: 2, census: { calls: 2, failed: 0 } },
    },
  });
  const events = await home.adj("workflow", "run", "panel", "--events");
  const kinds = events.stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line).kind);
  expect([kinds[0], kinds.at(-1), kinds.includes("log")]).toEqual(["run", "end", true]);
});

const GATE = `description: Ask, then go on
start: gate
stages:
  gate: { ask: "Go on?", next: work, otherwise: end }
  work: { prompt: say done }
`;

test("a gate waits in the host; another shell pauses, stops, resumes and answers", async () => {
  const home = await openHome({ "gate.yaml": GATE });
  const started = await home.adj("workflow", "run", "gate", "--detach");
  expect(plain(started.stdout)).toBe(
    "started RUN; follow it with `adj workflow resume RUN`, end it with `adj workflow stop RUN`\n",
  );
  const question = await home.question();
  const shown = await home.adj("workflow", "show", "last");
  expect(shown.stdout).toContain(`answer with \`adj answer ${question} yes|no\``);
  const stopped = await home.adj("workflow", "stop", "last");
  expect(plain(stopped.stdout)).toContain("RUN ends in a moment");
  await waitUntil(() => home.store.questions.listOpen().length === 0);
  const resumed = await home.adj("workflow", "resume", "last", "--detach");
  expect(resumed.exitCode).toBe(0);
  expect((await home.adj("answer", await home.question(), "yes")).exitCode).toBe(0);
  const ended = await home.adj("workflow", "resume", "last");
  expect(ended.exitCode).toBe(0);
  expect(JSON.parse(ended.stdout)).toMatchObject({ stage: "work" });
});

longTest(
  "without a host that stays, what waits for a person ends with 3 and goes on later",
  async () => {
    const home = await openHome({ "gate.yaml": GATE });
    const place = { env: { ...home.env, CI: "true" } };
    const first = await home.adjIn(place, "workflow", "run", "gate");
    expect(first.exitCode).toBe(3);
    expect(plain(first.stderr)).toMatch(
      /\nnothing is lost; answer it, then go on: `adj workflow resume RUN`\n$/,
    );
    const refused = await home.adjIn(place, "workflow", "run", "gate", "--detach");
    expect(refused).toMatchObject({
      exitCode: 2,
      stderr:
        "adj: `workflow`: `--detach` needs a host that stays, and none runs here; start one with `adj serve`\n",
    });
  },
);

test("a file that is no trusted project's is started by its hash or a person's yes", async () => {
  const home = makeSessionHome();
  const file = join(home.folder, "once.js");
  writeFileSync(file, 'export const meta = { name: "once", description: "x" };\nreturn 1;\n');
  const refused = await home.adj("workflow", "run", file);
  expect(refused.exitCode).toBe(126);
  const [, hash = ""] = /--hash (\w+)/.exec(refused.stderr) ?? [];
  expect(await home.adj("workflow", "run", file, "--hash", hash)).toMatchObject({
    exitCode: 0,
    stdout: "1\n",
  });
  // It was said once; another content is another word.
  expect((await home.adj("workflow", "run", file)).exitCode).toBe(0);
  writeFileSync(file, 'export const meta = { name: "once", description: "x" };\nreturn 2;\n');
  expect((await home.adj("workflow", "run", file, "--hash", hash)).exitCode).toBe(126);
});

const script = (body: string): string =>
  `export const meta = { name: "bad", description: "x" };\n${body}\n`;
const SHIP = `description: Plan, then ask
start: plan
requires: [hooks]
stages:
  plan: { prompt: say planned, next: gate }
  gate: { ask: "Go on?", next: end, otherwise: end }
`;

longTest(
  "what is attached is saved with the session and goes on in the one that it is resumed in",
  async () => {
    const home = await openHome({ "ship.yaml": SHIP });
    const other = (...words: string[]) => home.adj("--session", "other", ...words);
    const [first, second] = [home.adj, other].map((adj) => async (...words: string[]) => {
      const { stdout, stderr } = await adj(...words);
      return plain(stdout + stderr).trimEnd();
    });
    if (first === undefined || second === undefined) throw new TypeError("two sessions");
    await first("workflow", "attach", "ship", "--agent", "claude-code");
    expect(await first("save", "work")).toBe(
      "saved work with 0 turns and workflow ship in stage plan",
    );
    const [line, brought] = (await second("resume", "work")).split("\n");
    expect(line).toMatch(/^resumed work, saved .*, with 0 turns$/);
    expect(brought).toBe(
      `workflow ship: goes on here in stage plan, and no longer in session ${home.sessionId}`,
    );
    expect(await second("workflow", "show")).toMatch(/^ship +RUN +waiting: your next prompt/);
    expect(await second("provider", "command")).toContain(
      "agent `command` lacks what this session depends on: hooks",
    );
    expect(await first("workflow", "detach")).toContain("no workflow is attached to this session");
    await second("workflow", "detach");
    expect(await first("resume", "work")).toContain("workflow ship: goes on here in stage plan");
  },
);

test("a workflow starts no agent that lacks what it requires, and requires nothing that no agent has", async () => {
  const home = await openHome({
    "ship.yaml": SHIP,
    "odd.yaml": SHIP.replace("hooks", "telepathy"),
  });
  expect(await home.adj("workflow", "run", "ship", "--agent", "command")).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining("lacks what this session depends on: hooks"),
  });
  const odd = await home.adj("workflow", "run", "odd");
  expect(odd).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("must be one of") });
});

const STAGES = "description: x\nstart: a\nstages:\n";

/** What is wrong, in which file, and the one line that says so. */
const BAD: readonly (readonly [
  title: string,
  name: string,
  text: string,
  exitCode: number,
  line: RegExp,
])[] = [
  [
    "a missing stage",
    "bad.yaml",
    `${STAGES}  a: { prompt: x, next: bulid }\n  build: { prompt: x }\n`,
    2,
    /bad\.yaml:4:\d+: there is no stage `bulid`; did you mean `build`\?/,
  ],
  [
    "a cycle without an end",
    "bad.yaml",
    `${STAGES}  a: { prompt: x, next: b }\n  b: { prompt: x, next: a }\n`,
    2,
    /bad\.yaml:4:\d+: .*a loop without a limit/,
  ],
  [
    "a stage that nothing leads to",
    "bad.yaml",
    `${STAGES}  a: { prompt: x }\n  b: { prompt: x }\n`,
    2,
    /bad\.yaml:5:\d+: /,
  ],
  [
    "an unknown agent",
    "bad.js",
    script('return await agent("x", { agent: "cluade-code" });'),
    1,
    /unknown agent `cluade-code`; did you mean `claude-code`\?/,
  ],
  [
    "a schema that contradicts itself",
    "bad.js",
    script(
      'return await agent("x", { schema: { type: "object", required: ["a"], properties: {}, additionalProperties: false } });',
    ),
    1,
    /the schema requires `a`, which `additionalProperties: false` excludes/,
  ],
  [
    "a worktree in no repository",
    "bad.js",
    script('return await agent("x", { isolation: "worktree" });'),
    1,
    /is not in a git repository; run `git init` first/,
  ],
  [
    "a script that throws",
    "bad.js",
    script("return null.length;"),
    1,
    /bad\.js:2:13: TypeError: Cannot read properties of null/,
  ],
  [
    "a result that JSON cannot hold",
    "bad.js",
    script("return { big: 10n };"),
    0,
    /bad \(RUN\) done/,
  ],
  ["a forgotten `await`", "bad.js", script('agent("x");\nreturn 1;'), 0, /is an `await` missing\?/],
  [
    "too many calls",
    "bad.js",
    script("await Promise.all(Array.from({ length: 11_000 }, () => adj.random()));"),
    1,
    /at most 10000/,
  ],
  ["no meta", "bad.js", "return 1;\n", 2, /bad\.js:1:1: .*`export const meta/],
];

describe("bad input gets one clear line, and nothing is lost", () => {
  test.for(sampled(BAD))("%s", async ([, name, text, exitCode, line]) => {
    const home = makeSessionHome({ ADJ_AGENT: "replay", ADJ_HOST: "off" });
    const file = join(home.project, name);
    writeFileSync(file, text);
    const hash = createHash("sha256").update(text).digest("hex").slice(0, 16);
    const printed = await home.adj("workflow", "run", file, "--hash", hash);
    expect(plain(printed.stderr)).toMatch(line);
    expect(printed.exitCode).toBe(exitCode);
  });

  test("a journal of a newer version, or one that is damaged, is named and left alone", async () => {
    const home = await openHome({ "panel.js": PANEL });
    const path = join(home.stateDir, "workflow.db");
    await home.adj("workflow", "list");
    const database = new DatabaseSync(path);
    database.exec("PRAGMA user_version = 99");
    database.close();
    const newer = await home.adj("workflow", "list");
    expect(newer.stderr).toContain("was written by a newer Adjutant (schema 99");
    writeFileSync(path, "this is no database, and long enough to be looked at ".repeat(20));
    const damaged = await home.adj("workflow", "list");
    expect(damaged.stderr).toMatch(/workflow\.db` cannot be used: /);
    expect(readFileSync(path, "utf8")).toMatch(/^this is no database/);
  });
});
