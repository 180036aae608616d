// Whether an agent has credentials, as far as that can be seen without asking it.
import { access } from "node:fs/promises";
import { join } from "node:path";

export interface Login {
  /** Any of these variables is a credential. */
  readonly variables: readonly string[];
  /** Files the agent's own login leaves, below home or below the folder a variable names. */
  readonly files: readonly string[];
  /** Files that may hold a credential or a way to one: with them nobody can tell. */
  readonly hidingPlaces: readonly string[];
  /** The agent may also run without any, or keeps logins where no file shows it. */
  readonly isOptional: boolean;
}

export type Authentication = true | false | "unknown";

export interface LoginFacts {
  readonly hasVariable: boolean;
  readonly hasFile: boolean;
  readonly hasHidingPlace: boolean;
  readonly platform: string;
}

/** No only where it is sure: an agent is never kept from running by a guess. */
export function decideAuthentication(login: Login, facts: LoginFacts): Authentication {
  if (facts.hasVariable || facts.hasFile) return true;
  const mayBeHidden = login.isOptional || facts.hasHidingPlace || facts.platform !== "linux";
  return mayBeHidden ? "unknown" : false;
}

export async function checkLogin(
  login: Login,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Authentication> {
  return decideAuthentication(login, {
    hasVariable: login.variables.some((name) => (env[name] ?? "") !== ""),
    hasFile: await anyExists(login.files, env),
    hasHidingPlace: await anyExists(login.hidingPlaces, env),
    platform: process.platform,
  });
}

async function anyExists(
  paths: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<boolean> {
  const found = await Promise.all(paths.map((path) => exists(placePath(path, env))));
  return found.includes(true);
}

/**
 * An absolute path is one; `$CODEX_HOME|.codex/auth.json` is below the variable's folder where
 * it is set, else below home.
 */
export function placePath(
  path: string,
  env: Readonly<Record<string, string | undefined>>,
): string | null {
  if (path.startsWith("/")) return path;
  const [, variable, usual, rest] = /^(?:\$(\w+)\|)?([^/]+)\/?(.*)$/.exec(path) ?? [];
  const base = variable === undefined ? undefined : env[variable];
  if (base) return join(base, rest ?? "");
  return env.HOME && usual !== undefined ? join(env.HOME, usual, rest ?? "") : null;
}

const exists = (path: string | null): Promise<boolean> =>
  path === null
    ? Promise.resolve(false)
    : access(path).then(
        () => true,
        () => false,
      );
