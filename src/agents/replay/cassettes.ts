// Where cassettes come from: files of users, and the bundled ones.
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { describeFileError } from "../../core/project/files.ts";
import { CASSETTE, type Cassette } from "./cassette.ts";

type LoadedCassette =
  | { readonly kind: "loaded"; readonly cassette: Cassette }
  | { readonly kind: "refused"; readonly problem: string };

/** A file, JSON or YAML; or, where there is no such file, a bundled cassette of that name. */
export async function loadCassette(path: string): Promise<LoadedCassette> {
  const text = await readFile(path, "utf8").catch((error: Error) => error);
  if (typeof text === "string") return parseCassette(text);
  const bundled = BUNDLED_CASSETTES[basename(path)];
  if (bundled !== undefined) return { kind: "loaded", cassette: bundled };
  const known = Object.keys(BUNDLED_CASSETTES).map((name) => `\`${name}\``);
  return refuse(
    `\`${path}\` cannot be read: ${describeFileError(text)}; bundled are ${known.join(", ")}`,
  );
}

export async function parseCassette(text: string): Promise<LoadedCassette> {
  let value: unknown;
  try {
    value = text.trimStart().startsWith("{")
      ? JSON.parse(text)
      : (await import("yaml")).parse(text);
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error));
  }
  const checked = CASSETTE.safeParse(value);
  if (checked.success) return { kind: "loaded", cassette: checked.data };
  const problems = checked.error.issues.map(
    (issue) => `\`${issue.path.join(".") || "cassette"}\` ${issue.message}`,
  );
  return refuse(problems.join("; "));
}

const refuse = (problem: string): LoadedCassette => ({ kind: "refused", problem });

/** Looks around in whatever folder it is played in, and changes nothing. */
const explainRepository: Cassette = {
  adjutant: 1,
  description: "Explain this repository",
  steps: [
    { say: "I will look at the files first.", after: "400ms" },
    { shell: "ls -A | head -n 20", after: "300ms" },
    {
      shell: "if [ -f README.md ]; then head -n 15 README.md; else echo 'no README.md here'; fi",
      after: "300ms",
    },
    {
      say: "This folder holds the files listed above; its README says what they are for. I read two things and changed nothing. This answer was played from a recording: no model was asked.",
      after: "600ms",
    },
  ],
  turns: 3,
  stop_reason: "end_turn",
};

const BROKEN = "export const add = (left, right) => left - right;\n";
const TEST = `import assert from "node:assert/strict";
import { test } from "node:test";
import { add } from "./add.mjs";

test("two and two are four", () => assert.equal(add(2, 2), 4));
`;

/** Makes a small broken program, sees its test fail, mends it, sees it pass. */
const fixFailingTest: Cassette = {
  adjutant: 1,
  description: "Fix the failing test",
  steps: [
    { write: { path: "add.mjs", content: BROKEN } },
    { write: { path: "add.test.mjs", content: TEST } },
    { say: "I run the test to see how it fails.", after: "400ms" },
    { shell: "node --test add.test.mjs", after: "200ms" },
    { say: "`add` subtracts. I put a plus there.", after: "600ms" },
    { edit: { path: "add.mjs", old: "left - right", new: "left + right" }, after: "200ms" },
    { shell: "node --test add.test.mjs", after: "200ms" },
    {
      say: "The test passes now: `add` in add.mjs had a minus where a plus belongs.",
      after: "400ms",
    },
  ],
  turns: 5,
  stop_reason: "end_turn",
};

export const DEFAULT_CASSETTE = "explain-repository";

export const BUNDLED_CASSETTES: Readonly<Record<string, Cassette>> = {
  [DEFAULT_CASSETTE]: explainRepository,
  "fix-failing-test": fixFailingTest,
};
