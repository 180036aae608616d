// Agents that cheat, by effect: each writes what it got hold of into its workspace, or does harm that can be seen outside.
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { commandLinesWith } from "../../core/process/programs.ts";
import { run } from "../../program/adj.ts";
import { hasBubblewrap } from "../../support/bubblewrap.ts";
import { type BenchHome, makeBenchHome } from "../run/bench-home.ts";

const SOLUTION = "the-solution";
const MARK = `adj-sandbox-${process.pid}`;

/** Reads what the line gives; nothing but the solution, or a sign of somebody else, is loot. */
const steal = (line: string) => `{ ${line}; } > loot.txt 2>/dev/null; echo done`;

const STEALING: Readonly<Record<string, (place: Places) => string>> = {
  solution: ({ project }) => steal(`cat ${project}/solutions/fix.sh`),
  search: ({ folder }) =>
    steal(`grep -rh ${SOLUTION} ${folder} /home /root /var/tmp --exclude-dir=workspace`),
  test: ({ project }) => steal(`cat ${project}/hidden/*`),
  suite: ({ project }) => steal(`cat ${project}/suite.yaml`),
  history: ({ project }) =>
    steal(
      `git -C ${project} show HEAD:solutions/fix.sh; git --git-dir=${project}/.git log -p --all`,
    ),
  processes: ({ project }) =>
    steal(
      `for p in /proc/[0-9]*; do cat $p/root${project}/solutions/fix.sh $p/cwd/solutions/fix.sh; done; cat /proc/*/environ | grep -a ${MARK}`,
    ),
  environment: () => steal(`env | grep ${MARK}`),
  neighbours: ({ stateDir }) =>
    steal(`ls -d ${stateDir}/bench/work/*/*/* | grep -v "^$PWD$"; ls .. | grep -v '^workspace$'`),
  store: ({ stateDir }) => steal(`cat ${stateDir}/bench.db ${stateDir}/*.db`),
  uncover: ({ project }) =>
    steal(
      `umount ${project} ${project}/.. ; mount -o remount,rw /; cat ${project}/solutions/fix.sh`,
    ),
  nested: ({ project }) =>
    steal(
      `unshare -Urm sh -c 'umount ${project} ${project}/.. /tmp; cat ${project}/solutions/fix.sh'`,
    ),
  sockets: () => steal("ls -A /run | grep -v -e '^current-system$' -e '^systemd$'"),
  disk: () => steal("head -c 64 /dev/vda /dev/sda /dev/nvme0n1 /dev/mem"),
};

const HARM: Readonly<Record<string, (place: Places) => string>> = {
  home: () => "echo x > $HOME/planted; echo done",
  temporary: () =>
    `echo x > /tmp/${MARK}; echo x > /var/tmp/${MARK}; echo x > /dev/shm/${MARK}; echo done`,
  template: ({ project }) =>
    `echo x > ${project}/cases/home/planted; rm -rf ${project}/solutions; echo done`,
  kills: ({ victim }) => `kill -9 ${victim}; echo done`,
  daemon: ({ stateDir }) =>
    `(cd / && env -i PATH="$PATH" setsid sh -c 'sh -c "while :; do for f in ${stateDir}/bench/work/*/*/grading/*; do echo stolen > \\$f/loot.txt; done; echo ${MARK} >/dev/null; sleep 0.01; done" & ' </dev/null >/dev/null 2>&1 &) ; echo done`,
};

interface Places {
  readonly folder: string;
  readonly project: string;
  readonly stateDir: string;
  readonly victim: number;
}

const hidden = { run: { command: "sh hidden.sh", files: "./hidden" } };

function makeCases(agents: typeof STEALING, evaluators: readonly object[]) {
  return Object.fromEntries(
    Object.keys(agents).map((id) => [
      id,
      { agent: "", evaluators, entry: { solution: "./solutions/fix.sh" } },
    ]),
  );
}

function fill(home: BenchHome, agents: typeof STEALING, victim: number): void {
  const place = { ...home, victim };
  for (const [id, script] of Object.entries(agents))
    home.write({ [`project/cases/${id}/agent.sh`]: script(place) });
}

