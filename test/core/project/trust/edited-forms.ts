// Definitions of many forms, each trusted, then with every file of it edited, and what runs then.
import { spawn } from "node:child_process";
import { chmodSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Fault } from "../../../../src/core/command/fault.ts";
import { parseCommandsYaml } from "../../../../src/core/load/commands-yaml.ts";
import { programSpec, useTrustedCopy } from "../../../../src/core/load/program-definition.ts";
import { approveProject } from "../../../../src/core/project/trust/approval.ts";
import type { Uncovered } from "../../../../src/core/project/trust/pins.ts";
import { isAllRequired } from "../../../support/programs.ts";
import { removeFolder, writeFiles } from "../../../support/temporary-folder.ts";

/**
 * What runs after the edit: the approved file, none because it changed, or the edited one, which was listed. `through` is
 * an edited one of which `adj trust` said nothing.
 */
type FormEnding = "approved" | "refused" | "listed" | "through";

/** A definition (a list is an argv, a text a line for bash), how it ends, and its files; `SAY` is what an edit changes. */
export type EditedForm = readonly [
  string | readonly string[],
  FormEnding,
  Readonly<Record<string, string>>,
];

interface FormOutcome {
  readonly printed: string;
  readonly stderr: string;
}

interface FormRun {
  readonly before: FormOutcome;
  readonly after: FormOutcome;
  /** An ending, or what was printed. */
  readonly seen: string;
}

export const formsYaml = (forms: readonly EditedForm[]): string =>
  forms
    .map(([run], at) => {
      const own = typeof run === "string" ? { shell: "bash", command: run } : { argv: run };
      return `f${at}: ${JSON.stringify({ description: "d", ...own, cwd: `../f${at}` })}\n`;
    })
    .join("");

/** A text that begins so is a link to the rest of it. */
const LINK = "-> ";

function writeForms(root: string, forms: readonly EditedForm[], word: string): void {
  for (const [at, [, , files]] of forms.entries())
    for (const [path, text] of Object.entries(files)) {
      // A form's own `.adjutant` is the project's, by a name of its own.
      const file = path.startsWith("../") ? path.slice(3) : `f${at}/${path}`;
      const said = text.replaceAll("SAY", word);
      rmSync(join(root, file), { force: true });
      if (said.startsWith(LINK)) symlinkSync(said.slice(LINK.length), join(root, file));
      else writeFiles(root, { [file]: said });
      if (text.startsWith("#!")) chmodSync(join(root, file), 0o755);
    }
}

interface Trusted {
  readonly root: string;
  readonly copyDir: string;
  readonly yaml: string;
}

async function runForm(at: number, { root, copyDir, yaml }: Trusted): Promise<FormOutcome> {
  const folder = join(root, ".adjutant");
  const entry = parseCommandsYaml(yaml, { file: "commands.yaml", folder, workingFolder: folder })[
    at
  ];
  if (entry?.kind !== "command") throw new Error(JSON.stringify(entry));
  try {
    const program = useTrustedCopy(entry.program, { root, copyDir, workingDirectory: root });
    const call = { name: "f", words: [], workingDirectory: root, platform: process.platform };
    const env = { PATH: process.env.PATH ?? "", HOME: root, TMPDIR: root };
    const { executable, args, cwd } = programSpec(program, { ...call, env });
    const child = spawn(executable, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    let [printed, stderr] = ["", ""];
    child.stdout.on("data", (chunk) => (printed += chunk));
    child.stderr.on("data", (chunk) => (stderr += chunk));
    child.on("error", ({ message }) => (stderr += message));
    await new Promise((resolve) => child.on("close", resolve));
    return { printed, stderr };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { printed: error.code, stderr: error.message };
  }
}

const AT_ONCE = 8;

async function runAll(count: number, trusted: Trusted): Promise<FormOutcome[]> {
  const outcomes: FormOutcome[] = [];
  for (let at = 0; at < count; at += AT_ONCE)
    outcomes.push(
      ...(await Promise.all(
        [...Array(Math.min(AT_ONCE, count - at)).keys()].map((by) => runForm(at + by, trusted)),
      )),
    );
  return outcomes;
}

/** Trusts all forms as one project in `home`, runs each, edits all, and runs each again. */
async function runEditedForms(home: string, forms: readonly EditedForm[]): Promise<FormRun[]> {
  const root = join(home, "project");
  const yaml = formsYaml(forms);
  writeFiles(root, { ".adjutant/commands.yaml": yaml });
  writeForms(root, forms, "as-approved");
  const { copyDir, pins } = await approveProject(root, join(home, "state"));
  const trusted = { root, copyDir, yaml };
  const before = await runAll(forms.length, trusted);
  writeForms(root, forms, "EDITED");
  const after = await runAll(forms.length, trusted);
  return forms.map((_, at) => {
    const [was, is] = [before[at] ?? NOTHING, after[at] ?? NOTHING];
    return { before: was, after: is, seen: judge(is.printed, isListed(pins.uncovered, at)) };
  });
}

/** Whether the machine has all that the form starts. */
const isRunWhole = ({ printed, stderr } = NOTHING): boolean =>
  printed.includes("as-approved") && !stderr.includes("not found");

const NOTHING: FormOutcome = { printed: "", stderr: "" };

/** By the line and column at which the definition stands. */
const isListed = (uncovered: readonly Uncovered[], at: number): boolean =>
  uncovered.some(
    ({ where, isOfProject }) =>
      isOfProject && where.endsWith(`:${at + 1}:${`f${at}: `.length + 1}`),
  );

function judge(printed: string, listed: boolean): string {
  if (printed.includes("EDITED")) return listed ? "listed" : "through";
  if (printed.includes("as-approved")) return "approved";
  return printed === "ProgramChanged" ? "refused" : printed;
}

/** Runs them all before the first test, then has a test for each; one that this machine cannot run at all is skipped. */
export function testEditedForms(forms: readonly EditedForm[]): void {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "adjutant-pins-")));
  let runs: readonly FormRun[] = [];
  beforeAll(async () => {
    runs = await runEditedForms(home, forms);
  }, 120_000);
  afterAll(() => removeFolder(home));

  describe("a definition whose files were edited after it was trusted", () => {
    test.for(
      forms.map(
        ([run, ending, files], at) =>
          [JSON.stringify(run), ending, JSON.stringify(files), at] as const,
      ),
    )("%s: %s, of %s", ([_, ending, __, at], { skip }) => {
      const { before, after, seen } = runs[at] ?? {};
      skip(!isAllRequired && !isRunWhole(before), before?.stderr);
      expect(before).toMatchObject({ printed: expect.stringContaining("as-approved") });
      expect([seen, after?.stderr]).toEqual([ending, after?.stderr]);
    });
  });
}
