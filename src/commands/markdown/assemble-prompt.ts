// The body in the world of one call: its variables, what it may import, and who runs its commands.
import { fstatSync } from "node:fs";
import { dirname, join } from "node:path";
import type { CommandContext } from "../../command/context.ts";
import { type Assembled, assembleBody } from "../../markdown/body/assemble-body.ts";
import { listVariables, mentionsStdin } from "../../markdown/body/body-contents.ts";
import { createInlineRunner } from "../../markdown/body/commands/inline-runner.ts";
import { readBranch } from "../../markdown/body/git-branch.ts";
import { decideStdin, readStdin, type StdinKind } from "../../markdown/body/stdin.ts";
import type { VariableValue, World } from "../../markdown/body/world.ts";
import { isAdjutantKey } from "../../markdown/portable-keys.ts";
import { childEnvironment } from "../../process/child-environment.ts";
import type { MarkdownCall } from "./markdown-call.ts";
import type { MarkdownPlan } from "./plan-markdown.ts";

export interface Rehearsal {
  /** What `pre` printed; its command lines where nothing is run. */
  readonly pre: string;
  /** Commands and addresses stay text. */
  readonly isRehearsed: boolean;
}

export async function assemblePrompt(
  call: MarkdownCall,
  plan: MarkdownPlan,
  { pre, isRehearsed }: Rehearsal,
): Promise<Assembled> {
  const { file, context, program } = call;
  const environment = stepEnvironment(call);
  const cwd = context.workingDirectory;
  const stdin = call.isExplained ? { variable: "", appended: null } : await readPiped(call);
  const world: World = {
    variables: { ...listValues(call, plan), stdin: stdin.variable, pre },
    readBranch: () => readBranch({ cwd, environment, signal: context.signal }),
    appendedStdin: stdin.appended,
    file: file.path,
    folder: dirname(file.file),
    layerFolder: file.layerFolder,
    home: environment.HOME ?? "/",
    ownFolders: [program.root, program.configDir, file.layerFolder.shown, file.layerFolder.real],
    importPermission: ({ path }) => confirm(context, `import \`${path}\` into the prompt?`),
    urls: {
      hosts: plan.settings.importHosts,
      lockFile: join(file.layerFolder.shown, "imports.lock"),
      acceptChange: ({ url }) => confirm(context, `\`${url}\` changed; take what it says now?`),
    },
    runInline: isRehearsed ? null : createInlineRunner({ cwd, environment }),
    environment,
    signal: context.signal,
  };
  return assembleBody(file.body, world);
}

const confirm = async (context: CommandContext, question: string): Promise<boolean> =>
  context.isInteractive && context.ask.confirm(question);

/** What a command of the file is given: the base set and what `env` sets. */
export function stepEnvironment({ file, context }: MarkdownCall): Record<string, string> {
  const { env, "inherit-env": inheritEnv = false } = file.fields;
  const isMap = typeof env === "object" && !Array.isArray(env);
  const entries = isMap ? Object.entries(env) : [];
  const set = entries.filter(([, value]) => value !== null);
  const source = Object.fromEntries(
    Object.entries(context.env.forChild()).filter(
      ([name]) => !entries.some(([unset, value]) => unset === name && value === null),
    ),
  );
  const declared = Object.fromEntries(set.map(([name, value]) => [name, String(value)]));
  return childEnvironment({ source, declared, inheritEnv });
}

/** Inputs, words, and what the file itself says where the text asks for it. */
export function listValues(
  { file, context }: MarkdownCall,
  { inputs, words, translated, adapter }: MarkdownPlan,
): Record<string, VariableValue> {
  const own = listVariables(file.body).filter(isAdjutantKey);
  const said = own.map((name) => [name, printable(file.frontMatter[name])] as const);
  const numbered = words.words.map((word, at) => [`arg${at + 1}`, word] as const);
  return {
    ...Object.fromEntries(said),
    model: printable(translated.settings.model),
    agent: adapter.name,
    ...inputs.values,
    ...Object.fromEntries(numbered),
    // Only an explanation gets here without them.
    ...Object.fromEntries(words.missing.map((name) => [name, `<${name}>`])),
    args: words.words,
    cwd: context.workingDirectory,
  };
}

function printable(value: unknown): VariableValue {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean")
    return value;
  return Array.isArray(value) ? value.map(String) : null;
}

async function readPiped({ file, context }: MarkdownCall) {
  const kind = context.hasPipedInput ? kindOfStdin() : "terminal";
  const decision = decideStdin(mentionsStdin(file.body), kind);
  if (decision === "leave") return { variable: "", appended: null };
  const text = await readStdin(piecesOf(context));
  const isVariable = decision === "variable";
  return { variable: isVariable ? text : "", appended: isVariable || text === "" ? null : text };
}

async function* piecesOf(context: CommandContext): AsyncGenerator<Uint8Array> {
  yield await context.readInput();
}

function kindOfStdin(): StdinKind {
  const stat = fstatSync(0);
  if (stat.isFIFO()) return "pipe";
  if (stat.isFile()) return "file";
  return stat.isSocket() ? "socket" : "other";
}
