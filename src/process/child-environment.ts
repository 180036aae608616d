import type { DeclaredEnvironment } from "../command/definition.ts";
import { RUN_ID_NAME } from "./run-id.ts";

const PROXY_NAMES = ["HTTP_PROXY", "HTTPS_PROXY", "FTP_PROXY", "ALL_PROXY", "NO_PROXY"];

/** What every child is given; hook handlers too, warm or cold. */
export const BASE_NAMES: ReadonlySet<string> = new Set([
  ...["PATH", "HOME", "USER", "LOGNAME", "SHELL", "TMPDIR", "SSH_AUTH_SOCK", "EDITOR", "VISUAL"],
  ...["LANG", "TZ", "TERM", "COLORTERM", "NO_COLOR", "FORCE_COLOR", "CI"],
  ...PROXY_NAMES,
  ...PROXY_NAMES.map((name) => name.toLowerCase()),
  ...["ADJ_SESSION_ID", "ADJ_STATE_DIR", "ADJ_CONFIG_DIR", "ADJ_DEPTH", "ADJ_CORRELATION_ID"],
  ...["ADJ_AGENT", "ADJ_MODEL"],
  // A run inside a run is found by the outer one only if it knows whose child it is.
  RUN_ID_NAME,
]);
export const BASE_FAMILIES: readonly string[] = ["XDG_", "LC_", "ADJ_AGENT_"];

export interface EnvironmentWish {
  /** The environment of whoever asks, which need not be this process's. */
  readonly source: Readonly<Record<string, string | undefined>>;
  readonly declared: DeclaredEnvironment;
  readonly inheritEnv: boolean;
}

/** What a child process is given: the base set, the declared names, declared values over both. */
export function childEnvironment(wish: EnvironmentWish): Record<string, string> {
  const { declared } = wish;
  const isList = "length" in declared && Array.isArray(declared);
  const names: ReadonlySet<string> = new Set(isList ? declared : []);
  const environment = new Map<string, string>();
  for (const [name, value] of Object.entries(wish.source)) {
    const isGiven = wish.inheritEnv || isBaseName(name) || names.has(name);
    if (isGiven && value !== undefined) environment.set(name, value);
  }
  if (!isList) for (const [name, value] of Object.entries(declared)) environment.set(name, value);
  return Object.fromEntries(environment);
}

function isBaseName(name: string): boolean {
  return BASE_NAMES.has(name) || BASE_FAMILIES.some((family) => name.startsWith(family));
}
