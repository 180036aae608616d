import { childEnvironment } from "../process/child-environment.ts";
import type { AgentAdapter } from "./adapter.ts";

/** What an agent is given of somebody's environment: the base set and its own variables, nothing else. */
export function pickEnvironment(
  { login, variablePrefixes }: Pick<AgentAdapter, "login" | "variablePrefixes">,
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const isOwn = (name: string) =>
    login.variables.includes(name) || variablePrefixes.some((prefix) => name.startsWith(prefix));
  const declared = Object.keys(env).filter(isOwn);
  return childEnvironment({ source: env, declared, inheritEnv: false });
}
