import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { heldLimitOf, limitOfLine } from "../../../src/hooks/install/hold-limit.ts";
import { textOf } from "../../support/program-of-commands.ts";
import { writeFiles } from "../../support/temporary-folder.ts";
import { type HooksProgram, openHooksProgram } from "../commands/hooks-program.ts";

const CONFIG = {
  "claude-code": ".claude/settings.json",
  codex: ".codex/hooks.json",
  gemini: ".gemini/settings.json",
  copilot: ".copilot/hooks/adjutant.json",
  qwen: ".qwen/settings.json",
} as const;
type Agent = keyof typeof CONFIG;

const fileOf = ({ env }: HooksProgram, agent: Agent) => join(env.HOME, CONFIG[agent]);
const hold = ({ configDir }: HooksProgram, text: string) =>
  writeFiles(configDir, { "config.yaml": `inbox: { hold: ${text} }\n` });

/** The file without a hold, and with one. */
async function installTwice(agent: Agent, ...words: string[]) {
  const opened = openHooksProgram();
  const read = () => JSON.parse(readFileSync(fileOf(opened, agent), "utf8"));
  await opened.adj("install", agent, ...words);
  const before = read();
  hold(opened, "5m");
  await opened.adj("install", agent, ...words);
  return { opened, before, after: read() };
}

describe("with `inbox.hold` the entries where a person may be asked", () => {
  test.each([
    ["claude-code", ["PreToolUse", "PermissionRequest"], '"timeout": 360'],
    ["codex", ["PreToolUse", "PermissionRequest"], '"timeout": 360'],
    ["gemini", ["BeforeTool"], '"timeout": 360000'],
    ["copilot", ["preToolUse", "permissionRequest"], '"timeoutSec": 360'],
  ] as const)("of %s say to it and to the client how long", async (agent, events, time) => {
    const { opened, before, after } = await installTwice(agent);
    const { hooks } = after;
    const isLong = (event: string) => {
      const text = JSON.stringify(hooks[event], null, 1);
      const isTold = new RegExp(` ${event} 360"|"${event}",\\s*"360"`).test(text);
      expect(text.includes(time)).toBe(isTold);
      return isTold;
    };
    expect(Object.keys(hooks).filter(isLong)).toEqual(events);
    const rest = Object.keys(hooks).filter((event) => !isLong(event));
    for (const event of rest) expect(hooks[event]).toEqual(before.hooks[event]);
    hold(opened, "30s");
    await opened.adj("install", agent);
    expect(readFileSync(fileOf(opened, agent), "utf8")).not.toContain("360");
    await opened.adj("uninstall", agent);
    expect(existsSync(fileOf(opened, agent))).toBe(false);
  });

  test.each([
    ["of an agent that lets the tool run after a minute", "qwen", []],
    ["that call HTTP", "claude-code", ["--http"]],
  ] as const)("%s stay as they are", async (_, agent, words) => {
    const { before, after } = await installTwice(agent, ...words);
    expect(after).toEqual(before);
  });

  test("that others share say it to the program, with no client between", async () => {
    const opened = openHooksProgram();
    const file = join(opened.folder, "project", CONFIG["claude-code"]);
    await opened.adj("install", "claude-code", "--project");
    const before = JSON.parse(readFileSync(file, "utf8")).hooks;
    hold(opened, "5m");
    await opened.adj("install", "claude-code", "--project");
    const { PreToolUse, PermissionRequest, ...rest } = JSON.parse(readFileSync(file, "utf8")).hooks;
    for (const [{ hooks }] of [PreToolUse, PermissionRequest])
      expect(hooks).toEqual([
        expect.objectContaining({
          command: expect.stringMatching(/adj hook claude-code --entry=360$/),
          timeout: 360,
        }),
      ]);
    expect(before).toMatchObject(rest);
    await opened.adj("uninstall", "claude-code", "--project");
    expect(existsSync(file)).toBe(false);
  });

  test("of a plugin are its own, and doctor reads them there", async () => {
    const opened = openHooksProgram("opencode");
    const file = join(opened.env.HOME, ".config/opencode/plugins/adjutant.js");
    await opened.adj("install", "opencode");
    hold(opened, "5m");
    const isTooShort = async () =>
      textOf(await opened.adj("doctor", "opencode")).includes("a question waits 50 s at most");
    expect(await isTooShort()).toBe(true);
    await opened.adj("install", "opencode");
    expect(readFileSync(file, "utf8")).toContain("const ASK_LIMIT_MS = 360000;");
    expect(await isTooShort()).toBe(false);
    await opened.adj("uninstall", "opencode");
    expect(existsSync(file)).toBe(false);
  });
});

const [NEVER, LONG] = [{ hookLimitMs: 60_000 }, { hookLimitMs: 60_000, maxHookLimitMs: 900_000 }];

test.each([
  [LONG, undefined, null],
  [LONG, 50_000, null],
  [LONG, 50_500, 111_000],
  [LONG, 300_000, 360_000],
  [LONG, 3_600_000, 900_000],
  [NEVER, 300_000, null],
])("with %j a hold of %s wants a limit of %s", (abilities, holdMs, limitMs) => {
  expect(heldLimitOf(abilities, holdMs)).toBe(limitMs);
});

test.each([
  ["'/a b/adj-hook' claude-code PreToolUse 360", LONG, 360_000],
  ["/a/adj-hook claude-code PreToolUse", LONG, 60_000],
  ["/a/adj-hook claude-code PreToolUse 901", LONG, 60_000],
  ["/a/adj-hook claude-code PreToolUse 0360", LONG, 60_000],
  ["/a/adj-hook qwen PreToolUse 360", NEVER, 60_000],
  [null, LONG, 60_000],
])("%s gives its hook, with %j, %s", (line, abilities, limitMs) => {
  expect(limitOfLine(line, abilities)).toBe(limitMs);
});
