import { fault } from "../../../command/fault.ts";
import type { UrlImport } from "../body.ts";
import type { World } from "../world.ts";
import { importFault } from "./import-fault.ts";

const LIMIT_MS = 15_000;
const LIMIT_BYTES = 10 * 1024 * 1024;
const MOST_REDIRECTS = 5;

/** The answer's bytes; every address on the way must be allowed. */
export async function fetchText(wanted: UrlImport, world: World): Promise<Uint8Array> {
  const timeout = AbortSignal.timeout(LIMIT_MS);
  const signal = AbortSignal.any([world.signal, timeout]);
  try {
    const response = await follow(wanted, world, signal);
    return await readLimited(response, wanted);
  } catch (error) {
    world.signal.throwIfAborted();
    if (timeout.aborted)
      throw importFault(wanted, `did not answer within ${LIMIT_MS / 1000} s`, "try again");
    if (error instanceof TypeError)
      throw importFault(wanted, `cannot be fetched: ${reasonOf(error)}`, "try again");
    throw error;
  }
}

async function follow(wanted: UrlImport, world: World, signal: AbortSignal): Promise<Response> {
  let address = new URL(wanted.url);
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
    checkAddress(address, wanted, world.urls.hosts);
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
  throw importFault(
    wanted,
    `redirects more than ${MOST_REDIRECTS} times`,
    "give the final address",
  );
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
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of response.body ?? []) {
    length += part.length;
    if (length > LIMIT_BYTES)
      throw importFault(wanted, "is larger than 10 MB", "import something smaller");
    parts.push(part);
  }
  return Buffer.concat(parts);
}

const reasonOf = (error: TypeError): string =>
  error.cause instanceof Error ? error.cause.message : error.message;
