import { chmodSync, existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hasBubblewrap } from "../../support/bubblewrap.ts";
import { longTest } from "../../support/tier.ts";
import { makeBenchHome } from "../run/bench-home.ts";

/** As in a container that may not make namespaces: the program is there, and cannot. */
function makeConfined(fields: Parameters<typeof makeBenchHome>[1] = {}) {
  const home = makeBenchHome({ a: { agent: "echo hi" } }, fields);
  const program = "#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2; exit 1\n";
  home.write({ "bin/bwrap": program });
  chmodSync(join(home.folder, "bin/bwrap"), 0o755);
  const env = { ...home.env, PATH: `${join(home.folder, "bin")}:${home.env.PATH}` };
  return { ...home, adj: (...words: string[]) => home.adjIn({ env }, ...words) };
}

const WHY = "bubblewrap cannot make a sandbox here: bwrap: No permissions to create new namespace";

test("where no sandbox can be made agents run without one, and every report says so", async () => {
  const home = makeConfined();
  const ran = await home.adj("bench", "suite.yaml");
  expect(ran).toMatchObject({ exitCode: 0 });
  expect(ran.stdout).toContain(`no sandbox for \`shell\`: ${WHY}\n`);
  const markdown = await home.adj("bench", "report", "--md", "-");
  expect(markdown.stdout).toContain("no sandbox for");
  const page = await home.adj("bench", "report", "--html", "-");
  expect(page.stdout).toContain("no sandbox for");
});

test.each([
  ["the suite demands it", { sandbox: "bwrap" }],
  ["an agent must not have the network", { network: "off" }],
] as const)("where %s and it cannot be made, nothing runs", async (_, fields) => {
  const { exitCode, stderr } = await makeConfined(fields).adj("bench", "suite.yaml");
  expect([exitCode, stderr]).toEqual([
    2,
    `adj: agent \`shell\`: ${WHY}; install bubblewrap, or let it run with your rights: \`sandbox: none\`, \`network: on\`\n`,
  ]);
});

longTest("a worker that cannot make a sandbox says so when it starts", async () => {
  const address = "postgres://user@127.0.0.1:1/none";
  const { stderr } = await makeConfined().adj("bench", "worker", "--store", address);
  expect(stderr.split("\n")[0]).toBe(
    `note: ${WHY}; trials that were planned with a sandbox end as \`infra\` on this worker`,
  );
});

test.runIf(hasBubblewrap)(
  "a grader whose sandbox did not come about is started once more",
  async () => {
    const grade = { run: "echo graded >> seen.txt; test $(wc -l < seen.txt) = 1" };
    const home = makeBenchHome(
      { a: { agent: "echo hi", evaluators: [grade] } },
      { sandbox: "bwrap" },
    );
    const [bin, fallen] = [join(home.folder, "bin"), join(home.folder, "fallen")];
    const program = `#!/bin/sh
case " $* " in *" --dev-bind "*) mkdir ${fallen} 2>/dev/null && echo "bwrap: Can't bind mount /a on /b" >&2 && exit 1 ;; esac
PATH=\${PATH#*:} exec bwrap "$@"
`;
    home.write({ "bin/bwrap": program });
    chmodSync(join(bin, "bwrap"), 0o755);
    const env = { ...home.env, PATH: `${bin}:${home.env.PATH}` };
    const { stdout } = await home.adjIn({ env }, "--json", "bench", "suite.yaml");
    expect(JSON.parse(stdout).result.metadata.results).toMatchObject([{ ending: "passed" }]);
    expect(existsSync(fallen)).toBe(true);
  },
);
