// One line of a page as a reader types it.
import { run } from "../program/adj.ts";

interface Place {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** In a real terminal where the page asks a person, who says yes; in a plain shell otherwise. */
export async function typeLine(typed: string, place: Place): Promise<string> {
  if (/^adj (?:trust|init)$/.test(typed)) {
    const { stdout } = await run("script", ["-qefc", typed, "/dev/null"], { ...place, stdin: "y" });
    const shown = stdout.replaceAll("\r", "");
    return typed === "adj trust" ? shown.slice(shown.lastIndexOf("trusted")) : shown;
  }
  const { stdout } = await run("sh", ["-c", `{ ${typed}\n} 2>&1`], place);
  return stdout;
}
