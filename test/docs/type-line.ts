// One line of a page as a reader types it.
import { stripVTControlCharacters } from "node:util";
import { run, typeInTerminal } from "../program/adj.ts";

interface Place {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** How a person says yes to each. */
const TRUST = [["?", ["y"]]] as const;
const INIT = [["yes, all of it", ["\r"]]] as const;

/** In a real terminal where the page asks a person, who says yes; in a plain shell otherwise. */
export async function typeLine(typed: string, place: Place): Promise<string> {
  if (typed === "adj trust" || typed === "adj init") {
    const { stdout } = await typeInTerminal(typed, place, typed === "adj trust" ? TRUST : INIT);
    const shown = stripVTControlCharacters(stdout).replaceAll("\r", "");
    return typed === "adj trust" ? shown.slice(shown.lastIndexOf("trusted")) : shown;
  }
  const { stdout } = await run("sh", ["-c", `{ ${typed}\n} 2>&1`], place);
  return stdout;
}
