// Whoever runs as root can read everything: what another user meets is tried by another user.
import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CHECKOUT } from "../../support/checkout.ts";
import { canRunAsNobody, NOBODY } from "../../support/programs.ts";

const isRoot = process.getuid?.() === 0;
const SCRIPT = `
import { chmodSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { copyLockedTree, makeTreeReadOnly, removeTree } from "./src/bench/files/tree.ts";
const [place] = process.argv.slice(2);
mkdirSync(place + "/work/shut", { recursive: true });
writeFileSync(place + "/work/secret", "read me");
writeFileSync(place + "/work/shut/inside", "me too");
chmodSync(place + "/work/secret", 0);
chmodSync(place + "/work/shut", 0);
await copyLockedTree(place + "/work", place + "/copy");
const seen = [readFileSync(place + "/copy/secret", "utf8"), readFileSync(place + "/copy/shut/inside", "utf8")];
await makeTreeReadOnly(place + "/copy");
let problem = null;
try { writeFileSync(place + "/copy/secret", "changed"); } catch (error) { problem = error.code; }
chmodSync(place + "/work/shut", 0);
await removeTree(place + "/work");
await removeTree(place + "/copy");
console.log(JSON.stringify({ seen, problem, left: readdirSync(place) }));
`;

test.skipIf(isRoot && !canRunAsNobody)(
  "files that an agent locked up are graded and removed like any other",
  () => {
    const place = mkdtempSync(join(tmpdir(), "adj-locked-"));
    try {
      chmodSync(place, 0o777);
      // A checkout may lie where only its owner comes.
      for (const part of ["src", "package.json"])
        cpSync(join(CHECKOUT, part), join(place, "checkout", part), { recursive: true });
      const { stdout, stderr } = spawnSync(
        process.execPath,
        ["--input-type=module-typescript", "-", join(place, "trial")],
        {
          cwd: join(place, "checkout"),
          input: SCRIPT,
          encoding: "utf8",
          ...(isRoot ? { uid: NOBODY, gid: NOBODY } : {}),
          env: { PATH: process.env.PATH },
        },
      );
      expect(stderr).toBe("");
      expect(JSON.parse(stdout)).toEqual({
        seen: ["read me", "me too"],
        problem: "EACCES",
        left: [],
      });
    } finally {
      rmSync(place, { recursive: true, force: true });
    }
  },
);
