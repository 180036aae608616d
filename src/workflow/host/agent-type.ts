// `agentType` of the dialect: a definition in `.claude/agents/NAME.md`, whose words any agent can be given; or one of the
// kinds that scripts take for granted.
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { systemCodeOf } from "../../core/command/fault.ts";
import { splitFrontMatter } from "../../core/project/front-matter.ts";

export type AgentTypeReading =
  | { readonly kind: "found"; readonly words: string }
  | { readonly kind: "unknown"; readonly problem: string };

interface AgentTypePlace {
  readonly cwd: string;
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Known to every script without a file; what they are for, in our words. */
const GIVEN: Readonly<Record<string, string>> = {
  "general-purpose": "",
  Explore: "Look around and report what you find, with paths and lines. Change nothing.",
  Plan: "Look around, then write a plan in steps that somebody else can carry out. Change nothing.",
};

const NAME = /^[A-Za-z0-9][\w-]{0,63}$/;

/** The nearest folder counts, from the call's up to the project's, then the person's own. */
export function readAgentType(name: string, place: AgentTypePlace): AgentTypeReading {
  const words = NAME.test(name) ? findWords(name, place) : null;
  const known = words ?? (Object.hasOwn(GIVEN, name) ? (GIVEN[name] ?? "") : null);
  if (known !== null) return { kind: "found", words: known };
  const problem = `unknown agent type \`${name}\`: there is no \`.claude/agents/${name}.md\``;
  return { kind: "unknown", problem };
}

function findWords(name: string, { cwd, root, env }: AgentTypePlace): string | null {
  const own = env.CLAUDE_CONFIG_DIR || join(env.HOME || homedir(), ".claude");
  const files = [
    ...foldersUp(cwd, root).map((folder) => join(folder, ".claude", "agents", `${name}.md`)),
    join(own, "agents", `${name}.md`),
  ];
  for (const file of files) {
    const text = readIfThere(file);
    if (text !== null) return splitFrontMatter(text, file).body.trim();
  }
  return null;
}

/** From the folder to the root; a worktree is outside it, so the root follows in any case. */
function foldersUp(cwd: string, root: string): string[] {
  const folders = [cwd];
  while (folders.at(-1) !== root) {
    const above = dirname(folders.at(-1) ?? root);
    if (!`${above}/`.startsWith(`${root}/`)) return [...folders, root];
    folders.push(above);
  }
  return folders;
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (["ENOENT", "ENOTDIR", "EISDIR"].includes(systemCodeOf(error) ?? "")) return null;
    throw error;
  }
}
