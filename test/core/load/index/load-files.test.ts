import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { loadForIndex } from "../../../../src/core/load/index/load-files.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

const NO_THREAD = "file:///no/such/thread.cjs";

/** Loads both YAML files of a layer where no thread can be had. */
function load(files: Readonly<Record<string, string>>) {
  const folder = temporaryFolder("adjutant-test-");
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const commandsFolder = join(folder, "commands");
  mkdirSync(commandsFolder);
  const source = {
    layer: "user",
    plugin: null,
    folder,
    shown: folder,
    commandsFolder,
    hasYaml: true,
    boundary: null,
    isFixed: false,
  } as const;
  const jobs = [{ kind: "settings" }, { kind: "yaml" }] as const;
  return loadForIndex(jobs, { source, libraryUrl: "file:///no/library.js" }, NO_THREAD);
}

const COMMANDS = "build: { description: B, argv: [make] }\n";

describe("YAML files of a layer", () => {
  test("are read without a thread when they are small, and what is wrong is said as ever", async () => {
    const [settings, commands] = await load({
      "config.yaml": "mode: auto\n",
      "commands.yaml": `${COMMANDS}bad: 1\n`,
    });
    expect(settings).toEqual({ records: [], settings: { mode: "auto" }, fault: null });
    expect(commands?.records.map(({ name }) => name)).toEqual(["build", "bad"]);
    const [broken] = await load({ "config.yaml": "[".repeat(8000), "commands.yaml": COMMANDS });
    expect(broken?.fault).toMatchObject({ code: "FileInvalid" });
  });

  test.each([
    ["large", `${COMMANDS}# ${"x".repeat(16 * 1024)}\n`],
    ["unfolded", "one: &a { description: B, argv: [make] }\ntwo: *a\n"],
    ["unfolded by an odd name", "one: &&a { description: B, argv: [make] }\ntwo: *&a\n"],
  ])("get a thread when they are %s", async (_, text) => {
    const loading = load({ "config.yaml": "", "commands.yaml": text });
    await expect(loading).rejects.toThrow("thread");
  });
});
