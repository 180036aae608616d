// From a parsed body to the prompt: check the variables, render, do what was reached, put it together. And how
// large a prompt is against what a model takes.
import { Context, type Template, toValueSync } from "liquidjs";
import { fault } from "../../core/command/fault.ts";
import { type Body, listVariables } from "./body.ts";
import type { BodyContext, ImportedFile } from "./context.ts";
import { type Inserted, importFiles } from "./import-file.ts";
import { type RanCommand, type ReachedCommand, runCommands } from "./inline-commands.ts";
import { appendStdin } from "./inserted-text.ts";
import {
  type BodyPart,
  engine,
  PartList,
  undefinedVariable,
  withLiquidProblems,
} from "./template.ts";

export interface AssembledPrompt {
  readonly prompt: string;
  /** Estimated. */
  readonly tokens: number;
  readonly imports: readonly ImportedFile[];
  readonly commands: readonly RanCommand[];
}

/** Throws a fault at the first thing that cannot be had; nothing is sent anywhere. */
export async function assembleBody(body: Body, context: BodyContext): Promise<AssembledPrompt> {
  checkVariables(body, context);
  const parts = renderParts(body, await collectScope(body, context));
  const imported = await importAll(parts, context);
  const commands = await runAll(parts, context);
  const text = joinParts(parts, imported, commands);
  const prompt = context.appendedStdin === null ? text : appendStdin(text, context.appendedStdin);
  const imports = parts.flatMap((part) => imported.get(part)?.files ?? []);
  return { prompt, tokens: estimateTokens(prompt), imports, commands: [...commands.values()] };
}

/** Also those in branches that are not taken: a misspelt name is wrong everywhere. */
function checkVariables(body: Body, { variables }: BodyContext): void {
  const known = new Set([...Object.keys(variables), "git"]);
  const unknown = body.variables.find(({ name }) => !known.has(name));
  if (unknown === undefined) return;
  const { problem, hint } = undefinedVariable(unknown.name, known);
  throw fault("FileInvalid", { problem }, { where: unknown.where, hint });
}

async function collectScope(body: Body, context: BodyContext): Promise<Record<string, unknown>> {
  const scope: Record<string, unknown> = Object.assign(Object.create(null), context.variables);
  if (listVariables(body).includes("git")) scope.git = { branch: await context.readBranch() };
  return scope;
}

function renderParts(body: Body, scope: Record<string, unknown>): readonly BodyPart[] {
  const list = new PartList();
  const context = new Context(scope, engine.options, { sync: true }, { liquid: engine });
  const template: Template[] = [...body.template];
  withLiquidProblems(body.locate, () =>
    toValueSync(engine.renderer.renderTemplates(template, context, list)),
  );
  return list.finish();
}

/** One after the other: they may ask a person. An import that is reached again is not read again. */
async function importAll(
  parts: readonly BodyPart[],
  context: BodyContext,
): Promise<Map<BodyPart, Inserted>> {
  const byDirective = new Map<object, Inserted>();
  const byPart = new Map<BodyPart, Inserted>();
  for (const part of parts) {
    if (part.kind !== "directive" || part.directive.kind === "command") continue;
    const inserted = byDirective.get(part.directive) ?? (await importOne(part.directive, context));
    byDirective.set(part.directive, inserted);
    byPart.set(part, inserted);
  }
  return byPart;
}

type Import = Exclude<Body["directives"][number], { kind: "command" }>;

async function importOne(wanted: Import, context: BodyContext): Promise<Inserted> {
  if (wanted.kind === "file") return importFiles(wanted, context);
  if (context.runInline === null) return { text: wanted.written, files: [] };
  const { importUrl } = await import("./import-url.ts");
  return importUrl(wanted, context);
}

async function runAll(
  parts: readonly BodyPart[],
  context: BodyContext,
): Promise<Map<BodyPart, RanCommand>> {
  if (context.runInline === null) return new Map();
  const reached = parts.filter(isCommand);
  const ran = await runCommands(reached, { runInline: context.runInline, signal: context.signal });
  return new Map(reached.flatMap((part, index) => (ran[index] ? [[part, ran[index]]] : [])));
}

const isCommand = (part: BodyPart): part is BodyPart & ReachedCommand =>
  part.kind === "directive" && part.directive.kind === "command";

function joinParts(
  parts: readonly BodyPart[],
  imported: ReadonlyMap<BodyPart, Inserted>,
  commands: ReadonlyMap<BodyPart, RanCommand>,
): string {
  const texts = parts.map((part) => {
    if (part.kind === "text") return part.text;
    return (imported.get(part) ?? commands.get(part))?.text ?? part.directive.written;
  });
  return texts.join("");
}

/** About four bytes a token: right within a third for prose and code; for other scripts a little high. */
export const estimateTokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / 4);

/**
 * Context of models whose makers publish it, by how their names begin; the first that fits counts.
 * A model that is not here has no known limit, and nothing is refused.
 */
const KNOWN_CONTEXT: readonly (readonly [prefix: string, tokens: number])[] = [
  ["claude-3", 200_000],
  ["claude-haiku-4", 200_000],
  ["claude-opus-4-0", 200_000],
  ["claude-opus-4-1", 200_000],
  ["claude-opus-4-5", 200_000],
  ["gpt-4.1", 1_047_576],
  ["gpt-4o", 128_000],
  ["gpt-5", 400_000],
  ["o3", 200_000],
  ["o4-mini", 200_000],
  ["gemini-2.0", 1_048_576],
  ["gemini-2.5", 1_048_576],
  ["gemini-3", 1_048_576],
  ["qwen3-coder", 1_000_000],
];

/** Null where it is unknown; `override` is the file's `context_window`. */
export function contextLimit(model: string | null, override: number | null): number | null {
  if (override !== null || model === null) return override;
  const name = model.slice(model.lastIndexOf("/") + 1).toLowerCase();
  if (name.endsWith("[1m]")) return 1_000_000;
  return KNOWN_CONTEXT.find(([prefix]) => name.startsWith(prefix))?.[1] ?? null;
}

interface Budget {
  readonly tokens: number;
  readonly model: string | null;
  readonly contextWindow: number | null;
}

/** Refuses before anything is spent. */
export function checkBudget({ tokens, model, contextWindow }: Budget): void {
  const limit = contextLimit(model, contextWindow);
  if (limit === null || tokens <= limit) return;
  const whose = contextWindow === null ? `of model \`${model}\`` : "of `context_window`";
  throw fault(
    "InputInvalid",
    { what: "the prompt", problem: `about ${tokens} tokens are more than the ${limit} ${whose}` },
    { hint: "import or pipe in less, or set `context_window` where the model takes more" },
  );
}
