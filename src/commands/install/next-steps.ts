import type { HookInstaller, InstallPlace, InstallScope } from "../../hooks/install/installer.ts";
import { findProgram } from "../../process/find-program.ts";

/** What the person must still do; in a project everybody also needs `adj` itself. */
export async function listNextSteps(
  installer: HookInstaller,
  scope: InstallScope,
  { env, root }: InstallPlace,
): Promise<string[]> {
  const steps = [...installer.nextSteps(scope)];
  if (scope === "user") return steps;
  const search = await findProgram("adj", { path: env.PATH, cwd: root });
  if (search.kind !== "found") steps.unshift("put `adj` on PATH: the entries call it by name");
  if (FAIL_CLOSED.has(installer.agent))
    steps.push(`tell the others: without \`adj\` on PATH \`${installer.agent}\` blocks every tool`);
  return steps;
}

// A hook program that is missing denies everything there (gemini 0.61, copilot 1.0.102).
const FAIL_CLOSED: ReadonlySet<string> = new Set(["gemini", "copilot"]);
