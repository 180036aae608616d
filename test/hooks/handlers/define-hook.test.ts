import { chmodSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makeHome, run } from "../../program/adj.ts";
import { CHECKOUT } from "../../support/checkout.ts";

const LIBRARY = join(import.meta.dirname, "..", "..", "..", "src", "hooks-library.ts");

/** A guard of three lines, as the program that an agent's step is handed to. */
async function runGuard(handler: string, stdin: string) {
  const home = makeHome();
  home.write({
    "guard.mjs": `import { defineHook } from "${LIBRARY}";\ndefineHook(${handler});\n`,
  });
  const place = { cwd: home.project, env: home.env, stdin };
  return run(process.execPath, [join(home.folder, "guard.mjs")], place);
}

const STEP = JSON.stringify({ protocol: 1, step: "before_tool", args: { command: "rm x" } });

describe("a guard made with defineHook", () => {
  test.each<[what: string, handler: string, code: number, stdout: string, stderr: string]>([
    ["says nothing where it has no opinion", "() => null", 0, "", ""],
    ["says nothing where it returns nothing", "() => undefined", 0, "", ""],
    [
      "vetoes with the reason",
      "({ args }) => ({ control: 'veto', reason: 'not ' + args.command })",
      2,
      "",
      "not rm x\n",
    ],
    [
      "prints any other verdict",
      "async () => ({ permission: 'ask', reason: 'careful' })",
      0,
      '{"permission":"ask","reason":"careful"}\n',
      "",
    ],
    [
      "prints a veto that has more to say",
      "() => ({ control: 'veto', reason: 'no', additional_context: ['use y'] })",
      0,
      '{"control":"veto","reason":"no","additional_context":["use y"]}\n',
      "",
    ],
    ["fails by what it throws", "() => { throw new Error('no net') }", 1, "", "no net\n"],
    [
      "waits for nothing that it left open",
      "() => { setInterval(() => {}, 1e6); return null; }",
      0,
      "",
      "",
    ],
  ])("%s", async (_, handler, exitCode, stdout, stderr) => {
    expect(await runGuard(handler, STEP)).toMatchObject({ exitCode, stdout, stderr });
  });

  test.each(["", "nonsense", "[]", "null"])("fails without a step: %j", async (stdin) => {
    expect((await runGuard("() => null", stdin)).exitCode).toBe(1);
  });

  test("is a handler like any other: what it vetoes is vetoed", async () => {
    const home = makeHome();
    mkdirSync(join(home.configDir, "node_modules"), { recursive: true });
    symlinkSync(CHECKOUT, join(home.configDir, "node_modules", "adjutant"));
    home.write({
      "config/hooks.yaml": `hooks:
  - name: not-production
    on: before_tool
    match: { kind: shell }
    run: { argv: [./guards/production.mjs] }
`,
      "config/guards/production.mjs": `#!/usr/bin/env ${process.execPath}
import { defineHook } from "adjutant/hooks";
defineHook(({ args }) => (/prod/.test(args.command) ? { control: "veto", reason: "ask first" } : null));
`,
    });
    chmodSync(join(home.configDir, "guards", "production.mjs"), 0o755);
    const ask = (command: string) =>
      home.adj("hooks", "test", "before_tool", "--tool", "Bash", "--command", command);
    expect((await ask("deploy prod")).stdout).toContain("ask first");
    expect((await ask("deploy stage")).stdout).not.toContain("ask first");
  });
});
