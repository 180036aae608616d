import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { formatFault } from "../../../src/core/command/fault.ts";
import { approveProject, hashProject } from "../../../src/core/project/trust/approval.ts";
import { inspectTrust } from "../../../src/core/project/trust/inspect.ts";
import {
  type FoundWorkflow,
  findWorkflow,
  listWorkflows,
  nameOf,
  type WorkflowFolders,
} from "../../../src/workflow/definition/find-workflow.ts";
import { faultOf } from "../../support/faults.ts";
import { temporaryFolder, writeFiles } from "../../support/temporary-folder.ts";

const script = (name: string, body = "return 1") =>
  `export const meta = { name: "${name}", description: "d" };\n${body};\n`;
const STAGES = "description: d\nstart: a\nstages: { a: { prompt: p } }\n";

function setUp(files: Record<string, string>): WorkflowFolders {
  const folder = temporaryFolder();
  writeFiles(folder, files);
  const at = (path: string) => join(folder, path);
  return {
    root: at("project"),
    cwd: at("project"),
    configDir: at("config"),
    stateDir: at("state"),
    home: at("home"),
    env: {},
    plugins: [],
  };
}

const show = (found: FoundWorkflow): string =>
  `${nameOf(found)} ${found.layer}${found.isTrusted ? " trusted" : ""}${found.kind === "broken" ? ` broken: ${found.problem.message}` : ""}`;

const listed = async (places: WorkflowFolders) => (await listWorkflows(places)).found.map(show);

