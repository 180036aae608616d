import { chmodSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CommandContext } from "../../../src/core/command/context.ts";
import { type CommandResult, checkResult } from "../../../src/core/command/result.ts";
import { joinWords } from "../../../src/core/command/words.ts";
import { programCommand } from "../../../src/core/load/program-command.ts";
import type { ProgramDefinition, Shell } from "../../../src/core/load/program-definition.ts";
import { runProcess } from "../../../src/core/process/run.ts";
import { temporaryFolder, writeFiles } from "../../support/temporary-folder.ts";
import { isRunning } from "../process/programs.ts";
import { argvDefinition, programContext, SUMMARY } from "./program-context.ts";

const shellDefinition = (shell: Shell, command: string): ProgramDefinition => ({
  kind: "shell",
  shell,
  command,
  cwd: null,
  folder: "/",
});

/** As the dispatcher does it: words become a line, the command's own parser reads the line. */
async function runWords(
  definition: ProgramDefinition,
  words: readonly string[],
  context: CommandContext = programContext(),
): Promise<CommandResult> {
  const command = programCommand(definition, SUMMARY);
  const args = command.parseArgs?.(joinWords(["sample", ...words]));
  return checkResult("sample", await command.run(args, context));
}

const outputOf = (result: CommandResult) => Buffer.from(result.output).toString();
const wordsIn = (result: CommandResult) => outputOf(result).split("\0").slice(0, -1);

const PRINT_WORDS: readonly (readonly [string, ProgramDefinition])[] = [
  ["argv", argvDefinition("printf", "%s\\0")],
  ["sh", shellDefinition("sh", `printf '%s\\0' "$@"`)],
  ["bash", shellDefinition("bash", `printf '%s\\0' "$@"`)],
];

describe.each(PRINT_WORDS)("the words of a command by %s", (_kind, definition) => {
  it("reach the program exactly as they are", async () => {
    const odd = fc.constantFrom(
      "-x",
      "--",
      "",
      "'",
      '"',
      "\\",
      "$HOME",
      "`id`",
      "*",
      "%s",
      "a\nb",
      "ü😀",
    );
    const word = fc
      .oneof(odd, fc.string({ unit: "grapheme" }))
      .filter((text) => !text.includes("\0"));
    await fc.assert(
      fc.asyncProperty(fc.array(word, { minLength: 1, maxLength: 8 }), async (words) => {
        expect(wordsIn(await runWords(definition, words))).toEqual(words);
      }),
      { numRuns: 40 },
    );
  });

  it("are never run, expanded or taken for part of the command", async () => {
    const workingDirectory = temporaryFolder();
    const words = [
      "$(touch canary)",
      "`touch canary`",
      "; touch canary",
      '"; touch canary; "',
      "'; touch canary; '",
      "&& touch canary",
      "\n touch canary",
      "$IFS",
      "*",
    ];
    const result = await runWords(definition, words, programContext({ workingDirectory }));
    expect(wordsIn(result)).toEqual(words);
    expect(existsSync(join(workingDirectory, "canary"))).toBe(false);
  });
});

describe("what is started", () => {
  it("a shell's own name is its `$0`, and without words there is no `$1`", async () => {
    const result = await runWords(shellDefinition("sh", 'printf "%s %s" "$0" $#'), []);
    expect(outputOf(result)).toBe("sh 0");
  });

  it("a custom shell gets its own words and the command last", async () => {
    const shell = { program: "printf", args: ["%s,", "a b"] };
    expect(outputOf(await runWords(shellDefinition(shell, "the command"), []))).toBe(
      "a b,the command,",
    );
  });

  it.each<[Shell, string]>([
    ["pwsh", "pwsh"],
    ["cmd", "cmd"],
    [{ program: "ssh", args: ["host"] }, "ssh"],
  ])("a shell that would interpret words is not given any: %j", async (shell, program) => {
    await expect(runWords(shellDefinition(shell, "x"), ["word"])).rejects.toMatchObject({
      code: "ArgumentsInvalid",
      exitCode: 2,
      message: `\`sample\`: \`${program}\` cannot be given words without interpreting them`,
    });
  });

  it("a relative path is a program beside the file, a bare name is on PATH", async () => {
    const folder = temporaryFolder();
    writeFiles(folder, { "tools/greet": "#!/bin/sh\necho hello from beside\n", printf: "" });
    chmodSync(join(folder, "tools/greet"), 0o755);
    chmodSync(join(folder, "printf"), 0o755);
    const beside = { ...argvDefinition("./tools/greet"), folder };
    expect(outputOf(await runWords(beside, []))).toBe("hello from beside\n");
    const bare = { ...argvDefinition("printf", "from PATH"), folder };
    expect(outputOf(await runWords(bare, []))).toBe("from PATH");
  });

  it("it runs where the definition says, else where the person is", async () => {
    const [defined, here] = [temporaryFolder(), temporaryFolder()];
    const context = programContext({ workingDirectory: here });
    const pwd = argvDefinition("pwd", "-P");
    expect(outputOf(await runWords(pwd, [], context))).toBe(`${here}\n`);
    expect(outputOf(await runWords({ ...pwd, cwd: defined }, [], context))).toBe(`${defined}\n`);
  });

  it("its environment is the command's, and the id of the run", async () => {
    const env = { PATH: process.env.PATH ?? "", TOKEN: "a b\nc" };
    const context = programContext({
      env: { get: () => undefined, forChild: () => ({ ...env }) },
    });
    const variables = wordsIn(await runWords(argvDefinition("env", "-0"), [], context));
    const names = variables.map((entry) => entry.split("=")[0]).sort();
    expect(names).toEqual(["ADJ_RUN_ID", "PATH", "TOKEN"]);
    expect(variables).toContain("TOKEN=a b\nc");
  });

  it("what is not a list of words is refused", async () => {
    const command = programCommand(argvDefinition("true"), SUMMARY);
    for (const args of [{ a: 1 }, ["a", 1], null, "a"])
      await expect(command.run(args, programContext())).rejects.toMatchObject({
        code: "ArgumentsInvalid",
      });
  });
});

