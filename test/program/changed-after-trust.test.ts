// What a project runs was edited after somebody trusted it: the approved copy runs, or the person is told which file runs as it is.
import { expect, test } from "vitest";
import { hasPrograms } from "../support/programs.ts";
import { makeHome } from "./adj.ts";

const makefile = (word: string) => `all:\n\t@echo ${word}\n`;
const COMMANDS =
  "all: { description: d, argv: [make, all] }\ngo: { description: d, argv: [sh, tools/go.sh] }\n";

test.runIf(hasPrograms("make"))(
  "a file that no copy stands in for is named when it changed, whatever else did",
  async () => {
    const home = makeHome();
    home.write({
      "project/.adjutant/commands.yaml": COMMANDS,
      "project/Makefile": makefile("one"),
      "project/tools/go.sh": "echo one\n",
    });
    await home.trust();
    expect(await home.adj("all")).toMatchObject({ stdout: "one\n", stderr: "" });
    home.write({ "project/Makefile": makefile("two") });
    expect(await home.adj("all")).toMatchObject({
      stdout: "two\n",
      stderr:
        "adj: `Makefile` changed since you trusted this project and runs as it is now: no copy stands in for it; look with `adj trust --diff`, allow with `adj trust`\n",
    });
    home.write({ "project/tools/go.sh": "echo two\n" });
    expect(await home.adj("go")).toMatchObject({
      stdout: "one\n",
      stderr:
        "adj: this project changed since you trusted it; what you trusted stays in force, but `Makefile` runs as it is now: no copy stands in for it; look with `adj trust --diff`, allow with `adj trust`\n",
    });
    await home.trust();
    expect(await home.adj("go")).toMatchObject({ stdout: "two\n", stderr: "" });
  },
);

const SAY = `---
description: d
agent: command
argv: [sed, ""]
pre: sh tools/pre.sh
post: [sh tools/post.sh, make -s all]
---
[{{ pre }}] [!\`sh tools/inline.sh\`]
`;
const SCRIPTS = ["pre", "post", "inline"].map((name) => [`project/tools/${name}.sh`, name]);
const scripts = (word: string) =>
  Object.fromEntries(SCRIPTS.map(([path, name]) => [path, `echo ${name} ${word}\n`]));

test.runIf(hasPrograms("make"))(
  "the steps and inline commands of a Markdown command run as approved, or are named",
  async () => {
    const home = makeHome();
    home.write({
      "project/.adjutant/commands/say.md": SAY,
      "project/Makefile": makefile("made one"),
      ...scripts("one"),
    });
    await home.trust();
    const before = await home.adj("say");
    expect(before).toMatchObject({ exitCode: 0, stderr: "post one\nmade one\n" });
    for (const part of ["pre one", "inline one"]) expect(before.stdout).toContain(part);
    home.write({ "project/Makefile": makefile("made two"), ...scripts("two") });
    const after = await home.adj("say");
    expect(after.stdout).toBe(before.stdout);
    expect(after.stderr).toContain("post one\nmade two\n");
    expect(after.stderr).toContain("stays in force, but `Makefile` runs as it is now");
  },
);

const cassette = (word: string) =>
  `adjutant: 1\nsteps:\n  - say: ${word}\n  - shell: sh tools/step.sh\n`;

test("a cassette that a Markdown command names plays as approved; what it runs of the project is named", async () => {
  const home = makeHome();
  home.write({
    "project/.adjutant/commands/play.md":
      "---\ndescription: d\ncassette: ../../runs/one.yaml\n---\nplay\n",
    "project/runs/one.yaml": cassette("approved"),
    "project/tools/step.sh": "echo step\n",
  });
  await home.trust();
  expect((await home.adj("play")).stdout).toContain("approved");
  home.write({ "project/runs/one.yaml": cassette("edited") });
  const { stdout, stderr } = await home.adj("play");
  expect(stdout).toContain("approved");
  expect(stdout).not.toContain("edited");
  expect(stderr).toContain(
    "this project changed since you trusted it; what you trusted stays in force;",
  );
  home.write({
    "project/runs/one.yaml": cassette("approved"),
    "project/tools/step.sh": "echo no\n",
  });
  expect((await home.adj("play")).stderr).toContain(
    "`tools/step.sh` changed since you trusted this project",
  );
});

test("where nobody can say which files run, the notice does not say that all stays in force", async () => {
  const home = makeHome();
  home.write({
    "project/.adjutant/commands.yaml":
      "all: { description: d, shell: sh, command: 'for f in tools/*.sh; do sh $f; done' }\ngo: { description: d, argv: [sh, go.sh] }\n",
    "project/tools/a.sh": "echo one\n",
    "project/go.sh": "echo one\n",
  });
  await home.trust();
  home.write({ "project/tools/a.sh": "echo two\n", "project/go.sh": "echo two\n" });
  expect(await home.adj("all")).toMatchObject({
    stdout: "two\n",
    stderr:
      "adj: this project changed since you trusted it; what you trusted stays in force, but for what is listed there as not covered; look with `adj trust --diff`, allow with `adj trust`\n",
  });
});
