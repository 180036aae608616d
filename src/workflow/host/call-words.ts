// What a call says to its agent: the prompt, and beside it what the agent has a place of its own for.

import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { listParamSettings } from "../../agents/choice/params.ts";
import { describeContract } from "../../agents/log/json-answer.ts";
import { toStrictSchema } from "../../agents/log/strict-schema.ts";
import { AGENTS } from "../../agents/roster.ts";
import type { AgentAdapter } from "../../agents/run/adapter.ts";
import type { JsonValue } from "../../core/command/context.ts";
import { systemCodeOf } from "../../core/command/fault.ts";
import { splitFrontMatter } from "../../core/project/front-matter.ts";
import type { JsonSchema } from "../definition/workflow.ts";
import type { AgentEffect } from "../engine/effect.ts";

export interface CallWords {
  readonly prompt: string;
  readonly params: Readonly<Record<string, JsonValue>>;
}

/** A script reads what comes back; nobody else does. */
const FRAME =
  "You were called by a script: nobody reads along and nobody answers questions. Your last message is what the script gets, so let it be what was asked for, whole and literal, without greeting, offer or summary of what you did.";

/** Pure. `typeWords` are those of the agent type. */
export function chooseWords(
  adapter: AgentAdapter,
  { prompt, schema, effort, stage }: Pick<AgentEffect, "prompt" | "schema" | "effort" | "stage">,
  typeWords: string,
): CallWords {
  const settingNames = new Set(listParamSettings(adapter, null));
  const beside = [typeWords, stage === null ? FRAME : ""].filter(Boolean).join("\n\n");
  const isBeside = settingNames.has("append_system_prompt");
  const own = schema === null ? null : ownSchema(adapter, schema, settingNames);
  const contract = schema === null || own !== null ? "" : describeContract(schema);
  const params: Record<string, JsonValue> = {
    ...(beside !== "" && isBeside ? { append_system_prompt: beside } : {}),
    // What the agent has no place for is left out when the turn starts, and that is said.
    ...(effort === null ? {} : { effort }),
    ...(own === null ? {} : { output_schema: own }),
  };
  const parts = [isBeside ? "" : beside, prompt, contract];
  return { prompt: parts.filter(Boolean).join("\n\n"), params };
}

/** The schema for the agent's own flag; null where it has none, or none that could say this. */
function ownSchema(
  adapter: AgentAdapter,
  schema: JsonSchema,
  settingNames: ReadonlySet<string>,
): JsonSchema | null {
  if (!settingNames.has("output_schema")) return null;
  return adapter.capabilities(null).strictSchemas === true ? toStrictSchema(schema) : schema;
}

/** To an agent whose process died with its owner. What it forgot it is told, too. */
export const continuePrompt = (prompt: string): string =>
  `You were interrupted in the middle of this. Go on where you were interrupted; what is done is done.\n\n${prompt}`;

export const retryPrompt = (problem: string, schema: JsonSchema): string =>
  `That does not do: ${problem}. Answer again. ${describeContract(schema)}`;

// `agentType` of the dialect: a definition that an agent keeps as Markdown, whose words any agent can be given; or one of
// the kinds that scripts take for granted.

export type AgentTypeReading =
  | { readonly kind: "found"; readonly words: string }
  | { readonly kind: "unknown"; readonly problem: string };

interface AgentTypeContext {
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
export function readAgentType(name: string, context: AgentTypeContext): AgentTypeReading {
  const words = NAME.test(name) ? findWords(name, context) : null;
  const known = words ?? (Object.hasOwn(GIVEN, name) ? (GIVEN[name] ?? "") : null);
  if (known !== null) return { kind: "found", words: known };
  const [{ project } = { project: "" }] = foldersOf(context);
  const problem = `unknown agent type \`${name}\`: there is no \`${join(project, `${name}.md`)}\``;
  return { kind: "unknown", problem };
}

function findWords(name: string, { cwd, root, env }: AgentTypeContext): string | null {
  const kept = foldersOf({ cwd, root, env });
  const folders = [
    ...foldersUp(cwd, root).flatMap((up) => kept.map(({ project }) => join(up, project))),
    ...kept.map(({ user }) => user),
  ];
  for (const folder of folders) {
    const file = join(folder, `${name}.md`);
    const text = readIfThere(file);
    if (text !== null) return splitFrontMatter(text, file).body.trim();
  }
  return null;
}

const foldersOf = ({ env }: AgentTypeContext) =>
  AGENTS.flatMap(({ agentTypes }) => agentTypes?.({ env, home: env.HOME || homedir() }) ?? []);

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
