import { VERSION } from "../command/version.ts";
import type { AgentWords } from "../project/settings.ts";

/** The running Adjutant: its version, and its own files that are loaded by address. */
export interface Runtime {
  readonly version: string;
  /** What `import … from "adjutant"` in a user's file means. */
  readonly libraryUrl: string;
  readonly workerUrl: string;
  /** The agents that settings may name; without them any name will do. */
  readonly agentWords?: AgentWords;
}

/** From the source tree, or from the build, where all files lie side by side. */
export function currentRuntime(agentWords: AgentWords): Runtime {
  const isSource = import.meta.url.endsWith(".ts");
  const find = (source: string, built: string): string =>
    new URL(isSource ? source : built, import.meta.url).href;
  return {
    version: VERSION,
    libraryUrl: find("../../library.ts", "./library.js"),
    workerUrl: find("../../index-worker.ts", "./index-worker.cjs"),
    agentWords,
  };
}
