// A project, a home and the whole program in this process: real layers, real trust, real files.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { approveProject } from "../../../src/core/project/trust/approval.ts";
import { createAdjutant } from "../../../src/program.ts";
import { markRepository, temporaryFolder, writeFiles } from "../../support/temporary-folder.ts";

export function openSyncProgram() {
  const folder = temporaryFolder();
  const [root, home, stateDir, configDir] = ["project", "home", "state", "config"].map((name) => {
    mkdirSync(join(folder, name));
    return join(folder, name);
  }) as [string, string, string, string];
  markRepository(root);
  const env = {
    PATH: "/usr/bin:/bin",
    HOME: home,
    ADJ_STATE_DIR: stateDir,
    ADJ_CONFIG_DIR: configDir,
  };
  const at = (path: string) => join(folder, path);
  return {
    folder,
    root,
    home,
    env,
    write: (files: Readonly<Record<string, string>>) => writeFiles(folder, files),
    /** Commands of the project, by name, trusted as they are then. */
    define: async (commands: Readonly<Record<string, string>>) => {
      const files = Object.entries(commands).map(([name, text]) => [
        `project/.adjutant/commands/${name}.md`,
        text,
      ]);
      writeFiles(folder, Object.fromEntries(files));
      await approveProject(root, stateDir);
    },
    remove: async (path: string) => {
      rmSync(at(path));
      await approveProject(root, stateDir);
    },
    read: (path: string) => readFileSync(at(path), "utf8"),
    has: (path: string) => existsSync(at(path)),
    list: (path: string) => (existsSync(at(path)) ? readdirSync(at(path)).sort() : []),
    adj: async (words: readonly string[], agent?: string) => {
      const adjutant = await createAdjutant({ cwd: root, env, ...(agent ? { agent } : {}) });
      const [name = "", ...args] = words;
      try {
        const { result, error } = await adjutant.dispatch({ name, args });
        return {
          exitCode: result.exitCode,
          output: String(result.output),
          errorOutput: String(result.errorOutput ?? ""),
          code: error?.code ?? null,
          metadata: result.metadata ?? {},
        };
      } finally {
        await adjutant.close();
      }
    },
  };
}

export const markdown = (body: string, frontMatter = ""): string =>
  `---\ndescription: For a test\n${frontMatter}${frontMatter === "" ? "" : "\n"}---\n${body}\n`;
