// Lines that are run to see what they do are run where they can do no harm: with everything read-only but one folder.
import { spawnSync } from "node:child_process";
import { CHECKOUT } from "./checkout.ts";

/** The words that run a program which can write below `folder` and nowhere else, nor to what is `kept` there, and reaches
 * no other process, no network and neither the clock nor the name of the machine. */
export const confineTo = (
  folder: string,
  words: readonly string[],
  kept: readonly string[] = [],
): string[] => [
  ...["bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp"],
  ...[
    // It may stand below the temporary folder, which is empty in there.
    "--ro-bind",
    CHECKOUT,
    CHECKOUT,
    "--bind",
    folder,
    folder,
    "--unshare-pid",
    "--unshare-net",
    "--unshare-uts",
    "--unshare-ipc",
    "--die-with-parent",
  ],
  ...kept.flatMap((path) => ["--ro-bind", path, path]),
  // Of root's rights bubblewrap keeps all that are not named: `date -s` set the clock of the machine.
  ...["--cap-drop", "ALL"],
  ...["--", ...words],
];

const PROBE = confineTo("/tmp", ["true"]);

/** Whether this machine can make a sandbox; where everything is required it must, and tests fail without one. */
export const hasBubblewrap =
  process.env.ADJ_TEST_REQUIRE === "all" || spawnSync(PROBE[0] ?? "", PROBE.slice(1)).status === 0;
