// `adj trust` and its like are refused below an agent, and in a process whose terminal is gone, and so would their tests be.
// Where that is so, all of them run in a PID namespace of their own: as in a container, nobody is above them there.
import { spawnSync } from "node:child_process";

/** The shell is the namespace's first process: with it, on Ctrl-C too, ends all that is in there. */
const IN_SESSION = 'trap "exit 130" INT TERM; setsid -w "$@" & wait $!';

/** Begins the calling script anew in a namespace where that is so and one can be had; else says what will fail. */
export async function leaveAgent() {
  if (process.env.ADJ_TEST_APART !== undefined) return;
  const { whyBelowAgent } = await import("../src/core/dispatch/below-agent.ts");
  const { AGENT_SIGNS } = await import("../src/agents/roster.ts");
  const why = whyBelowAgent(AGENT_SIGNS);
  if (why === null) return;
  const apart = findNamespace();
  if (apart === undefined) {
    console.error(`  tests of what only a person may do will fail here: ${why}`);
    return;
  }
  console.error(`  in a PID namespace of their own, because ${why}`);
  const env = { ...process.env, ADJ_TEST_APART: "1" };
  for (const name of ["ADJ_DEPTH", ...AGENT_SIGNS.marks]) delete env[name];
  const own = [process.execPath, ...process.argv.slice(1)];
  const { status } = spawnSync("unshare", [...apart, "sh", "-c", IN_SESSION, "sh", ...own], {
    stdio: "inherit",
    env,
  });
  process.exit(status ?? 1);
}

/** The words for `unshare`; without root it takes a user namespace, which not every machine allows. */
function findNamespace() {
  const own = ["--pid", "--fork", "--kill-child", "--mount-proc"];
  const ways = [own, ["--user", "--map-current-user", ...own]];
  return ways.find((way) => spawnSync("unshare", [...way, "true"]).status === 0);
}
