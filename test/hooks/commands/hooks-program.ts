// A program with a home and agents that can tell their version and nothing else.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openTestProgram } from "../../support/program-of-commands.ts";

export function openHooksProgram(...programs: readonly string[]) {
  const opened = openTestProgram();
  const bin = join(opened.folder, "bin");
  const env = { HOME: join(opened.folder, "home"), PATH: `${bin}:/usr/bin:/bin` };
  for (const made of [bin, env.HOME]) mkdirSync(made);
  const writeProgram = (name: string, script: string) =>
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  for (const name of programs) writeProgram(name, "echo 2.1.325");
  return { ...opened, env, writeProgram, adj: (...words: string[]) => opened.run(words, { env }) };
}

export type HooksProgram = ReturnType<typeof openHooksProgram>;
