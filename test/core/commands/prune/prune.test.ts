import { existsSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { identifySelf } from "../../../../src/core/process/identity.ts";
import { approveProject } from "../../../../src/core/project/trust/approval.ts";
import { formatAddress } from "../../../../src/hooks/resident/address.ts";
import {
  openTestProgram,
  person,
  type TestProgram,
  textOf,
} from "../../../support/program-of-commands.ts";
import { writeFiles } from "../../../support/temporary-folder.ts";

/** What a test has made is old by then: it is an hour old. */
const ALL = ["--older", "1m"];
const HOUR_MS = 3_600_000;

const DEAD = {
  port: 1,
  version: "1.0.0",
  clientKey: "c".repeat(32),
  serverKey: "s".repeat(32),
  owner: { ...identifySelf(), pid: 2 ** 22 + 1 },
};

async function openWithOldThings(): Promise<TestProgram> {
  const opened = openTestProgram();
  const { root, stateDir, program } = opened;
  writeFiles(stateDir, {
    "runs/20200101T120000-aaaaaaaa/log.json": "{}",
    "runs/20200101T120000-aaaaaaaa/stdout.log": "x".repeat(2_000),
    // Under way, or so it seems.
    "runs/20200102T120000-bbbbbbbb/stdout.log": "",
    "runs/29990101T120000-cccccccc/log.json": "{}",
    "calls/c1.json": "{}",
    "sessions/saved.json": "{}",
  });
  for (const text of ["one", "two", "three"]) {
    writeFiles(root, { ".adjutant/commands.yaml": `x: { description: ${text}, argv: [echo] }\n` });
    await approveProject(root, stateDir);
  }
  program.audit.append({
    time: "2020-01-01T00:00:00.000Z",
    type: "CommandUnknown",
    correlationId: "c",
    sessionId: null,
    origin: { surface: "cli" },
    data: { name: "x" },
  });
  for (const entry of readdirSync(stateDir, { withFileTypes: true, recursive: true }))
    age(join(entry.parentPath, entry.name), HOUR_MS);
  return opened;
}

function age(path: string, ms: number): void {
  const at = new Date(Date.now() - ms);
  utimesSync(path, at, at);
}

const runsIn = ({ stateDir }: TestProgram) => readdirSync(join(stateDir, "runs"));
const statesIn = ({ stateDir }: TestProgram) => {
  const [project = ""] = readdirSync(join(stateDir, "trust"));
  const names = readdirSync(join(stateDir, "trust", project));
  return names.filter((name) => /^[0-9a-f]{64}$/.test(name)).length;
};

describe("adj prune", () => {
  test("says what would go, and takes nothing, with `--dry-run`", async () => {
    const opened = await openWithOldThings();
    const outcome = await opened.run(["prune", ...ALL, "--dry-run"]);
    expect(textOf(outcome)).toMatch(
      /^older than [\d :-]+:\nCOUNT {2}WHAT +SIZE\n\d+ +events of the record\n2 +earlier approved states of projects +\S+ B\n1 +runs of agents +2.0 kB\n1 +answers to clients that nobody fetched +2 B$/,
    );
    expect(runsIn(opened)).toHaveLength(3);
    expect(statesIn(opened)).toBe(3);
  });

  test("takes it away when a person says yes: never what is in force, under way, saved or young", async () => {
    const opened = await openWithOldThings();
    const asked: string[] = [];
    const outcome = await opened.run(
      ["prune", ...ALL],
      person(true, (question) => void asked.push(question)),
    );
    expect(asked).toEqual([expect.stringMatching(/^take away these \d+ for good\?$/)]);
    expect(textOf(outcome)).toContain("runs of agents (1)");
    expect(runsIn(opened)).toEqual(["20200102T120000-bbbbbbbb", "29990101T120000-cccccccc"]);
    expect(statesIn(opened)).toBe(1);
    expect(existsSync(join(opened.stateDir, "sessions", "saved.json"))).toBe(true);
    expect((await opened.run(["trust", "--list"])).result.metadata).toMatchObject({
      projects: [{ root: opened.root }],
    });
  });

  test("takes a run that has no log when nothing was written to it for a day, and not before", async () => {
    const opened = openTestProgram();
    const runs = { silent: 25, young: 23, ended: 23, newer: 1 };
    for (const [name, hours] of Object.entries(runs)) {
      const folder = join(opened.stateDir, "runs", `20200101T120000-${name}`);
      writeFiles(folder, { "stdout.log": "", ...(name === "ended" ? { "log.json": "{}" } : {}) });
      for (const path of [...readdirSync(folder).map((file) => join(folder, file)), folder])
        age(path, hours * HOUR_MS);
    }
    await opened.run(["prune", "--older", "12h"], { yes: true });
    expect(runsIn(opened)).toEqual(["20200101T120000-newer", "20200101T120000-young"]);
  });

  test("leaves everything where the person says no, and where there is nobody to ask", async () => {
    const opened = await openWithOldThings();
    expect(await opened.run(["prune", ...ALL], person(false))).toMatchObject({
      error: { code: "Declined" },
    });
    expect(await opened.run(["prune", ...ALL])).toMatchObject({
      error: { code: "Required", hint: "`--yes` allows it" },
    });
    expect(runsIn(opened)).toHaveLength(3);
    expect((await opened.run(["prune", ...ALL], { yes: true })).kind).toBe("ok");
    expect(runsIn(opened)).toHaveLength(2);
  });

  test("is for a person alone, but to look", async () => {
    const opened = await openWithOldThings();
    const env = { CLAUDECODE: "1" };
    expect((await opened.run(["prune", ...ALL], { env, yes: true })).error?.code).toBe("Required");
    expect((await opened.run(["prune", ...ALL, "--dry-run"], { env })).kind).toBe("ok");
    expect(runsIn(opened)).toHaveLength(3);
  });

  test("takes thirty days for old unless told otherwise, and says so where nothing is", async () => {
    const opened = openTestProgram();
    expect(textOf(await opened.run(["prune", "--dry-run"]))).toMatch(/^nothing is older than /);
    expect((await opened.run(["prune", "--older", "soon"])).error?.message).toBe(
      "`prune`: `--older` is a duration like `30d`",
    );
  });

  test("takes the address of a host that is gone, whatever its age, and leaves one that lives", async () => {
    const opened = openTestProgram();
    const write = (name: string, address: typeof DEAD) =>
      writeFileSync(join(opened.stateDir, name), formatAddress(address));
    write("host", DEAD);
    write("resident", { ...DEAD, owner: identifySelf() });
    const outcome = await opened.run(["prune"], { yes: true });
    expect(textOf(outcome)).toContain("took away addresses of processes that are gone (1)");
    expect(existsSync(join(opened.stateDir, "host"))).toBe(false);
    expect(existsSync(join(opened.stateDir, "resident"))).toBe(true);
  });
});
