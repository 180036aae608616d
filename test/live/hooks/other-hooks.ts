// Hooks that other people have installed beside ours: before it one that allows everything and one that rewrites,
// behind it the same and one that smuggles.
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { joinWords } from "../../../src/core/command/words.ts";
import { isRecord } from "../../../src/core/project/json-value.ts";
import type { LabAgent } from "../lab.ts";
import type { HookedPlace } from "./hooked-place.ts";

const FOLDER = join(import.meta.dirname, "fixtures", "others");

interface Home {
  readonly file: string;
  readonly event: string;
}

/** Where a hook is an entry in the same file as ours. */
const FILES: Readonly<Partial<Record<LabAgent, Home>>> = {
  "claude-code": { file: ".claude/settings.json", event: "PreToolUse" },
  codex: { file: ".codex/hooks.json", event: "PreToolUse" },
  gemini: { file: ".gemini/settings.json", event: "BeforeTool" },
  qwen: { file: ".qwen/settings.json", event: "PreToolUse" },
};

type Side = "before" | "behind";
const MODES = { before: ["allow", "rewrite"], behind: ["allow", "rewrite", "smuggle"] } as const;
const NAMES = { before: "aaa", behind: "zzz" } as const;
const PLUGINS = { before: "rewrite.js", behind: "smuggle.js" } as const;

// Files of hooks are read from the last name to the first, settings after them (1.0.102).
const COPILOT_FILES = { before: "hooks/zzz.json", behind: "settings.json" } as const;

/** The side makes the lines differ: equal ones run once. */
const linesOf = (agent: LabAgent, side: Side): string[] =>
  MODES[side].map((mode) =>
    joinWords([process.execPath, join(FOLDER, "other.mjs"), agent, mode, side]),
  );

export function addOtherHooks({ agent, home }: HookedPlace, side: Side): void {
  if (agent === "opencode") {
    const plugins = join(home, ".config", "opencode", "plugins");
    cpSync(join(FOLDER, PLUGINS[side]), join(plugins, `${NAMES[side]}.js`));
    return;
  }
  const lines = linesOf(agent, side);
  if (agent === "copilot") {
    const hooks = { preToolUse: lines.map((bash) => ({ type: "command", bash })) };
    writeJson(join(home, ".copilot", COPILOT_FILES[side]), { version: 1, hooks });
    return;
  }
  const place = FILES[agent];
  if (place === undefined) throw new Error(`where hooks of ${agent} are is not known`);
  const groups = lines.map((command) => ({ hooks: [{ type: "command", command }] }));
  addGroups(join(home, place.file), place.event, groups);
}

function addGroups(file: string, event: string, groups: readonly object[]): void {
  const config: unknown = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
  const settings = isRecord(config) ? config : {};
  const hooks = isRecord(settings.hooks) ? settings.hooks : {};
  const there = Array.isArray(hooks[event]) ? hooks[event] : [];
  writeJson(file, { ...settings, hooks: { ...hooks, [event]: [...there, ...groups] } });
}

function writeJson(file: string, value: unknown): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(value, null, 2));
}
