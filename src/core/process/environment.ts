// The environment of a child: what it is given, and the id of its run in it.
import type { DeclaredEnvironment } from "../command/definition.ts";

/**
 * Every child carries the id of its run in the environment: `setsid` and a double fork shed the
 * process group and the parent, but not the environment.
 */
export const RUN_ID_NAME = "ADJ_RUN_ID";

const PROXY_NAMES = ["HTTP_PROXY", "HTTPS_PROXY", "FTP_PROXY", "ALL_PROXY", "NO_PROXY"];

/** Behind a proxy that opens TLS nothing reaches a model, a registry or a repository without them. */
const CERTIFICATE_NAMES = [
  ...["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "SSL_CERT_DIR"],
  ...["REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "GIT_SSL_CAINFO"],
];

/** What every child is given; hook handlers too, warm or cold. */
export const BASE_NAMES: ReadonlySet<string> = new Set([
  ...["PATH", "HOME", "USER", "LOGNAME", "SHELL", "TMPDIR", "SSH_AUTH_SOCK", "EDITOR", "VISUAL"],
  ...["LANG", "TZ", "TERM", "COLORTERM", "NO_COLOR", "FORCE_COLOR", "CI"],
  ...PROXY_NAMES,
  ...PROXY_NAMES.map((name) => name.toLowerCase()),
  ...CERTIFICATE_NAMES,
  ...["ADJ_SESSION_ID", "ADJ_STATE_DIR", "ADJ_CONFIG_DIR", "ADJ_DEPTH", "ADJ_CORRELATION_ID"],
  ...["ADJ_DATA_DIR", "ADJ_AGENT", "ADJ_MODEL"],
  // A run inside a run is found by the outer one only if it knows whose child it is.
  RUN_ID_NAME,
]);
export const BASE_FAMILIES: readonly string[] = ["XDG_", "LC_", "ADJ_AGENT_"];

interface EnvironmentRequest {
  /** The environment of whoever asks, which need not be this process's. */
  readonly source: Readonly<Record<string, string | undefined>>;
  readonly declared: DeclaredEnvironment;
  readonly inheritEnv: boolean;
}

/** What a child process is given: the base set, the declared names, declared values over both. */
export function childEnvironment({
  source,
  declared,
  inheritEnv,
}: EnvironmentRequest): Record<string, string> {
  const isList = "length" in declared && Array.isArray(declared);
  const names: ReadonlySet<string> = new Set(isList ? declared : []);
  const environment = new Map<string, string>();
  for (const [name, value] of Object.entries(source)) {
    const isGiven = inheritEnv || isBaseName(name) || names.has(name);
    if (isGiven && value !== undefined) environment.set(name, value);
  }
  if (!isList) for (const [name, value] of Object.entries(declared)) environment.set(name, value);
  return Object.fromEntries(environment);
}

function isBaseName(name: string): boolean {
  return BASE_NAMES.has(name) || BASE_FAMILIES.some((family) => name.startsWith(family));
}

/** A run inside a run is a path, so that the outer one also finds what a killed inner one left behind. */
export function nestRunId(outer: string | undefined, own: string): string {
  return outer ? `${outer}/${own}` : own;
}

const SLASH = "/".charCodeAt(0);

/** Whether a process's environment, as the kernel shows it, belongs to this run or to one inside it. */
export function carriesRunId(environment: Buffer, runId: string): boolean {
  const entry = Buffer.from(`${RUN_ID_NAME}=${runId}`);
  let at = environment.indexOf(entry);
  while (at >= 0) {
    const after = environment[at + entry.length] ?? 0;
    const isWholeName = at === 0 || environment[at - 1] === 0;
    if (isWholeName && (after === 0 || after === SLASH)) return true;
    at = environment.indexOf(entry, at + 1);
  }
  return false;
}

/** How many agents that Adjutant started are around this process. */
export function depthOf({ ADJ_DEPTH }: Readonly<Record<string, string | undefined>>): number {
  const depth = Number(ADJ_DEPTH ?? 0);
  return Number.isInteger(depth) && depth > 0 ? depth : 0;
}
