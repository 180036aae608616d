// Whether an agent has credentials, as far as that can be seen without asking it, and what of the environment it gets.
import { access } from "node:fs/promises";
import { join } from "node:path";
import { childEnvironment } from "../../core/process/environment.ts";
import { readTextOrEmpty } from "../../core/project/files.ts";
import type { AgentAdapter } from "./adapter.ts";

export interface Login {
  /** Any of these variables is a credential. */
  readonly variables: readonly string[];
  /** Files the agent's own login leaves, below home or below the folder a variable names. */
  readonly files: readonly string[];
  /** What else of its own a run in another home needs to use that login. */
  readonly companions?: readonly string[];
  /** Files that may hold a credential or a way to one: with them nobody can tell. */
  readonly possibleFiles: readonly string[];
  /** The person's own configuration of it that may name the variable with a provider's key. */
  readonly keyFiles?: readonly KeyFile[];
  /** The agent may also run without any, or keeps logins where no file shows it. */
  readonly isOptional: boolean;
}

interface KeyFile {
  /** Written like the files of a login. */
  readonly path: string;
  /** Global; its first group is the name of a variable. */
  readonly names: RegExp;
}

/** An agent of which nobody knows whether it needs a login at all. */
export const UNKNOWN_LOGIN: Login = {
  variables: [],
  files: [],
  possibleFiles: [],
  isOptional: true,
};

export type Authentication = true | false | "unknown";

interface LoginFacts {
  readonly hasVariable: boolean;
  readonly hasFile: boolean;
  readonly hasPossibleFile: boolean;
  readonly platform: string;
}

/** Says no only where that is sure: an agent is never kept from running by a guess. */
export function decideAuthentication(login: Login, facts: LoginFacts): Authentication {
  if (facts.hasVariable || facts.hasFile) return true;
  const mayBeHidden = login.isOptional || facts.hasPossibleFile || facts.platform !== "linux";
  return mayBeHidden ? "unknown" : false;
}

export async function checkLogin(
  login: Login,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Authentication> {
  return decideAuthentication(login, {
    hasVariable: login.variables.some((name) => (env[name] ?? "") !== ""),
    hasFile: await anyExists(login.files, env),
    hasPossibleFile: await anyExists(login.possibleFiles, env),
    platform: process.platform,
  });
}

async function anyExists(
  paths: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<boolean> {
  const found = await Promise.all(paths.map((path) => exists(resolveLoginPath(path, env))));
  return found.includes(true);
}

/**
 * An absolute path stays one; `$SOME_HOME|.some/auth.json` is below the variable's folder where
 * it is set, else below home.
 */
export function resolveLoginPath(
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

/** Never by a project's file: it could ask for anything of the person's. */
function listNamedKeys(
  { keyFiles = [] }: Login,
  env: Readonly<Record<string, string | undefined>>,
): string[] {
  return keyFiles.flatMap(({ path, names }) => {
    const file = resolveLoginPath(path, env);
    // One that cannot be read names nothing; the agent itself will say what is wrong with it.
    const text = file === null ? "" : readTextOrEmpty(file);
    return [...text.matchAll(names)].map(([, name = ""]) => name);
  });
}

/**
 * What an agent is given of somebody's environment: the base set, its own variables and those that the person's own
 * configuration of it names for keys; nothing else.
 */
export function pickEnvironment(
  { login, variablePrefixes }: Pick<AgentAdapter, "login" | "variablePrefixes">,
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const keys = listNamedKeys(login, env);
  const isOwn = (name: string) =>
    login.variables.includes(name) ||
    keys.includes(name) ||
    variablePrefixes.some((prefix) => name.startsWith(prefix));
  const declared = Object.keys(env).filter(isOwn);
  return childEnvironment({ source: env, declared, inheritEnv: false });
}
