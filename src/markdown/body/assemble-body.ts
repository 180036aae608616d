// From a parsed body to the prompt: check the variables, render, do what was reached, put it together.
import { Context, type Template, toValueSync } from "liquidjs";
import { fault } from "../../command/fault.ts";
import type { Body } from "./body.ts";
import { listVariables } from "./body-contents.ts";
import { estimateTokens } from "./budget.ts";
import { type RanCommand, type ReachedCommand, runCommands } from "./commands/run-commands.ts";
import { type Inserted, importFiles } from "./imports/import-files.ts";
import { appendStdin } from "./stdin.ts";
import { engine } from "./template/engine.ts";
import { undefinedVariable, withLiquidProblems } from "./template/liquid-problem.ts";
import { type Part, PartList } from "./template/part-list.ts";
import type { ImportedFile, World } from "./world.ts";

export interface Assembled {
  readonly prompt: string;
  /** Estimated. */
  readonly tokens: number;
  readonly imports: readonly ImportedFile[];
  readonly commands: readonly RanCommand[];
}

/** Throws a fault at the first thing that cannot be had; nothing is sent anywhere. */
export async function assembleBody(body: Body, world: World): Promise<Assembled> {
  checkVariables(body, world);
  const parts = renderParts(body, await collectScope(body, world));
  const imported = await importAll(parts, world);
  const commands = await runAll(parts, world);
  const text = joinParts(parts, imported, commands);
  const prompt = world.appendedStdin === null ? text : appendStdin(text, world.appendedStdin);
  const imports = parts.flatMap((part) => imported.get(part)?.files ?? []);
  return { prompt, tokens: estimateTokens(prompt), imports, commands: [...commands.values()] };
}

/** Also those in branches that are not taken: a misspelt name is wrong everywhere. */
function checkVariables(body: Body, { variables }: World): void {
  const known = new Set([...Object.keys(variables), "git"]);
  const unknown = body.variables.find(({ name }) => !known.has(name));
  if (unknown === undefined) return;
  const { problem, hint } = undefinedVariable(unknown.name, known);
  throw fault("FileInvalid", { problem }, { where: unknown.where, hint });
}

async function collectScope(body: Body, world: World): Promise<Record<string, unknown>> {
  const scope: Record<string, unknown> = Object.assign(Object.create(null), world.variables);
  if (listVariables(body).includes("git")) scope.git = { branch: await world.readBranch() };
  return scope;
}

function renderParts(body: Body, scope: Record<string, unknown>): readonly Part[] {
  const list = new PartList();
  const context = new Context(scope, engine.options, { sync: true }, { liquid: engine });
  const template: Template[] = [...body.template];
  withLiquidProblems(body.locate, () =>
    toValueSync(engine.renderer.renderTemplates(template, context, list)),
  );
  return list.finish();
}

/** One after the other: they may ask a person. An import that is reached again is not read again. */
async function importAll(parts: readonly Part[], world: World): Promise<Map<Part, Inserted>> {
  const byDirective = new Map<object, Inserted>();
  const byPart = new Map<Part, Inserted>();
  for (const part of parts) {
    if (part.kind !== "directive" || part.directive.kind === "command") continue;
    const inserted = byDirective.get(part.directive) ?? (await importOne(part.directive, world));
    byDirective.set(part.directive, inserted);
    byPart.set(part, inserted);
  }
  return byPart;
}

type Import = Exclude<Body["directives"][number], { kind: "command" }>;

async function importOne(wanted: Import, world: World): Promise<Inserted> {
  if (wanted.kind === "file") return importFiles(wanted, world);
  if (world.runInline === null) return { text: wanted.written, files: [] };
  const { importUrl } = await import("./imports/import-url.ts");
  return importUrl(wanted, world);
}

async function runAll(parts: readonly Part[], world: World): Promise<Map<Part, RanCommand>> {
  if (world.runInline === null) return new Map();
  const reached = parts.filter(isCommand);
  const ran = await runCommands(reached, { runInline: world.runInline, signal: world.signal });
  return new Map(reached.flatMap((part, index) => (ran[index] ? [[part, ran[index]]] : [])));
}

const isCommand = (part: Part): part is Part & ReachedCommand =>
  part.kind === "directive" && part.directive.kind === "command";

function joinParts(
  parts: readonly Part[],
  imported: ReadonlyMap<Part, Inserted>,
  commands: ReadonlyMap<Part, RanCommand>,
): string {
  const texts = parts.map((part) => {
    if (part.kind === "text") return part.text;
    return (imported.get(part) ?? commands.get(part))?.text ?? part.directive.written;
  });
  return texts.join("");
}
