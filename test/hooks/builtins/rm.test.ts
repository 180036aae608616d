import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { hasBubblewrap } from "../../support/bubblewrap.ts";
import { removeFolder } from "../../support/temporary-folder.ts";
import { GUARDING, openDeletable } from "./deletable-scratch.ts";
import { readLines } from "./fixtures/read-lines.ts";
import { bash, openGuards } from "./guarded-project.ts";

const scratch = openDeletable();
afterAll(() => scratch.remove());

const open = (session: string, agent = "claude-code") =>
  openGuards({
    ...scratch,
    stateDir: join(scratch.base, "../state"),
    hooks: GUARDING,
    session,
    agent,
  });

it("what lies beside the folder that a link leads to is asked about", async () => {
  const link = join(scratch.root, "src/away");
  symlinkSync("../draft", link);
  onTestFinished(() => unlinkSync(link));
  const decide = await open("beside");
  for (const line of [
    "rm src/away/../notes.txt",
    "cd src/away && rm ../notes.txt",
    "rm src/away/../*.db",
  ])
    expect([line, (await decide(bash(line))).answer]).toEqual([line, "ask"]);
});

it("a submodule that is checked out is asked about, whatever git says of it", async () => {
  const list = join(scratch.root, ".gitmodules");
  writeFileSync(list, '[submodule "x"]\n\tpath = docs\n\turl = ../x\n');
  writeFileSync(join(scratch.root, "docs/.git"), "gitdir: ../.git/modules/x\n");
  onTestFinished(() => scratch.reset());
  const decide = await open("submodule");
  for (const [line, answer] of [
    ["rm -rf docs", "ask"],
    ["rm -rf d*", "ask"],
    ["rm src/a.ts", "pass"],
  ])
    expect([line, (await decide(bash(line ?? ""))).answer]).toEqual([line, answer]);
});

describe("a root, a home and the project itself", () => {
  it.each([
    ...[
      "rm -rf /",
      "rm -rf /*",
      "rm -rf ~",
      "rm -Rf ~/",
      "rm -rf .",
      "rm -rf *",
      "rm -rf ..",
      "rm -rf .git",
    ],
    ...[
      "find . -delete",
      "cd / && rm -rf usr",
      'rm -rf "$HOME"',
      "sudo rm -rf /etc",
      "rm -rf /home/someone",
    ],
    ...["find . -delete -empty", "find . -name '*.pyc' -o -delete", "find ~ -newer x -delete"],
    ...["find . -name .git -prune -exec rm -rf {} +", "find . -name HEAD -delete"],
    ...["find . -type f -name 'm*' -delete", "rm -rf **/.git"],
    ...["mkfs.ext4 /dev/sda1", "cat build.img > /dev/sda", "cp build.img /dev/nvme0n1"],
    ...["python3 -c \"import os, shutil; os.chdir('..'); shutil.rmtree('project')\""],
    ...["find . ! \\( -name a -o -name b \\) -delete", "d=$(mktemp -d); rm -rf $d/.."],
  ])("are never deleted: %s", async (line) => {
    expect((await (await open("roots"))(bash(line))).answer).toBe("deny");
  });
});

it.skipIf(!existsSync("/dev/shm"))("a project in shared memory is one like any other", async () => {
  const base = mkdtempSync("/dev/shm/adjutant-");
  onTestFinished(() => removeFolder(base));
  const [root, home] = [join(base, "project"), join(base, "home")];
  mkdirSync(join(root, ".git"), { recursive: true });
  mkdirSync(home);
  const ask = await openGuards({ root, home, stateDir: join(base, "state"), hooks: GUARDING });
  for (const line of ["rm -rf .", "rm -rf ~", "rm -rf .git", "rm -rf /dev/sda"])
    expect([line, (await ask(bash(line))).answer]).toEqual([line, "deny"]);
  expect((await ask(bash("rm -rf /dev/shm/none-of-ours; echo a >/dev/null"))).answer).toBe("pass");
});

