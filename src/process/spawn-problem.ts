import { constants } from "node:fs";
import { access, open, stat } from "node:fs/promises";
import type { CommandSpec } from "./command-spec.ts";
import { findProgram } from "./find-program.ts";

/** Says why a spawn failed: the kernel has one ENOENT for a missing program, folder and interpreter. */
export async function explainSpawnFailure(
  spec: CommandSpec,
  code: string,
  message: string,
): Promise<string> {
  return (
    (await findFolderProblem(spec.cwd)) ??
    (code === "ENOENT" || code === "EACCES" ? await findProgramProblem(spec) : null) ??
    (code === "E2BIG"
      ? "the arguments and the environment are longer than the system allows"
      : message)
  );
}

async function findFolderProblem(cwd: string): Promise<string | null> {
  const folder = await stat(cwd).catch(() => null);
  if (folder === null) return `the working directory \`${cwd}\` does not exist`;
  if (!folder.isDirectory()) return `the working directory \`${cwd}\` is not a folder`;
  return access(cwd, constants.X_OK).then(
    () => null,
    () => `the working directory \`${cwd}\` may not be entered`,
  );
}

async function findProgramProblem(spec: CommandSpec): Promise<string | null> {
  const search = await findProgram(spec.executable, { path: spec.env.PATH, cwd: spec.cwd });
  if (search.kind === "not_executable") return `\`${search.path}\` is not an executable file`;
  if (search.kind === "missing")
    return spec.executable.includes("/")
      ? "there is no such file"
      : "there is no such program on PATH";
  const interpreter = await readInterpreter(search.path);
  return interpreter === null ? null : `its interpreter \`${interpreter}\` cannot be run`;
}

async function readInterpreter(path: string): Promise<string | null> {
  const file = await open(path).catch(() => null);
  if (file === null) return null;
  try {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(256) });
    return /^#!\s*(\S+)/.exec(buffer.toString("utf8", 0, bytesRead))?.[1] ?? null;
  } finally {
    await file.close();
  }
}
