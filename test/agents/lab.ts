// The real agent CLIs, as `lab/` has them on this machine.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { SimAgent } from "../../src/sim/sim-agent.ts";

const LAB = join(import.meta.dirname, "..", "..", "lab");
const MODULES = join(LAB, "node_modules");
const PLATFORM = `${process.platform}-${process.arch}`;

// Without install scripts some packages leave a placeholder for their program; the program itself
// lies in the package for the platform.
const PROGRAMS: Readonly<Record<SimAgent, string>> = {
  "claude-code": `@anthropic-ai/claude-code-${PLATFORM}/claude`,
  codex: ".bin/codex",
  gemini: ".bin/gemini",
  opencode: `opencode-${PLATFORM}/bin/opencode`,
  copilot: `@github/copilot-${PLATFORM}/copilot`,
  qwen: ".bin/qwen",
};

const PACKAGES: Readonly<Record<SimAgent, string>> = {
  "claude-code": "@anthropic-ai/claude-code",
  codex: "@openai/codex",
  gemini: "@google/gemini-cli",
  opencode: "opencode-ai",
  copilot: "@github/copilot",
  qwen: "@qwen-code/qwen-code",
};

/** How each is told to answer one prompt without asking anybody. */
const HEADLESS: Readonly<Record<SimAgent, (prompt: string) => readonly string[]>> = {
  "claude-code": (prompt) => [
    ...["-p", "--output-format", "stream-json", "--verbose"],
    // Variadic: ended by the dashes.
    ...["--allowedTools", "Bash,Read,Write,Edit", "--", prompt],
  ],
  codex: (prompt) => [
    ...["exec", "--json", "--skip-git-repo-check", "--sandbox", "danger-full-access"],
    prompt,
  ],
  gemini: (prompt) => [
    ...["-o", "stream-json", "--approval-mode", "yolo", "--skip-trust"],
    ...["-p", prompt],
  ],
  opencode: (prompt) => ["run", "--format", "json", "--auto", prompt],
  copilot: (prompt) => [
    ...["--output-format", "json", "--allow-all-tools", "--no-auto-update", "--no-ask-user"],
    ...["--disable-builtin-mcps", "--disable-client-telemetry", "--no-color", "-p", prompt],
  ],
  qwen: (prompt) => [
    ...["--auth-type", "openai", "-o", "stream-json", "--approval-mode", "yolo"],
    ...["-p", prompt],
  ],
};

export interface LabCli {
  readonly agent: SimAgent;
  readonly program: string;
  commandFor(prompt: string): readonly string[];
}

/** Null where it could not be installed here. */
export function findLabCli(agent: SimAgent): LabCli | null {
  const program = join(MODULES, PROGRAMS[agent]);
  if (!existsSync(program)) return null;
  return { agent, program, commandFor: (prompt) => [program, ...HEADLESS[agent](prompt)] };
}

export const missingMessage = (agent: SimAgent): string =>
  `skipped: ${agent} is not installed in lab/ for ${PLATFORM}`;

/** The version that `lab/package.json` names. */
export function pinnedVersion(agent: SimAgent): string {
  const { optionalDependencies } = JSON.parse(readFileSync(join(LAB, "package.json"), "utf8"));
  return String(optionalDependencies[PACKAGES[agent]]);
}