describe("what comes of it", () => {
  it("bytes of both channels, never re-encoded, live and in the result", async () => {
    const live = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
    const write: CommandContext["write"] = async (chunk, channel = "stdout") => {
      live[channel].push(Buffer.from(chunk));
    };
    const definition = shellDefinition("sh", "printf '\\377\\000a'; printf '\\303' >&2");
    const result = await runWords(definition, [], programContext({ write }));
    expect(result).toEqual({
      success: true,
      output: Buffer.from([0xff, 0, 0x61]),
      errorOutput: Buffer.from([0xc3]),
      exitCode: 0,
      metadata: null,
    });
    expect(Buffer.concat(live.stdout)).toEqual(result.output);
    expect(Buffer.concat(live.stderr)).toEqual(result.errorOutput);
  });

  it("output is shown while the program still runs", async () => {
    const controller = new AbortController();
    const write = async () => controller.abort();
    const context = programContext({ write, signal: controller.signal });
    const result = await runWords(shellDefinition("sh", "echo early; sleep 300"), [], context);
    expect(outputOf(result)).toBe("early\n");
  });

  it.each([
    ["exit 0", 0, null, null],
    ["exit 3", 3, null, null],
    ["exit 255", 255, null, null],
    ["kill -9 $$", 137, "`sh` was ended by SIGKILL\n", { signal: "SIGKILL" }],
    ["kill -TERM $$", 143, "`sh` was ended by SIGTERM\n", { signal: "SIGTERM" }],
  ])("after `%s` the exit code is %i", async (command, exitCode, errorOutput, metadata) => {
    const result = await runWords(shellDefinition("sh", command), []);
    expect(result).toMatchObject({ success: exitCode === 0, exitCode, errorOutput, metadata });
  });

  it("a program that says nothing itself when it fails is not spoken for", async () => {
    const result = await runWords(argvDefinition("false"), []);
    expect(result).toMatchObject({ success: false, exitCode: 1, errorOutput: null });
    expect(result.output).toHaveLength(0);
  });

  it("output beyond 10 MiB is shown but not kept, and the result says so", async () => {
    let shown = 0;
    const write: CommandContext["write"] = async (chunk) => {
      shown += chunk.length;
    };
    const definition = argvDefinition("head", "-c", "11000000", "/dev/zero");
    const result = await runWords(definition, [], programContext({ write }));
    expect(result).toMatchObject({ exitCode: 0, metadata: { truncated: true } });
    expect([result.output.length, shown]).toEqual([10_485_760, 11_000_000]);
  });

  it("a cancel ends the program and all it started", async () => {
    const controller = new AbortController();
    let pid = 0;
    const write: CommandContext["write"] = async (chunk) => {
      pid = Number(Buffer.from(chunk).toString());
      controller.abort();
    };
    const context = programContext({ signal: controller.signal, write });
    const command = "setsid sleep 300 & echo $!; sleep 300";
    expect(await runWords(shellDefinition("sh", command), [], context)).toMatchObject({
      success: false,
      exitCode: 130,
    });
    expect(pid).toBeGreaterThan(1);
    expect(isRunning(pid)).toBe(false);
  });

  it("a program that cannot be started is a fault with a shell's exit code", async () => {
    const folder = temporaryFolder();
    writeFiles(folder, { plain: "text" });
    const cases = [
      [argvDefinition("no-such-program"), 127, "there is no such program on PATH"],
      [argvDefinition("./no-such"), 127, "there is no such file"],
      [argvDefinition("./plain"), 126, "it is not an executable file"],
      [
        { ...argvDefinition("true"), cwd: join(folder, "gone") },
        127,
        `the working directory \`${folder}/gone\` does not exist`,
      ],
    ] as const;
    for (const [definition, exitCode, problem] of cases)
      await expect(runWords({ ...definition, folder }, [])).rejects.toMatchObject({
        code: "SpawnFailed",
        class: "Process",
        exitCode,
        message: expect.stringContaining(`could not be started: ${problem}`),
        hint: `it is named in \`${folder}/commands.yaml\``,
      });
  });
});

describe("a person at a terminal", () => {
  const fixture = join(import.meta.dirname, "fixtures/run-at-terminal.ts");
  const env = { PATH: process.env.PATH ?? "" };
  const probe = "[ -t 0 ] && echo in; [ -t 1 ] && echo out; exit 4";

  it("lends it to the program", async () => {
    const report = join(temporaryFolder(), "report");
    const line = `exec ${joinWords([process.execPath, fixture, probe, report])}`;
    const spec = { executable: "script", args: ["-qec", line, "/dev/null"], env, cwd: "/" };
    const ending = await runProcess(spec);
    expect(Buffer.from(ending.stdout).toString()).toBe("in\r\nout\r\n");
    const result = JSON.parse(readFileSync(report, "utf8"));
    expect(result).toMatchObject({ exitCode: 4, success: false, output: {}, errorOutput: null });
  });

  it("who sends the output elsewhere gets it as bytes", async () => {
    const report = join(temporaryFolder(), "report");
    const spec = {
      executable: process.execPath,
      args: [fixture, "echo kept; exit 4", report],
      env,
      cwd: "/",
    };
    await runProcess(spec);
    const result = JSON.parse(readFileSync(report, "utf8"));
    expect(Buffer.from(result.output.data).toString()).toBe("kept\n");
    expect(result.exitCode).toBe(4);
  });
});
