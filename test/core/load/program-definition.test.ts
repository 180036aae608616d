import { describe, expect, it } from "vitest";
import type { ProgramDefinition } from "../../../src/core/load/program-definition.ts";
import { type ProgramCall, programSpec } from "../../../src/core/load/program-definition.ts";

const call: ProgramCall = {
  name: "sample",
  words: [],
  env: { A: "1" },
  workingDirectory: "/here",
  platform: "linux",
};
const place = { cwd: null, folder: "/defined" };
const linux = (definition: ProgramDefinition, words: string[] = []) => {
  const { executable, args } = programSpec(definition, { ...call, words });
  return [executable, ...args];
};

describe("from a definition to what is started", () => {
  it.each<[ProgramDefinition, string[], string[]]>([
    [
      { ...place, kind: "argv", argv: ["git", "log"], argvWindows: null },
      ["-1"],
      ["git", "log", "-1"],
    ],
    [{ ...place, kind: "argv", argv: ["./x"], argvWindows: ["x.exe"] }, [], ["/defined/x"]],
    [{ ...place, kind: "argv", argv: ["../x", "./y"], argvWindows: null }, [], ["/x", "./y"]],
    [{ ...place, kind: "argv", argv: ["/bin/x"], argvWindows: null }, [], ["/bin/x"]],
    [
      { ...place, kind: "shell", shell: "sh", command: "c" },
      ["a", "b"],
      ["sh", "-c", "c", "sh", "a", "b"],
    ],
    [
      { ...place, kind: "shell", shell: "bash", command: "c" },
      [],
      ["bash", "--noprofile", "--norc", "-c", "c", "bash"],
    ],
    [
      { ...place, kind: "shell", shell: "pwsh", command: "c" },
      [],
      ["pwsh", "-NoProfile", "-NonInteractive", "-Command", "c"],
    ],
    [{ ...place, kind: "shell", shell: "cmd", command: "c" }, [], ["cmd", "/C", "c"]],
    [
      { ...place, kind: "shell", shell: { program: "./sh", args: ["-e"] }, command: "c" },
      [],
      ["/defined/sh", "-e", "c"],
    ],
  ])("%j with %j is %j", (definition, words, expected) => {
    expect(linux(definition, words)).toEqual(expected);
  });

  it("on Windows `argv_windows` counts where there is one", () => {
    const definition: ProgramDefinition = {
      ...place,
      kind: "argv",
      argv: ["tool"],
      argvWindows: ["tool.exe", "/q"],
    };
    const windows: ProgramCall = { ...call, platform: "win32", words: ["w"] };
    expect(programSpec(definition, windows)).toMatchObject({
      executable: "tool.exe",
      args: ["/q", "w"],
    });
    const without = { ...definition, argvWindows: null };
    expect(programSpec(without, windows)).toMatchObject({ executable: "tool", args: ["w"] });
  });

  it("environment and folder are passed on, the definition's folder first", () => {
    const definition: ProgramDefinition = {
      kind: "argv",
      argv: ["x"],
      argvWindows: null,
      cwd: "/there",
      folder: "/defined",
    };
    expect(programSpec(definition, call)).toMatchObject({ cwd: "/there", env: { A: "1" } });
    expect(programSpec({ ...definition, cwd: null }, call)).toMatchObject({ cwd: "/here" });
  });
});
