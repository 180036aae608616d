// Ways to write a forced push so that a guard may not see it.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AGENT_PROGRAMS } from "../../../src/agents/roster.ts";
import { classifyStep } from "../../../src/core/shell/safety.ts";
import type { Verdict } from "../../../src/core/step/verdict.ts";
import { shellSubject } from "../../core/shell/subjects.ts";
import { decideBy, placeIn } from "./place.ts";

const ask = (line: string): Promise<Verdict> =>
  decideBy("git", { subject: shellSubject(line, { root: "/" }), place: placeIn("/nowhere") });

async function isStopped(line: string): Promise<boolean> {
  const { control, permission } = await ask(line);
  return (
    control === "veto" ||
    permission === "ask" ||
    classifyStep(shellSubject(line), AGENT_PROGRAMS) === "destructive"
  );
}

const EVASIONS = [
  `git pu''sh --fo"rce"`,
  "g\\it push -f",
  "\\git push -f",
  "$'git' $'pu\\x73h' -f",
  "$'\\147it' push -f",
  '$"git" push -f',
  "bash -c 'git push -f'",
  "sh -c \"bash -c 'git push -f'\"",
  "$(echo git) push -f",
  "`echo git` push -f",
  "$(printf 'git push -f')",
  "x=git; $x push -f",
  "git $(echo push) -f",
  "git push $(echo -f)",
  "F=-f; git push $F",
  "git push \u0024{x:--f}",
  "git push {-f,origin}",
  "{git,push,-f}",
  "ls\ngit push -f",
  "ls\r\ngit push -f",
  "ls;git push -f",
  "ls&git push -f",
  "ls||git push -f",
  "(git push -f)",
  "{ git push -f; }",
  "! git push -f",
  "time git push -f",
  "env git push -f",
  "env -i PATH=$PATH git push -f",
  "env -S'git push -f'",
  "A=1 B=2 git push -f",
  "sudo -E -u me git push -f",
  "nohup nice -n 3 timeout -k 2 9 stdbuf -o0 setsid git push -f",
  "command -p git push -f",
  "exec git push -f",
  "builtin command git push -f",
  "echo -f | xargs git push",
  "echo git push -f | xargs -I{} sh -c '{}'",
  "echo push -f | xargs git",
  "echo 'git push -f' | sh",
  "bash <<E\ngit push -f\nE",
  "bash <<'E'\ngit push -f\nE",
  "bash <<-E\n\tgit push -f\n\tE",
  "bash <<< 'git push -f'",
  "cat <<E | bash\ngit push -f\nE",
  "source /dev/stdin <<E\ngit push -f\nE",
  ". <(echo git push -f)",
  "bash <(echo git push -f)",
  "eval 'git push -f'",
  'eval git push "-f"',
  'eval "$(echo Z2l0IHB1c2ggLWY= | base64 -d)"',
  "echo Z2l0IHB1c2ggLWY= | base64 -d | sh",
  "alias g=git; g push -f",
  "alias g='git push -f'\ng",
  "f() { git push -f; }; f",
  'f() { git "$@"; }; f push -f',
  'f() { "$@"; }; f git push -f',
  "git() { command git push -f; }; git",
  "cd x; git -C y push -f",
  "git -C /x --git-dir=/y -c a.b=c push -f",
  "git --git-dir /y --work-tree /z push -f",
  "git --no-pager push -f",
  "git -c alias.p='push -f' p",
  "git -c alias.p='!git push -f' p",
  "git --config-env=alias.p=X p",
  "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.p GIT_CONFIG_VALUE_0='push -f' git p",
  "git push origin +main",
  "git push origin +HEAD:main",
  "git push origin '+refs/heads/*:refs/heads/*'",
  "git push origin :main",
  "git push --delete origin main",
  "git push -uf origin main",
  "git push origin main --force",
  "git push --mirror",
  "git push --forc",
  "git -c push.default=current -c remote.origin.push=+main push",
  "/usr/bin/git push -f",
  "/usr/bin/../bin/git push -f",
  "~/bin/git push -f",
  "GIT push -f",
  "if true; then git push -f; fi",
  "for i in 1; do git push -f; done",
  "while :; do git push -f; break; done",
  "case x in x) git push -f;; esac",
  "coproc git push -f",
  "[[ $(git push -f) ]]",
  "(( $(git push -f) ))",
  "echo $(( $(git push -f) ))",
  'echo "\u0024{x:=$(git push -f)}"',
  "a[$(git push -f)]=1",
  "echo > $(git push -f)",
  "diff <(git push -f) /dev/null",
  "cat <<E\n$(git push -f)\nE",
  "trap 'git push -f' EXIT",
  "find . -maxdepth 0 -exec git push -f \\;",
  "find . -exec sh -c 'git push -f' \\;",
  "git rebase -x 'git push -f' HEAD~1",
  "git bisect run git push -f",
  "git submodule foreach git push -f",
  "PAGER='git push -f' git log",
  "GIT_EDITOR='git push -f' git commit",
  "npx git push -f",
  "ssh localhost git push -f",
  "su -c 'git push -f'",
  "script -c 'git push -f' /dev/null",
  "watch -n1 git push -f",
  "flock /x git push -f",
  "flock /x -c 'git push -f'",
  "parallel git push ::: -f",
  "busybox sh -c 'git push -f'",
  "=git push -f",
  "noglob git push -f",
  "git pu\\\nsh -f",
  "git push -f # git push",
  "echo 'ok' # \ngit push -f",
  "g\u0024{x}it push -f",
  "g?t push -f",
  "[g]it push -f",
  "env git push -f -S x",
  "flock /x git push -f -c x",
  "npx git push -f -c x",
  "echo 'git push -f' | sudo -s",
  "echo 'git push -f' | at now",
  "at now <<E\ngit push -f\nE",
  "fd . -x git push -f",
  "git push -f -onotify",
  "git push --force -o -n",
  "git clean -f -enode_modules",
  "git clean -f -e -n",
  "git restore -sSome file",
  "bash -x <(echo git push -f)",
  "git push -f >/dev/null 2>&1 &",
  ">/dev/null git push -f",
  "2>&1 A=1 git push -f",
  'echo "`git push -f`"',
  "echo `echo \\`git push -f\\``",
];