describe("workflows are found", () => {
  test("in the project, the user's folders and plugins, the project's first", async () => {
    const places = setUp({
      "project/.adjutant/workflows/flow.yaml": STAGES,
      "project/.adjutant/workflows/help/inner.js": "not looked at",
      "project/.adjutant/workflows/types.d.ts": "",
      "project/.claude/workflows/sweep.js": script("sweep"),
      "project/.claude/workflows/notes.md": "no workflow",
      "config/workflows/flow.yaml": STAGES,
      "config/workflows/typed.ts": script("typed", "const a: number = 1; return a"),
      "home/.claude/workflows/mine.js": script("mine"),
      "config/node_modules/kit/package.json": '{"adjutant":{"workflows":"./flows"}}',
      "config/node_modules/kit/flows/panel.mjs": script("panel"),
    });
    await approveProject(places.root, places.stateDir);
    expect(await listed({ ...places, plugins: ["kit", "absent"] })).toEqual([
      "flow project trusted",
      "sweep project trusted",
      "flow user",
      "typed user",
      "mine user",
      "panel plugin",
    ]);
    const { notes } = await listWorkflows({ ...places, plugins: ["absent"] });
    expect(notes).toEqual([
      `the plugin \`absent\` is not installed; run \`npm install absent\` in \`${places.configDir}\``,
    ]);
    const found = await findWorkflow("flow", places);
    expect(found.file).toBe(join(places.root, ".adjutant/workflows/flow.yaml"));
    expect((await findWorkflow("kit:panel", { ...places, plugins: ["kit"] })).workflow.name).toBe(
      "panel",
    );
  });

  test("nowhere in a project that is not trusted, and that is said", async () => {
    const places = setUp({
      "project/.adjutant/workflows/flow.yaml": STAGES,
      "project/.claude/workflows/sweep.js": script("sweep"),
    });
    const note =
      "this project is not trusted, so its workflows do not count; look at them, then `adj trust`";
    expect(await listWorkflows(places)).toEqual({ found: [], notes: [note] });
    expect(formatFault(await faultOf(() => findWorkflow("flow", places)))).toBe(
      `\`flow\`: there is no workflow of that name; ${note}`,
    );
    const path = ".adjutant/workflows/flow.yaml";
    expect((await faultOf(() => findWorkflow(path, places))).code).toBe("Untrusted");
  });

  test("as they were approved, whatever lies there since", async () => {
    const places = setUp({
      "project/.adjutant/workflows/flow.yaml": STAGES,
      "project/.claude/workflows/sweep.js": script("sweep"),
    });
    const { root, stateDir } = places;
    await approveProject(root, stateDir);
    writeFiles(root, {
      ".adjutant/workflows/flow.yaml": STAGES.replace("prompt: p", "prompt: evil"),
      ".adjutant/workflows/new.yaml": STAGES,
      ".claude/workflows/sweep.js": script("sweep", "return 'evil'"),
      ".claude/workflows/late.js": script("late"),
    });
    const since = "it is not part of what was trusted";
    expect(await listed(places)).toEqual([
      "flow project trusted",
      `new project broken: ${root}/.adjutant/workflows/new.yaml: ${since}`,
      `late project broken: ${root}/.claude/workflows/late.js: ${since}`,
      "sweep project trusted",
    ]);
    for (const word of ["flow", "./.adjutant/workflows/flow.yaml", "sweep"])
      expect((await findWorkflow(word, places)).workflow.source).not.toContain("evil");
    const { notes } = await listWorkflows(places);
    expect(notes).toEqual([
      "this project changed since you trusted it; what you trusted stays in force",
    ]);
  });

  test("by agents' scripts beside a project without a layer, not trusted, nearest first", async () => {
    const places = setUp({
      "project/.claude/workflows/sweep.js": script("sweep"),
      "project/pkg/.claude/workflows/sweep.js": script("sweep", "return 'nearest'"),
      "project/pkg/deep/x": "",
    });
    const inside = { ...places, cwd: join(places.root, "pkg/deep") };
    expect(await listed(inside)).toEqual(["sweep project", "sweep project"]);
    expect((await findWorkflow("sweep", inside)).workflow.source).toContain("nearest");
    expect((await findWorkflow("sweep", places)).workflow.source).not.toContain("nearest");
  });

  test("by the path of any file, which was never trusted", async () => {
    const places = setUp({ "project/x.js": script("else") });
    const found = await findWorkflow("./x.js", places);
    expect(show(found)).toBe("else file");
  });

  test("broken ones too, with what is wrong", async () => {
    const places = setUp({
      "config/workflows/bad.yaml":
        "description: d\nstart: a\nstages: { a: { prompt: p, next: b } }\n",
      "config/workflows/code.js": "agent()",
      "project/x": "",
    });
    writeFileSync(join(places.configDir, "workflows/bytes.js"), Buffer.from([0xff, 0xfe]));
    const folder = join(places.configDir, "workflows");
    expect(await listed(places)).toEqual([
      `bad user broken: ${folder}/bad.yaml:3:33: there is no stage \`b\`; did you mean \`a\`?`,
      `bytes user broken: ${folder}/bytes.js: cannot be read: it is not UTF-8 text`,
      `code user broken: ${folder}/code.js:1:1: the first statement is not \`meta\``,
    ]);
    expect((await faultOf(() => findWorkflow("bad", places))).message).toContain("bad.yaml:3:33");
  });

  test.each([
    [
      "swep",
      "`swep`: there is no workflow of that name; did you mean `sweep`? list all with `adj workflow list`",
    ],
    ["./no.js", "FOLDER/project/no.js: cannot be read: it does not exist"],
    [
      "./readme.md",
      "FOLDER/project/readme.md: a workflow is a script or YAML; its name ends with `.js`, `.mjs`, `.ts`, `.yaml`, `.yml`",
    ],
  ])("not by %s", async (word, problem) => {
    const places = setUp({ "config/workflows/sweep.js": script("sweep"), "project/readme.md": "" });
    const folder = join(places.root, "..");
    const fault = await faultOf(() => findWorkflow(word, places));
    expect(formatFault(fault).replace(folder, "FOLDER")).toBe(problem);
  });
});

describe("trust covers", () => {
  test("the scripts of agents: a change of one is a change of the project", async () => {
    const { root, stateDir } = setUp({
      "project/.adjutant/config.yaml": "",
      "project/.claude/workflows/sweep.js": script("sweep"),
      "project/.github/workflows/ci.yml": "on: push",
    });
    const { hash } = await approveProject(root, stateDir);
    writeFiles(root, { ".github/workflows/ci.yml": "on: pull_request" });
    expect(await hashProject(root)).toBe(hash);
    expect((await inspectTrust(root, stateDir)).kind).toBe("trusted");
    writeFiles(root, { ".claude/workflows/sweep.js": script("sweep", "return 2") });
    expect((await inspectTrust(root, stateDir)).kind).toBe("changed");
  });

  test("no script that lies elsewhere: a link to one does not count", async () => {
    const places = setUp({
      "project/.adjutant/config.yaml": "",
      "else.js": script("elsewhere"),
      "project/.claude/workflows/x": "",
    });
    symlinkSync(
      join(places.root, "../else.js"),
      join(places.root, ".claude/workflows/elsewhere.js"),
    );
    await approveProject(places.root, places.stateDir);
    expect(await listed(places)).toEqual([
      `elsewhere project broken: ${places.root}/.claude/workflows/elsewhere.js: it is not part of what was trusted`,
    ]);
  });
});
