import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describeAgentEnvironment } from "./agent-environment.ts";
import type { SimAgent } from "./sim-agent.ts";

export interface IsolatedHome {
  readonly home: string;
  /** The whole environment of the agent: nothing of the caller's own but what is neutral. */
  readonly env: Readonly<Record<string, string>>;
  /** Removes everything the agent left there. */
  remove(): Promise<void>;
}

export interface HomeWish {
  readonly agent: SimAgent | null;
  readonly url: string;
  /** The environment of whoever asks. */
  readonly source: Readonly<Record<string, string | undefined>>;
}

/** Names that say where programs are and how text looks; all others could lead the agent elsewhere. */
const NEUTRAL = /^(PATH|SHELL|USER|LOGNAME|LANG|LC_\w+|TZ|TERM|COLORTERM|NO_COLOR|CI|ADJ_\w+)$/;

/** Makes a fresh home and temporary folder in which an agent CLI knows only the scripted model. */
export async function makeIsolatedHome({ agent, url, source }: HomeWish): Promise<IsolatedHome> {
  const folder = await mkdtemp(join(tmpdir(), "adj-sim-"));
  // Side by side: codex complains of a home inside the temporary folder.
  const home = join(folder, "home");
  const temporary = join(folder, "tmp");
  await mkdir(home);
  await mkdir(temporary);
  const { env, files } = describeAgentEnvironment(agent, url);
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(home, path)), { recursive: true });
    await writeFile(join(home, path), content, { mode: 0o600 });
  }
  const neutral = Object.fromEntries(
    Object.entries(source).filter(
      (entry): entry is [string, string] => NEUTRAL.test(entry[0]) && entry[1] !== undefined,
    ),
  );
  return {
    home,
    env: { ...neutral, HOME: home, TMPDIR: temporary, NO_PROXY: "127.0.0.1", ...env },
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}
