// The real agent CLIs, as `lab/` has them on this machine.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const LAB_AGENTS = [
  "claude-code",
  "codex",
  "gemini",
  "opencode",
  "copilot",
  "qwen",
] as const;
export type LabAgent = (typeof LAB_AGENTS)[number];

const LAB = join(import.meta.dirname, "..", "..", "lab");
const MODULES = join(LAB, "node_modules");
const PLATFORM = `${process.platform}-${process.arch}`;

// Without install scripts some packages leave a placeholder for their program; the program itself
// lies in the package for the platform.
const PROGRAMS: Readonly<Record<LabAgent, string>> = {
  "claude-code": `@anthropic-ai/claude-code-${PLATFORM}/claude`,
  codex: ".bin/codex",
  gemini: ".bin/gemini",
  opencode: `opencode-${PLATFORM}/bin/opencode`,
  copilot: `@github/copilot-${PLATFORM}/copilot`,
  qwen: ".bin/qwen",
};

const PACKAGES: Readonly<Record<LabAgent, string>> = {
  "claude-code": "@anthropic-ai/claude-code",
  codex: "@openai/codex",
  gemini: "@google/gemini-cli",
  opencode: "opencode-ai",
  copilot: "@github/copilot",
  qwen: "@qwen-code/qwen-code",
};

/** How each is told to answer one prompt without asking anybody. */
const HEADLESS: Readonly<Record<LabAgent, (prompt: string) => readonly string[]>> = {
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
  readonly agent: LabAgent;
  readonly program: string;
  commandFor(prompt: string): readonly string[];
}

export const isInLab = (agent: LabAgent): boolean => existsSync(join(MODULES, PROGRAMS[agent]));

/** Null where it could not be installed here, for a test to be skipped; a failure where all of them are required. */
export function findLabCli(agent: LabAgent): LabCli | null {
  const program = join(MODULES, PROGRAMS[agent]);
  if (!isInLab(agent)) {
    if (process.env.ADJ_TEST_REQUIRE === "all")
      throw new Error(`${agent} is not installed in lab/ for ${PLATFORM}, and all are required`);
    return null;
  }
  return { agent, program, commandFor: (prompt) => [program, ...HEADLESS[agent](prompt)] };
}

export const missingMessage = (agent: LabAgent): string =>
  `skipped: ${agent} is not installed in lab/ for ${PLATFORM}`;

/** The version that `lab/package.json` names. */
export function pinnedVersion(agent: LabAgent): string {
  const { optionalDependencies } = JSON.parse(readFileSync(join(LAB, "package.json"), "utf8"));
  return String(optionalDependencies[PACKAGES[agent]]);
}
