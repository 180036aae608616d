// The lock file of imports by address: which content each had when it was first taken.
import * as z from "zod/mini";
import { fault } from "../../../command/fault.ts";
import { readText } from "../../../config/read-text.ts";
import { replaceFile } from "../../../config/replace-file.ts";

const LOCK = z.strictObject({
  adjutant: z.literal(1),
  imports: z.record(
    z.string(),
    z.strictObject({ sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)) }),
  ),
});
type Lock = z.infer<typeof LOCK>;

/** Null where nothing is pinned. */
export function readPinned(file: string, url: string): string | null {
  const { imports } = readLock(file);
  return Object.hasOwn(imports, url) ? (imports[url]?.sha256 ?? null) : null;
}

export function pinHash(file: string, url: string, sha256: string): void {
  const imports = Object.entries({ ...readLock(file).imports, [url]: { sha256 } });
  imports.sort(([left], [right]) => (left < right ? -1 : 1));
  const lock: Lock = { adjutant: 1, imports: Object.fromEntries(imports) };
  replaceFile(file, `${JSON.stringify(lock, null, 2)}\n`, 0o644);
}

function readLock(file: string): Lock {
  const text = readText(file);
  if (text === null) return { adjutant: 1, imports: {} };
  const lock = LOCK.safeParse(parseJson(text));
  if (lock.success) return lock.data;
  throw fault(
    "FileInvalid",
    { problem: "it is not a lock file of imports" },
    {
      where: { file },
      hint: "restore it from version control, or remove it to pin everything anew",
    },
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