describe("what cannot be had again", () => {
  it.each([
    ...[
      "rm notes.txt",
      "rm -rf draft",
      "rm src/mod.ts",
      "rm local.db",
      "rm -rf ~/docs",
      "find . -name '*.txt' -delete",
    ],
    ...[
      'rm -rf "$DIR"/',
      "ls | xargs rm",
      "python3 -c \"import shutil; shutil.rmtree('draft')\"",
      "truncate -s 0 notes.txt",
    ],
    // Programs that are on few machines, so that the tables cannot run them.
    ...[
      "rsync -a --delete src/ draft/",
      "fd -e txt -x rm",
      "npx rimraf@5 draft",
      "7z a -sdel a.7z draft",
    ],
    ...["npx del-cli 'draft/**'", 'docker run -v "$PWD:/w" alpine rm -rf /w/draft'],
    // Which files a test of find takes is known only when it runs.
    ...["find . -newer src/a.ts -type f -delete", "rg -l note | xargs rm"],
    ...["sort notes.txt > notes.txt", "cat .env | grep -v x | sort > .env"],
    ...["tr a b < local.db > local.db", "for f in *.txt; do sed s/a/b/ $f > $f; done"],
    ...["tmp=$(mktemp -d); read tmp; rm -rf $tmp", "mktemp() { echo draft; }; rm -rf $(mktemp)"],
    ...["python3 -c \"import os; os.chdir('draft'); os.remove('plan.md')\""],
    ...["node -e \"fs.writeFileSync('notes.txt', '')\"", "sed -i '1,$d' notes.txt"],
    ...["find . -name '*.txt' | tar cf /tmp/x.tar --remove-files -T -"],
    // Another file takes its place.
    ...["mv src/a.ts notes.txt", "cp -f docs/x.md draft/plan.md", "install src/a.ts .env"],
    ...["cp src/a.ts src/mod.ts", "cp docs/x.md src/plan.md draft; mv docs/x.md draft/plan.md"],
    ...["node -e \"fs.renameSync('src/a.ts', 'notes.txt')\""],
    ...["$X -rf draft", "curl -s http://127.0.0.1/x | sh", "rm 'open", "kill 7 2> notes.txt"],
  ])("is asked about: %s", async (line) => {
    expect((await (await open("lost"))(bash(line))).answer).toBe("ask");
  });
  it("is refused where nobody can be asked", async () => {
    expect((await (await open("lost", "codex"))(bash("rm notes.txt"))).answer).toBe("deny");
  });
  it.each([
    ...[
      "rm src/a.ts",
      "rm -rf docs",
      "rm -rf node_modules dist build target",
      "rm -rf /tmp/none-of-ours",
      "rm gone.txt",
    ],
    ...['d=$(mktemp -d) && cd "$d" && ls && cd - && rm -rf "$d"', "f=`mktemp`; sort a > $f; rm $f"],
    ...[`rm -rf \${TMPDIR:-/tmp}/none-of-ours`, "find . -type d -empty -delete"],
    ...["find . \\( -name '*.pyc' -o -name '__pycache__' \\) -exec rm -rf {} +"],
    ...[
      "rsync -a --delete dist/ docs/",
      "rsync -avn --delete src/ draft/",
      "rsync --delete . host:draft",
    ],
    ...["docker run -v $PWD:/app node rm -rf /app/node_modules", "npx rimraf 'dist/**'"],
    ...["kill $PID 2>/dev/null", 'cd "$X" 2>/dev/null && ls', "dd if=notes.txt of=/dev/null"],
    ...["find src -name HEAD -delete", "rm -rf **/logs", "sort src/a.ts > src/a.ts"],
    ...[
      "sort notes.txt > t.txt && mv t.txt notes.txt",
      "grep -q a notes.txt || echo a > notes.txt",
    ],
    ...["mv notes.txt old && mv src/a.ts notes.txt", "cp .env .env.old; cp src/a.ts .env"],
    ...["cp src/a.ts docs/", "cp -n src/a.ts notes.txt", "mv -b src/a.ts notes.txt"],
    ...[
      "cp dist/i.js notes.txt",
      "cp src/a.ts src/b.ts",
      "cp notes.txt notes.bak",
      "mv notes.txt x",
    ],
    ...["python3 -c \"open('notes.txt', 'w').write('x')\"", "sed -i '1d;s/a/d /' notes.txt"],
    ...["touch notes.txt", "chmod +x notes.txt", "mkdir -p draft", "cp src/a.ts dist/ 2>/dev/null"],
    ...[
      "rm -f *.log",
      "find . -name '*.pyc' -delete",
      "git ls-files docs | xargs rm",
      "rm -rf ~/.cache/y",
    ],
  ])("does not mean what git, a build or a temporary folder has: %s", async (line) => {
    expect((await (await open("free"))(bash(line))).answer).toBe("pass");
  });
});

it("what was made in this session may be deleted in it, and in no other", async () => {
  const decide = await open("makes");
  expect((await decide(bash("mkdir -p fresh/deep && echo x > fresh/deep/a"))).answer).toBe("pass");
  const written = {
    tool: "Write",
    args: { file_path: join(scratch.root, "new.txt"), content: "x" },
  };
  expect((await decide(written)).answer).toBe("pass");
  expect((await decide(bash("echo more > notes.txt"))).answer).toBe("pass");
  mkdirSync(join(scratch.root, "fresh/deep"), { recursive: true });
  for (const path of ["fresh/deep/a", "new.txt"]) writeFileSync(join(scratch.root, path), "x");
  for (const line of ["rm -rf fresh", "rm new.txt"]) {
    expect((await decide(bash(line))).answer, line).toBe("pass");
    expect((await (await open("another"))(bash(line))).answer, line).toBe("ask");
  }
  expect((await decide(bash("rm notes.txt"))).answer).toBe("ask");
});

it("a tool that deletes is one of them, whoever brings it", async () => {
  const decide = await open("tools");
  const path = join(scratch.root, "notes.txt");
  expect((await decide({ tool: "mcp__files__delete_file", args: { path } })).answer).toBe("ask");
  expect((await decide({ tool: "mcp__files__read_file", args: { path } })).answer).toBe("pass");
  const patch = "*** Begin Patch\n*** Delete File: notes.txt\n*** End Patch";
  expect(
    (await (await open("tools", "codex"))({ tool: "apply_patch", args: { command: patch } }))
      .answer,
  ).toBe("deny");
});

it.runIf(hasBubblewrap)("a line takes nothing from what the next ones are restored from", () => {
  for (const line of [
    "rm -rf ../../*",
    "find ../.. -type f -delete",
    "rm -rf ../../kept/project",
  ]) {
    scratch.run(line);
    scratch.reset();
    expect(existsSync(join(scratch.root, "draft/plan.md")), line).toBe(true);
    expect(existsSync(join(scratch.root, ".git/HEAD")), line).toBe(true);
  }
});

it.runIf(hasBubblewrap)("no line that passes loses anything", async () => {
  scratch.reset();
  const lost: string[] = [];
  const sample = readLines("rm-lines.txt").filter((_, index) => index % 52 === 0);
  const unseen = new Set(readLines("rm-unseen.txt"));
  for (const [index, line] of sample.entries()) {
    if ((await (await open(`line ${index}`))(bash(line))).answer !== "pass") continue;
    if (scratch.lossesOf(line).length > 0 && !unseen.has(line)) lost.push(line);
    scratch.reset();
  }
  expect(lost).toEqual([]);
});
