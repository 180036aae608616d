import { extname } from "node:path";
import * as z from "zod/mini";
import { fault } from "../../core/command/fault.ts";
import { readAtMost } from "../../core/process/read-stream.ts";
import { readText, refuseLinks, replaceFile } from "../../core/project/files.ts";
import { sha256 } from "../../core/project/fingerprint.ts";
import { parseJson } from "../../core/project/json-value.ts";
import { importFault, type UrlImport } from "./body.ts";
import type { BodyContext } from "./context.ts";
import type { Inserted } from "./import-file.ts";
import { decodeText, wrapInTag } from "./inserted-text.ts";
import { pickPart } from "./pick-part.ts";

export async function importUrl(wanted: UrlImport, context: BodyContext): Promise<Inserted> {
  const bytes = await fetchText(wanted, context);
  const hash = sha256(bytes);
  const isPinned = await checkPin(wanted, context, hash);
  const text = decodeText(bytes);
  if (text === null) throw importFault(wanted, "is not text in UTF-8", "import text only");
  const { url, written, where } = wanted;
  const kind = extname(new URL(url).pathname).toLowerCase();
  const part = await pickPart({ text, kind, part: wanted.part, wanted });
  const { lockFile, root } = context.urls;
  if (!isPinned && root !== undefined) refuseLinks(root, lockFile);
  if (!isPinned) pinHash(lockFile, url, hash);
  const attributes = { url, ...part.attributes };
  return {
    text: wrapInTag({ tag: "file", attributes, text: part.text }),
    files: [{ written, source: url, bytes: bytes.length, where }],
  };
}

/** Whether it is what was pinned; another content is taken only by a person who was asked. */
async function checkPin(wanted: UrlImport, { urls }: BodyContext, found: string): Promise<boolean> {
  const { url, written, where } = wanted;
  const pinned = readPinned(urls.lockFile, url);
  if (pinned === null || pinned === found) return pinned === found;
  if (await urls.acceptChange({ url, pinned, found, where })) return false;
  throw fault(
    "ImportRefused",
    { written, problem: `its content is not what was pinned in \`${urls.lockFile}\`` },
    { where, hint: "look at it; to take the new content, run this on a terminal and accept it" },
  );
}

const LIMIT_MS = 15_000;
const LIMIT_BYTES = 10 * 1024 * 1024;
const MAX_REDIRECTS = 5;

/** The answer's bytes; every address on the way must be allowed. */
async function fetchText(wanted: UrlImport, context: BodyContext): Promise<Uint8Array> {
  const timeout = AbortSignal.timeout(LIMIT_MS);
  const signal = AbortSignal.any([context.signal, timeout]);
  try {
    const response = await follow(wanted, context, signal);
    return await readLimited(response, wanted);
  } catch (error) {
    context.signal.throwIfAborted();
    if (timeout.aborted)
      throw importFault(wanted, `did not answer within ${LIMIT_MS / 1000} s`, "try again");
    if (error instanceof TypeError)
      throw importFault(wanted, `cannot be fetched: ${reasonOf(error)}`, "try again");
    throw error;
  }
}

async function follow(
  wanted: UrlImport,
  context: BodyContext,
  signal: AbortSignal,
): Promise<Response> {
  let address = new URL(wanted.url);
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    checkAddress(address, wanted, context.urls.hosts);
    const response = await fetch(address.href, { redirect: "manual", credentials: "omit", signal });
    const target = response.headers.get("location");
    if (response.status < 300 || response.status >= 400 || target === null)
      return checkStatus(response, wanted);
    await response.body?.cancel();
    const next = URL.parse(target, address.href);
    if (next === null)
      throw importFault(wanted, "redirects to no address", "give the final address");
    address = next;
  }
  throw importFault(wanted, `redirects more than ${MAX_REDIRECTS} times`, "give the final address");
}

function checkStatus(response: Response, wanted: UrlImport): Response {
  if (response.ok) return response;
  throw importFault(wanted, `was answered with status ${response.status}`, "mend the address");
}

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Without TLS only on this machine, and only with the port named. */
export function isAllowed(
  { protocol, hostname, host, port }: URL,
  hosts: readonly string[],
): boolean {
  if (protocol === "http:") return LOOPBACK.has(hostname) && port !== "" && hosts.includes(host);
  return protocol === "https:" && hosts.includes(host);
}

function checkAddress(address: URL, { written, where }: UrlImport, hosts: readonly string[]): void {
  if (isAllowed(address, hosts)) return;
  throw fault(
    "ImportRefused",
    { written, problem: `the host \`${address.host}\` is not among those to import from` },
    { where, hint: "add it to the hosts in your settings, with `https`" },
  );
}

async function readLimited(response: Response, wanted: UrlImport): Promise<Uint8Array> {
  if (response.body === null) return new Uint8Array();
  const bytes = await readAtMost(response.body, LIMIT_BYTES);
  if (bytes === null) throw importFault(wanted, "is larger than 10 MB", "import something smaller");
  return bytes;
}

const reasonOf = (error: TypeError): string =>
  error.cause instanceof Error ? error.cause.message : error.message;

/** The lock file of imports by address: which content each had when it was first taken. */
const LOCK = z.strictObject({
  adjutant: z.literal(1),
  imports: z.record(
    z.string(),
    z.strictObject({ sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)) }),
  ),
});
type Lock = z.infer<typeof LOCK>;

/** Null where nothing is pinned. */
function readPinned(file: string, url: string): string | null {
  const { imports } = readLock(file);
  return Object.hasOwn(imports, url) ? (imports[url]?.sha256 ?? null) : null;
}

function pinHash(file: string, url: string, sha256: string): void {
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
