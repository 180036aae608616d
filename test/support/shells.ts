import { spawnSync } from "node:child_process";

const ALL = ["bash", "dash", "zsh"] as const;

/** Those of the shells an agent may use that are on this machine; where everything is required, all of them. */
export const SHELLS: readonly string[] =
  process.env.ADJ_TEST_REQUIRE === "all"
    ? ALL
    : ALL.filter((shell) => spawnSync(shell, ["-c", "exit 0"]).status === 0);
