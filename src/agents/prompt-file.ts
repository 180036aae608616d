import { readFile, realpath, stat } from "node:fs/promises";
import { isAbsolute, join, normalize, relative } from "node:path";
import type { ConfigPlace } from "./adapter.ts";
import type { ConfigProblem } from "./config-check.ts";
import { PROMPT_LIMIT } from "./config-fields.ts";
import type { JsonRecord } from "./json-fields.ts";

/** A character has at most four bytes. */
const LARGEST_BYTES = 4 * PROMPT_LIMIT;
const EXACTLY_ONE = "Exactly one of prompt or prompt_file must be provided";

/** Pure: what is wrong with the prompt fields, the file's text included where it has been read. */
export function findPromptProblems(given: JsonRecord, place: ConfigPlace): ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  if ((given.prompt === undefined) === (given.prompt_file === undefined))
    problems.push({ path: "prompt", message: EXACTLY_ONE });
  if (typeof given.prompt_file === "string" && leadsOut(given.prompt_file))
    problems.push({ path: "prompt_file", message: "must be a relative path inside the workspace" });
  if (typeof given.prompt === "string" && !isPromptSize(given.prompt, place))
    problems.push({ path: "prompt", message: "must have 1 to 1,000,000 characters" });
  const text = place.promptFileText;
  if (given.prompt_file !== undefined && typeof text === "string" && !isPromptSize(text, place))
    problems.push({ path: "prompt_file", message: "must hold 1 to 1,000,000 characters" });
  return problems;
}

const isPromptSize = ({ length }: string, { isPromptBounded = true }: ConfigPlace): boolean =>
  length >= 1 && (length <= PROMPT_LIMIT || !isPromptBounded);

const leadsOut = (path: string): boolean =>
  isAbsolute(path) || /^\.\.(?:\/|$)/.test(normalize(path));

export type PromptFile =
  | { readonly kind: "read"; readonly text: string }
  | { readonly kind: "refused"; readonly problem: ConfigProblem };

/** Reads a prompt file of the workspace; links are resolved before it is asked where the file is. */
export async function readPromptFile(workspaceDir: string, path: string): Promise<PromptFile> {
  const refuse = (message: string): PromptFile => ({
    kind: "refused",
    problem: { path: "prompt_file", message },
  });
  if (leadsOut(path)) return refuse("must be a relative path inside the workspace");
  try {
    const root = await realpath(workspaceDir);
    const target = await realpath(join(root, path));
    if (leadsOut(relative(root, target))) return refuse("leads out of the workspace");
    const found = await stat(target);
    if (!found.isFile()) return refuse(`\`${path}\` is not a file`);
    if (found.size > LARGEST_BYTES) return refuse("must hold 1 to 1,000,000 characters");
    return { kind: "read", text: await readFile(target, "utf8") };
  } catch (error) {
    return refuse(
      `\`${path}\` cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}
