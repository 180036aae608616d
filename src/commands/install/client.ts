// What an installed entry starts.
import { realpathSync } from "node:fs";
import { join } from "node:path";
import { joinWords } from "../../command/words.ts";
import type { InstallPlace, InstallScope } from "../../hooks/install/installer.ts";
import { findProgram } from "../../process/find-program.ts";
import { clientFile, installClient } from "../../resident/install-client.ts";
import type { Program } from "../program.ts";

export interface ClientWish {
  readonly scope: InstallScope;
  readonly place: InstallPlace;
  readonly program: Program;
  readonly isDryRun: boolean;
}

/** The copy in the state folder for a user; in a project, where others have other homes, `adj` by PATH. */
export async function prepareClient(wish: ClientWish): Promise<readonly string[]> {
  const { scope, program, place, isDryRun } = wish;
  if (scope === "project") return ["adj", "hook"];
  if (isDryRun) return [clientFile(program.stateDir)];
  return [installClient(program.stateDir, await findLauncher(program, place))];
}

export const clientLine = (client: readonly string[], agent: string): string =>
  joinWords([...client, agent]);

/** `adj` as PATH has it, when that is this very program: such a path outlives an update. */
export async function findLauncher(program: Program, { env, root }: InstallPlace): Promise<string> {
  const own = ownLauncher(program);
  const search = await findProgram("adj", { path: env.PATH, cwd: root });
  return search.kind === "found" && realpathSync(search.path) === own ? search.path : own;
}

/** From `dist/adj.cjs` or, unbuilt, `src/surfaces/cli/entry.ts` to the `bin/adj` beside. */
function ownLauncher({ entry }: Program): string {
  const [, script = ""] = entry;
  const root = script.replace(/\/(?:dist\/[^/]+|src\/surfaces\/cli\/[^/]+)$/, "");
  return join(root, "bin", "adj");
}
