import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { expect, test } from "vitest";
import { run } from "../../program/adj.ts";
import { CHECKOUT } from "../../support/checkout.ts";
import { longTest } from "../../support/tier.ts";
import { makeBenchHome } from "./bench-home.ts";

/** The test speaks to the agents through their home. */
const OPEN = { sandbox: "none" } as const;
const CASES = {
  a: { agent: 'test -e "$HOME/bad" || echo right', evaluators: [{ contains: "right" }] },
  b: {
    agent: 'test -e "$HOME/bad" && echo wrong || echo right',
    evaluators: [{ contains: "right" }],
  },
};

test("bars and baselines decide the exit code", async () => {
  const home = makeBenchHome(CASES, { repeat: 8, ...OPEN });
  const good = await home.bench("suite.yaml", "--fail-if", "pass_rate < 0.8");
  expect(good.exitCode).toBe(0);
  home.write({ bad: "" });
  const bad = await home.bench("suite.yaml", "--fresh", "--fail-if", "shell.pass_rate < 0.8");
  expect(bad.exitCode).toBe(1);
  expect(bad.metadata.missed).toEqual([
    { bar: "shell.pass_rate < 0.8", agentId: "shell", value: 0 },
  ]);
  const [first, second] = [good, bad].map(({ metadata }) => String(metadata.run).slice(0, 8));
  const report = await home.adj("bench", "report", "--baseline", String(first));
  expect(report).toMatchObject({ exitCode: 1, stderr: "a bar was missed\n" });
  expect(report.stdout).toContain("worse than before: shell");
  const turned = await home.adj("bench", "report", String(first), "--baseline", String(second));
  expect(turned.exitCode).toBe(0);
  const compared = await home.adj("bench", "compare", String(first), String(second));
  expect(compared.stdout).toBe(
    `shell (${first}) is better than shell (${second}) (shell (${first}) − shell (${second}): +100 points, 95 % +73 to +100, p < 0.001)\n`,
  );
  const history = await home.adj("bench", "history", "suite.yaml");
  expect(history.stdout).toMatch(
    new RegExp(
      `^RUN .*\\n${first} .* trials +done +16/16 +shell 100 %\\n${second} .* shell 0 %\\n$`,
    ),
  );
});

longTest(
  "runs of different cases are compared on those they share, and a baseline without any holds nothing",
  async () => {
    const home = makeBenchHome(CASES);
    const ran = async (...words: string[]) =>
      String((await home.bench("suite.yaml", ...words)).metadata.run);
    const all = await ran();
    const [one, other] = [await ran("--only", "a"), await ran("--only", "b")];
    const [first, second] = [all.slice(0, 8), one.slice(0, 8)];
    const compared = await home.adj("bench", "compare", first, second);
    expect(compared.stdout).toBe(
      `shell (${first}) and shell (${second}): no difference shown (0 points, 95 % −79 to +79, p = 1.000)\nonly in ${first}: cases b\n`,
    );
    const report = await home.adj("bench", "report", one, "--baseline", other);
    expect(report).toMatchObject({ exitCode: 1, stderr: "a bar was missed\n" });
    expect(report.stdout).toContain(`missed: shell: worse than ${other.slice(0, 8)} (not known)\n`);
  },
);

test("a bar that nothing could be measured for is no miss of the agent's", async () => {
  const home = makeBenchHome(
    { ...CASES, c: { agent: "echo right", entry: { setup: ["exit 9"] } } },
    OPEN,
  );
  const only = async (id: string) =>
    (await home.adj("bench", "suite.yaml", "--only", id, "--fail-if", "pass_rate < 0.5")).exitCode;
  expect(await only("a")).toBe(0);
  expect(await only("c")).toBe(3);
  home.write({ bad: "" });
  const both = ["--only", "a", "--only", "c", "--fresh", "--fail-if", "pass_rate < 0.5"];
  const { exitCode, stdout } = await home.adj("bench", "suite.yaml", ...both);
  expect(exitCode).toBe(1);
  expect(stdout).toContain("missed: shell: pass_rate < 0.5 (it is 0)");
  const nowhere = await home.adj("bench", "report", "--html", "no/such/folder.html");
  expect(nowhere.exitCode).toBe(2);
  expect(nowhere.stderr).toContain(
    "folder.html` cannot be written: its folder does not exist; nothing is lost",
  );
});

test("what cannot be is said before anything is spent", async () => {
  const home = makeBenchHome(CASES);
  const refused = async (...words: string[]) => {
    const { exitCode, stderr } = await home.adj("bench", "suite.yaml", ...words);
    return [exitCode, stderr];
  };
  expect(await refused("--fail-if", "pass_rat < 1")).toEqual([
    2,
    expect.stringContaining(
      "`--fail-if pass_rat < 1`, column 1: there is no metric `pass_rat`; did you mean `pass_rate`?",
    ),
  ]);
  expect(await refused("--fail-if", "shel.pass_rate < 1")).toEqual([
    2,
    expect.stringContaining("names no agent of the suite; did you mean `shell`?"),
  ]);
  expect(await refused("--baseline", "abc")).toEqual([
    expect.any(Number),
    expect.stringContaining("there is no run `abc`"),
  ]);
  expect(await refused("--only", "c")).toEqual([
    2,
    expect.stringContaining("`--only c` names no case, tag or agent"),
  ]);
  expect((await home.adj("bench", "history")).stdout).toBe(
    "no runs yet; `adj bench SUITE` makes one\n",
  );
  appendFileSync(home.suiteFile, "x");
  expect((await home.adj("bench", "suite.yaml")).exitCode).toBe(2);
});

