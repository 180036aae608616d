// A desk with a home and agents that can tell their version and nothing else.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openDesk } from "../../support/program-of-commands.ts";

export function openHooksDesk(...programs: readonly string[]) {
  const desk = openDesk();
  const bin = join(desk.folder, "bin");
  const env = { HOME: join(desk.folder, "home"), PATH: `${bin}:/usr/bin:/bin` };
  for (const made of [bin, env.HOME]) mkdirSync(made);
  const writeProgram = (name: string, script: string) =>
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  for (const name of programs) writeProgram(name, "echo 2.1.325");
  return { ...desk, env, writeProgram, adj: (...words: string[]) => desk.run(words, { env }) };
}

export type HooksDesk = ReturnType<typeof openHooksDesk>;