describe("a forced push is stopped or destructive, however it is written", () => {
  it.each(EVASIONS)("%j", async (line) => {
    expect(await isStopped(line)).toBe(true);
  });
});

/** Any quoting of a word that leaves the word what it is. */
const quoted = (word: string): fc.Arbitrary<string> =>
  fc
    .array(
      fc.constantFrom("plain", "single", "double", "backslash", "ansi", "empty", "continued"),
      {
        minLength: word.length,
        maxLength: word.length,
      },
    )
    .map((styles) => styles.map((style, index) => writeAs(style, word[index] ?? "")).join(""));

function writeAs(style: string, letter: string): string {
  if (style === "single") return `'${letter}'`;
  if (style === "double") return `"${letter}"`;
  if (style === "backslash") return `\\${letter}`;
  if (style === "ansi") return `$'\\x${letter.charCodeAt(0).toString(16)}'`;
  if (style === "empty") return `''${letter}""`;
  return style === "continued" ? `${letter}\\\n` : letter;
}

type Wrap = (line: string) => string;

const PREFIXES: readonly Wrap[] = [
  (line) => `env A=1 ${line}`,
  (line) => `timeout -k 1 5 ${line}`,
  (line) => `sudo -u x ${line}`,
  (line) => `nice command ${line}`,
];
const SURROUNDINGS: readonly Wrap[] = [
  (line) => `cd x && ${line}`,
  (line) => `echo $(${line}\n)`,
  (line) => `{ ${line}\n}`,
  (line) => `(${line}\n) | cat`,
  (line) => `if true; then\n${line}\nfi`,
  (line) => `bash <<'E${line.length}'\n${line}\nE${line.length}\n`,
  (line) => `sh -c '${line.replaceAll("'", "'\\''")}'`,
  (line) => `eval '${line.replaceAll("'", "'\\''")}'`,
];
const someOf = (wraps: readonly Wrap[]): fc.Arbitrary<Wrap[]> =>
  fc.array(fc.constantFrom(...wraps), { maxLength: 3 });

const line = fc
  .tuple(quoted("git"), quoted("push"), quoted("--force"), someOf(PREFIXES), someOf(SURROUNDINGS))
  .map(([git, push, force, prefixes, surroundings]) =>
    [...prefixes, ...surroundings].reduce(
      (inner, wrap) => wrap(inner),
      `${git} ${push} origin ${force}`,
    ),
  );

it("any quoting and any nesting of wrappers is seen through", async () => {
  await fc.assert(
    fc.asyncProperty(line, async (each) => {
      expect((await ask(each)).control).toBe("veto");
    }),
    { numRuns: 1_000, seed: 3 },
  );
});

it.each([
  ...["git push", "git push origin main", "git push --force-with-lease --dry-run", "git status"],
  ...["echo 'git push -f'", "grep -r 'push --force' .", "git log --grep='reset --hard'"],
  ...[
    "git commit -m 'never git push -f'",
    "git checkout main",
    "git push --follow-tags",
    "ls $HOME",
  ],
  ...[
    "git push -u origin feature",
    "git branch --format='%(refname)'",
    "git add *.ts",
    "git diff $X",
  ],
])("what is none is let pass: %j", async (each) => {
  expect(await ask(each)).toEqual({});
});