test("post steps get the results and cannot change them", async () => {
  let answers = 0;
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => (body += chunk));
    request.on("end", () => {
      answers += 1;
      if (answers > 1) bodies.push(body);
      response.writeHead(answers > 1 ? 200 : 503).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  try {
    const home = makeBenchHome(CASES, {
      post: [
        { webhook: `http://127.0.0.1:${port}/` },
        { append: "./all.jsonl" },
        { run: "cat > posted.json; exit 7" },
      ],
    });
    const { exitCode, stderr } = await home.adj("bench", "suite.yaml");
    expect(exitCode).toBe(0);
    expect(stderr).toContain("post step `run` failed: it exited with 7");
    expect(JSON.parse(bodies[0] ?? "").results).toHaveLength(2);
    expect(readFileSync(join(home.project, "all.jsonl"), "utf8").trim().split("\n")).toHaveLength(
      2,
    );
    expect(JSON.parse(readFileSync(join(home.project, "posted.json"), "utf8"))).toHaveLength(2);
  } finally {
    server.close();
  }
});

test("a report in every form that is asked for", async () => {
  const home = makeBenchHome(CASES);
  await home.bench("suite.yaml");
  const { stdout } = await home.adj(
    ...["bench", "report", "--md", "r.md", "--html", "r.html", "--junit", "r.xml", "--github"],
  );
  expect(stdout).toContain("AGENT");
  for (const file of ["r.md", "r.html", "r.xml"])
    expect(existsSync(join(home.project, file)), file).toBe(true);
  const markdown = await home.adj("bench", "report", "--md", "-");
  expect(markdown.stdout).toBe(readFileSync(join(home.project, "r.md"), "utf8"));
});

test("an expected branch is a tree to be near to", async () => {
  const home = makeBenchHome(
    Object.fromEntries(
      ["near", "far"].map((id) => [
        id,
        {
          agent: "",
          evaluators: [{ expected: { branch: "done", only: ["file.txt"] } }],
          entry: { workspace: { git: "./origin", branch: "main" } },
        },
      ]),
    ),
    {
      agents: [
        {
          id: "shell",
          agent: "command",
          config: { argv: ["sh", "-c", `echo \${case} > file.txt`] },
        },
      ],
    },
  );
  home.write({ "project/origin/file.txt": "one\n" });
  const script = `git init -q -b main . && git add -A && $c -m one && git checkout -qb done &&
    echo near > file.txt && $c -am two && git checkout -q main`;
  const env = { ...home.env, c: "git -c user.name=a -c user.email=a@b commit -q" };
  const made = await run("sh", ["-c", script], { cwd: join(home.project, "origin"), env });
  expect(made).toMatchObject({ exitCode: 0 });
  const { results } = await home.bench("suite.yaml");
  expect(results.map(({ caseId, ending, score }) => [caseId, ending, score])).toEqual([
    ["near", "passed", 1],
    ["far", "failed", 0],
  ]);
});

test("an answer is checked by a JSON Schema in the built program too", async () => {
  const schema = { type: "object", required: ["name"], properties: { name: { type: "string" } } };
  const home = makeBenchHome({
    fits: { agent: `echo '{"name":"Ada"}'`, evaluators: [{ "json-schema": schema }] },
    lacks: { agent: "echo '{}'", evaluators: [{ "json-schema": schema }] },
  });
  const { results } = await home.bench("suite.yaml");
  expect(results.map(({ ending }) => ending)).toEqual(["passed", "failed"]);
});

test("a workspace with what the suite's project trusts is trusted while its agent runs", async () => {
  const cases = { same: { agent: "adj greet" }, other: { agent: "adj greet" } };
  // It may stand below the temporary folder, of which a trial has its own.
  const home = makeBenchHome(cases, { mounts: [CHECKOUT] });
  const commands = "greet:\n  description: Greet\n  argv: [echo, hello from here]\n";
  home.write({
    "project/.adjutant/commands.yaml": commands,
    "project/cases/same/.adjutant/commands.yaml": commands,
    "project/cases/other/.adjutant/commands.yaml": commands.replace("hello", "other"),
  });
  await home.trust();
  const PATH = `${join(CHECKOUT, "bin")}:${home.env.PATH}`;
  const { stdout } = await home.adjIn(
    { env: { ...home.env, PATH } },
    ...["--json", "bench", "suite.yaml"],
  );
  const results: { ending: string }[] = JSON.parse(stdout).result.metadata.results;
  expect(results.map(({ ending }) => ending)).toEqual(["passed", "agent_error"]);
});
