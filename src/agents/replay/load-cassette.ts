import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { BUNDLED_CASSETTES } from "./bundled-cassettes.ts";
import { CASSETTE, type Cassette } from "./cassette.ts";

export type LoadedCassette =
  | { readonly kind: "loaded"; readonly cassette: Cassette }
  | { readonly kind: "refused"; readonly problem: string };

/** A file, JSON or YAML; or, where there is no such file, a bundled cassette of that name. */
export async function loadCassette(path: string): Promise<LoadedCassette> {
  const text = await readFile(path, "utf8").catch((error: Error) => error);
  if (typeof text === "string") return parseCassette(text);
  const bundled = BUNDLED_CASSETTES[basename(path)];
  if (bundled !== undefined) return { kind: "loaded", cassette: bundled };
  const known = Object.keys(BUNDLED_CASSETTES).map((name) => `\`${name}\``);
  return refuse(`\`${path}\` cannot be read (${text.message}); bundled are ${known.join(", ")}`);
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
