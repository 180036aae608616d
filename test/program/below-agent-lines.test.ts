// What an agent's processes try for the rights of a person, each with a clean environment or none of its marks: nothing
// of what is kept changes.
import { createHash } from "node:crypto";
import { chmodSync, existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sampled } from "../support/tier.ts";
import { ADJ, type Home, makeHome, run } from "./adj.ts";

/** `ADJ` is the program, `GRANT` the call that would trust, `ENV` a clean environment with the places that count. */
const LINES = [
  "GRANT",
  "ADJ trust",
  "yes | ADJ trust",
  "printf 'y\\n' | script -qec 'ADJ trust' /dev/null",
  "ADJ trust --watch",
  "ADJ trust --watch --hash HASH",
  "ADJ trust --list --watch",
  "ADJ trust --list --hash HASH",
  "ADJ trust --diff --hash HASH",
  "ADJ trust --diff=false --hash HASH",
  "ADJ trust --no-diff --hash HASH",
  "ADJ run trust --hash HASH",
  "ADJ run -- trust --hash HASH",
  "ADJ -- trust --hash HASH",
  "ADJ --json trust --hash HASH",
  "ADJ -C . trust --hash HASH",
  "ADJ --cwd=. trust --hash HASH",
  "cd / && ADJ --cwd PROJECT trust --hash HASH",
  "ADJ --session s trust --hash HASH",
  "ADJ --yes trust",
  "ADJ -y trust",
  "ADJ trust -y",
  "ADJ revoke",
  "ADJ trust --revoke",
  "ADJ prune",
  "ADJ prune --yes",
  "ADJ prune --force",
  "ADJ prune --older-than 0d",
  "ADJ prune --dry-run=false",
  "ADJ prune --dry-run --no-dry-run",
  "ADJ prune --dry-run --dry-run=false",
  "ADJ prune --no-dry-run",
  "ENV ADJ prune",
  "ENV setsid -w ADJ prune --force",
  "ENV script -qec 'ADJ prune --yes' /dev/null",
  "ADJ init",
  "ADJ init --yes",
  "ADJ init --no-dry-run",
  "ENV script -qec 'ADJ init' /dev/null",
  "ADJ install claude-code",
  "ADJ install --all",
  "ADJ install codex --project",
  "ADJ uninstall",
  "ADJ uninstall claude-code",
  "ADJ uninstall --all --yes",
  "ENV setsid -w ADJ uninstall claude-code",
  "ADJ sync --remove",
  "ADJ sync",
  "ENV ADJ sync --remove --force",
  "ADJ config set model opus",
  "ADJ config unset model",
  "ADJ config --user set model opus",
  "ADJ config set --project model opus",
  "ADJ hooks init",
  "ADJ hooks init --project",
  "ADJ new zz --ts --user",
  "ADJ import claude-code --user",
  "ADJ log --prune 0d --force",
  "ADJ forget --all",
  "ADJ mode auto",
  "ADJ mcp trust x",
  "ADJ resident stop",
  "ADJ approve --all",
  "nohup ADJ trust --hash HASH",
  "nice -n 1 ADJ trust --hash HASH",
  "timeout 20 ADJ trust --hash HASH",
  "exec -a vim ADJ trust --hash HASH",
  "bash -c 'exec -a login ADJ trust --hash HASH'",
  "python3 -c 'import os,sys;os.setsid() if os.fork()==0 else os._exit(os.waitstatus_to_exitcode(os.wait()[1]));os.execv(sys.argv[1],sys.argv[1:])' ADJ trust --hash HASH",
  "perl -e 'use POSIX; if (my $p = fork) { waitpid $p,0; exit($?>>8) } POSIX::setsid(); exec @ARGV' ADJ trust --hash HASH",
  "node -e 'process.exit(require(\"child_process\").spawnSync(process.argv[1], process.argv.slice(2), { detached: true, env: {} }).status)' ADJ trust --hash HASH",
  "echo HASH | xargs ADJ trust --hash",
  "find . -maxdepth 0 -exec ADJ trust --hash HASH ';' -o -exec false ';'; false",
  "env -u CLAUDECODE -u CI CI=1 ADJ trust --hash HASH",
  "CI=true GITHUB_ACTIONS=true ADJ trust --hash HASH",
  "ENV CI=1 ADJ trust --hash HASH",
  "ENV SSH_CONNECTION='1 2 3 4' SSH_TTY=/dev/pts/0 TERM=xterm ADJ trust --hash HASH",
  "ENV TMUX=/tmp/t,1,0 ADJ trust --hash HASH",
  "unshare -r ADJ trust --hash HASH",
  "unshare -rpf ADJ trust --hash HASH",
  "unshare -rpf --mount-proc ADJ trust --hash HASH",
  "ENV script -qec 'setsid -w -c ADJ trust --hash HASH' /dev/null",
  "ln -s ADJ b; ./b trust --hash HASH",
  "ENV ADJ hi; ADJ run hi; ADJ t",
];

const fill = (line: string, home: Home, hash: string): string => {
  const env = `env -i PATH="$PATH" HOME="$HOME" ADJ_STATE_DIR=${home.stateDir} ADJ_CONFIG_DIR=${home.configDir}`;
  return line
    .replaceAll("GRANT", "ADJ trust --hash HASH")
    .replaceAll("ENV ", `${env} `)
    .replaceAll("PROJECT", home.project)
    .replaceAll("HASH", hash)
    .replaceAll(/\bADJ\b(?!_)/g, ADJ);
};

/** What a person decided, as it lies on the disk: settings, agents' files, the project, and who is trusted. */
function readKept(home: Home): Record<string, string> {
  const kept: Record<string, string> = {};
  const read = (path: string): void => {
    if (!existsSync(path)) return;
    if (statSync(path).isDirectory()) for (const name of readdirSync(path)) read(join(path, name));
    else kept[path] = createHash("sha256").update(readFileSync(path)).digest("hex");
  };
  for (const place of [
    "config",
    "project/.adjutant",
    ".claude",
    ".codex",
    "state/trust",
    "state/keep",
  ])
    read(join(home.folder, place));
  return kept;
}

test("nothing that an agent's processes call changes what a person decided", async () => {
  const home = makeHome();
  home.write({
    "project/.adjutant/commands.yaml": `hi: { description: hi, argv: [echo] }\nt: { description: t, argv: [${ADJ}, trust, --hash, "0"] }\n`,
    "config/config.yaml": "model: sonnet\n",
    ".claude/settings.json": "{}",
    "bin/claude": '#!/bin/sh\nbash -c "$1"\n',
  });
  const agent = join(home.folder, "bin", "claude");
  chmodSync(agent, 0o755);
  const asked = await home.adj("--json", "trust");
  const hash = /--hash ([0-9a-f]{64})/.exec(asked.stdout)?.[1] ?? "";
  expect(hash).toHaveLength(64);
  const before = readKept(home);
  const through: string[] = [];
  for (const line of sampled(LINES)) {
    const { exitCode } = await run(agent, [fill(line, home, hash)], {
      cwd: home.project,
      env: home.env,
    });
    const changed = JSON.stringify(readKept(home)) !== JSON.stringify(before);
    if (changed || exitCode === 0) through.push(line);
  }
  expect(through).toEqual([]);
}, 120_000);
