import { spawnSync } from "node:child_process";

/** Those of the shells an agent may use that are on this machine; the proof as a whole has all three. */
export const SHELLS: readonly string[] = ["bash", "dash", "zsh"].filter(
  (shell) => spawnSync(shell, ["-c", "exit 0"]).status === 0,
);
