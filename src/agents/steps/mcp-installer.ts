// What is known of where one agent keeps the MCP servers that it starts, and how an entry for ours reads there. Pure.
import type { ConfigSyntax, InstallContext, InstallScope, JsonObject } from "./installer.ts";

/** What our server is called in every agent's file, and so in the names of its tools. */
export const SERVER_NAME = "adjutant";

export interface McpInstaller {
  readonly agent: string;
  /** Where it reads servers from: the first that is there is taken, else the first. */
  configFiles(scope: InstallScope, place: InstallContext): readonly [string, ...string[]];
  /** TOML is written as a table of its own at the end of the file. */
  readonly syntax: ConfigSyntax | "toml";
  /** Where in the file servers stand, by name. */
  readonly key: string;
  /** `words` start the server: the program first. */
  makeEntry(words: readonly [string, ...string[]]): JsonObject;
  /** What the person must still do for the agent to start it, or to let it be called. */
  nextSteps(scope: InstallScope): readonly string[];
}

/** The words by which an entry starts its server, in any agent's form; none where it starts no program. */
export function wordsOfServer({ command, args }: JsonObject): readonly string[] {
  const words = [command, args].flat().filter((word) => word !== undefined);
  return words.every((word) => typeof word === "string") ? words : [];
}

/** `adj mcp` by any path, with any flags. */
export function isOurServer(entry: JsonObject): boolean {
  const [program, word] = wordsOfServer(entry);
  return program !== undefined && /(?:^|\/)adj$/.test(program) && word === "mcp";
}

/** Most agents: a program and its words. */
export const plainServer = (
  [command, ...args]: readonly [string, ...string[]],
  more: JsonObject = {},
): JsonObject => ({ ...more, command, args });