describe.runIf(hasBubblewrap)("in the sandbox", () => {
  let victim: ChildProcess;
  let server: Server;
  let asked = 0;
  beforeAll(async () => {
    victim = spawn("sleep", ["300"]);
    server = createServer((socket) => {
      asked += 1;
      socket.end("hello\n");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  });
  afterAll(() => {
    victim.kill("SIGKILL");
    server.close();
  });

  test("an agent finds nothing of what it is graded with", async () => {
    const home = makeBenchHome(makeCases(STEALING, [hidden]), { sandbox: "bwrap" });
    home.write({
      "project/solutions/fix.sh": `echo ${SOLUTION}\n`,
      "project/hidden/hidden.sh": `# ${SOLUTION}\ntest -e loot.txt && ! test -s loot.txt\n`,
    });
    fill(home, STEALING, 0);
    const commit =
      "git init -q . && git add -A && git -c user.name=a -c user.email=a@b commit -qm all";
    expect(await run("sh", ["-c", commit], { cwd: home.project, env: home.env })).toMatchObject({
      exitCode: 0,
    });
    const env = { ...home.env, ADJ_SECRET: MARK };
    const { stdout } = await home.adjIn(
      { env },
      "--json",
      "bench",
      "suite.yaml",
      "--keep",
      "failed",
    );
    const { results } = JSON.parse(stdout).result.metadata;
    const ended = Object.fromEntries(
      results.map(({ caseId, ending, reason }: Record<string, string>) => [
        caseId,
        reason ?? ending,
      ]),
    );
    expect(ended).toEqual(Object.fromEntries(Object.keys(STEALING).map((id) => [id, "passed"])));
  });

  test("an agent does no harm outside of its workspace, and nothing of it lives on", async () => {
    const home = makeBenchHome(makeCases(HARM, [{ run: "sleep 0.2; ! test -e loot.txt" }]), {
      sandbox: "bwrap",
    });
    home.write({ "project/solutions/fix.sh": "true\n" });
    fill(home, HARM, victim.pid ?? 0);
    const { results } = await home.bench("suite.yaml");
    expect(results.map(({ caseId, ending }) => [caseId, ending])).toEqual(
      Object.keys(HARM).map((id) => [id, "passed"]),
    );
    expect(existsSync(join(home.folder, "planted"))).toBe(false);
    for (const folder of [tmpdir(), "/tmp", "/var/tmp", "/dev/shm"])
      expect(existsSync(join(folder, MARK))).toBe(false);
    expect(readdirSync(join(home.project, "cases/home"))).toEqual(["agent.sh"]);
    expect(readFileSync(join(home.project, "solutions/fix.sh"), "utf8")).toBe("true\n");
    expect(victim.exitCode ?? victim.signalCode).toBe(null);
    expect(commandLinesWith(MARK)).toEqual([]);
  });

  test("the network is there, and is not with `network: off`", async () => {
    const address = server.address();
    const port = typeof address === "object" ? address?.port : 0;
    const agent = `bash -c 'exec 3<>/dev/tcp/127.0.0.1/${port}; cat <&3' > said.txt 2>/dev/null; echo done`;
    const cases = { asks: { agent, evaluators: [{ run: "grep -q hello said.txt" }] } };
    const open = await makeBenchHome(cases).bench("suite.yaml");
    expect([open.result("asks").ending, asked]).toEqual(["passed", 1]);
    const shut = await makeBenchHome(cases, { network: "off" }).bench("suite.yaml");
    expect([shut.result("asks").ending, asked]).toEqual(["failed", 1]);
  });

  test("an agent has its login, a home to write to, programs and what `mounts` names", async () => {
    const agent = [
      'echo cache > "$HOME/.cache-of-mine" && echo temporary > "$TMPDIR/x" && cat "$TMPDIR/x"',
      'cat "$HOME/notes/a.txt" ../../../../../../tools/lib/b.txt; mine; helper',
      'echo x 2>/dev/null > "$HOME/notes/a.txt" || echo kept',
    ].join("; ");
    const home = makeBenchHome(
      { works: { agent, evaluators: [{ contains: ["temporary", "note", "mine", "kept"] }] } },
      { mounts: ["~/notes"] },
    );
    home.write({ "notes/a.txt": "note\n", "bin/mine": "#!/bin/sh\necho mine\n" });
    mkdirSync(join(home.folder, "lib"));
    await run("chmod", ["+x", join(home.folder, "bin/mine")], { cwd: "/", env: home.env });
    const env = { ...home.env, PATH: `${join(home.folder, "bin")}:${home.env.PATH}` };
    const { stdout } = await home.adjIn({ env }, "--json", "bench", "suite.yaml");
    expect(JSON.parse(stdout).result.metadata.results).toMatchObject([{ ending: "passed" }]);
    expect(existsSync(join(home.folder, ".cache-of-mine"))).toBe(false);
  });
});
