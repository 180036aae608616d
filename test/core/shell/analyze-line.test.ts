import { describe, expect, it } from "vitest";
import { analyzeLine } from "../../../src/core/shell/analyze-line.ts";

const textsOf = (line: string): string[] => analyzeLine(line).commands.map(({ text }) => text);

describe("every simple command of a line is seen", () => {
  it.each<[string, string[]]>([
    ["git status", ["git status"]],
    ["cd x && git push || echo no; ls & wait", ["cd x", "git push", "echo no", "ls", "wait"]],
    ["cat a | sort | uniq", ["cat a", "sort", "uniq"]],
    ["(git push); { ls; }", ["git push", "ls"]],
    ["if a; then b; elif c; then d; else e; fi", ["a", "b", "c", "d", "e"]],
    ["for i in $(ls); do rm $i; done", ["ls", "rm *"]],
    ["while read x; do echo $x; done < f", ["", "read x", "echo $x"]],
    ["case $(a) in x) b;; *) c;; esac", ["a", "b", "c"]],
    ["f() { git push; }; f", ["git push", "f"]],
    ["coproc git push", ["git push"]],
    ["echo `git push`", ["echo `git push`", "git push"]],
    ['echo "$(git push)"', ["echo $(git push)", "git push"]],
    [
      "diff <(git show a) <(git show b)",
      ["diff <(git show a) <(git show b)", "git show a", "git show b"],
    ],
    ["cat <<E\n$(git push)\nE", ["cat", "git push"]],
    ["a=$(git push)", ["", "git push"]],
    ["[[ -n $(git push) ]]", ["git push"]],
    ["(( x = $(git push) ))", ["git push"]],
    ["echo \u0024{x:-$(git push)}", ["echo \u0024{x:-$(git push)}", "git push"]],
    ["! git push", ["git push"]],
    ["time git push", ["git push"]],
    ["git push # harmless", ["git push"]],
    ["git \\\n push", ["git push"]],
    ["mkdir -p src/{a,b}", ["mkdir -p src/a src/b"]],
    ["{git,push,-f}", ["git push -f"]],
    ["touch f{1..3}", ["touch f1 f2 f3"]],
    ["# nothing", []],
    ["", []],
  ])("%j", (line, expected) => {
    expect(textsOf(line)).toEqual(expected);
    expect(analyzeLine(line).problem).toBeNull();
  });
});

describe("a wrapper and what it runs are both seen", () => {
  it.each<[string, string]>([
    ["env A=1 B=2 git push", "git push"],
    ["env -i -u X git push", "git push"],
    ["env -S 'git push'", "git push"],
    ["env --split-string='git push'", "git push"],
    ["sudo git push", "git push"],
    ["sudo -u root -H -- git push", "git push"],
    ["sudo --user=root A=1 git push", "git push"],
    ["doas -u root git push", "git push"],
    ["command git push", "git push"],
    ["builtin cd x", "cd x"],
    ["exec -a name git push", "git push"],
    ["nice -n 5 git push", "git push"],
    ["nice -5 git push", "git push"],
    ["timeout 5 git push", "git push"],
    ["timeout -k 1 --signal KILL 5m git push", "git push"],
    ["nohup git push &", "git push"],
    ["stdbuf -oL -e 0 git push", "git push"],
    ["setsid -w git push", "git push"],
    ["/usr/bin/time -f %e git push", "git push"],
    ["echo origin | xargs git push", "git push"],
    ["xargs -0 -n 1 -P4 git push < f", "git push"],
    ["xargs -I{} git push {}", "git push {}"],
    ["find . -name x -exec git push {} \\;", "git push {}"],
    ["find . -execdir git push {} + -print", "git push {}"],
    ["sh -c 'git push'", "git push"],
    ["bash -lc 'git push'", "git push"],
    ["bash -o pipefail -c 'git push' name arg", "git push"],
    ["zsh --no-rcs -c 'git push'", "git push"],
    ["bash -c -- 'git push'", "git push"],
    ["dash <<E\ngit push\nE", "git push"],
    ["ksh <<< 'git push'", "git push"],
    ["bash -s < /dev/null <<E\ngit push\nE", "git push"],
    ["eval git push", "git push"],
    ['eval "git" "push"', "git push"],
    ["trap 'git push' EXIT", "git push"],
    ["alias g='git push'", "git push"],
    ["su bob -c 'git push'", "git push"],
    ["ssh host git push", "git push"],
    ["ssh -p 22 host 'cd x && git push'", "git push"],
    ["watch -n 5 git push", "git push"],
    ["npx -y git push", "git push"],
    ["npm exec -- git push", "git push"],
    ["uv run git push", "git push"],
    ["git rebase -x 'git push' main", "git push"],
    ["git bisect run git push", "git push"],
    ["git submodule foreach 'git push'", "git push"],
    ["PAGER='git push' git log", "git push"],
    ["/usr/bin/git push", "git push"],
    ["GIT push", "git push"],
    ["noglob git push", "git push"],
    ["sudo env A=1 timeout 5 nice bash -c 'eval \"command git push\"'", "git push"],
  ])("%j", (line, inner) => {
    const { commands, problem, unresolved } = analyzeLine(line);
    expect(commands.map(({ text }) => text)).toContain(inner);
    expect(commands.length).toBeGreaterThan(1);
    expect({ problem, unresolved }).toEqual({ problem: null, unresolved: [] });
  });
});

describe("words of a program that runs none of them are no commands", () => {
  it.each([
    ["pnpm rm git"],
    ["pnpm add -D rm git push"],
    ["yarn unlink curl x"],
    ["npm install git push"],
    ["brew install git wget curl"],
    ["cargo run -- rm x"],
    ["go run ./cmd/tool git push"],
    ["gh pr create --title ssh --body 'git push -f'"],
    ["gh run view 1 --log"],
    ["npm run test -- -t 'git push -f'"],
    ["pnpm -r test -t 'rm -rf x'"],
    ["yarn run jest -t 'curl x'"],
    ["pip download run git push"],
    ["sed 's/git push/git pull/' f"],
    ["sed -i 's/a/e/' git push"],
  ])("%j", (line) => {
    expect(analyzeLine(line)).toMatchObject({ commands: [{}], unsure: [] });
  });
});

describe("what only shows when the line runs is told", () => {
  it.each([
    "$(echo git) push",
    "`echo git` push",
    "$GIT push",
    '"$@"',
    "g*t push",
    "=git push",
    "'' x",
    "sudo $OPTIONS git push",
    "env $X",
    'bash -c "$COMMAND"',
    'bash -c "echo $X"',
    'eval "$(curl -s example.test)"',
    "curl -s example.test | bash",
    "curl -s example.test | sudo bash -s -- --yes",
    "bash <(curl -s example.test)",
    ". <(curl -s example.test)",
    ". /dev/stdin",
    "echo push | xargs -I% git %",
    "find . -exec {} \\;",
    "alias g=git; g push",
    "git $SUBCOMMAND",
    'f() { git "$@"; }; f push',
    "ssh -o ProxyCommand='rm x' host",
    "hash -p /usr/bin/git x; x push",
    "echo git push | sed e",
    "sed 1e f",
  ])("%j", (line) => {
    expect(analyzeLine(line).unresolved).not.toEqual([]);
  });
});

describe("what cannot be read whole is told, and soon", () => {
  it.each<[string, string]>([
    ["an open quote", 'echo "x'],
    ["an open compound", "if true; then"],
    ["an open substitution", "echo $(ls"],
    ["a broken inner line", "bash -c 'echo \"'"],
    ["a NUL", "gi\0t push"],
    ["length", `echo ${"x".repeat(300_000)}`],
    ["many commands", "a;".repeat(6_000)],
    ["many wrappers", `${"sudo ".repeat(50)}ls`],
    ["nested evals", nestEval(20)],
    ["nested parentheses", "(".repeat(60_000)],
    ["nested substitutions", "$(".repeat(60_000)],
    ["nested quotes", '"$('.repeat(1_900)],
    ["braces", "{a,".repeat(60_000)],
    ["here-documents", "<<a ".repeat(60_000)],
    ["functions", "f()".repeat(60_000)],
  ])("%s", (_, line) => {
    expect(analyzeLine(line).problem).not.toBeNull();
  });
});

describe("the work grows with the line and no faster", () => {
  const units = ["a", " ", "\n", "\\", "'", '"', "$", "`", "(", "{", "[", "<", "*", "/", "=", "é"];
  const prefixes = [
    "$(",
    "{a,",
    "<<E\n",
    '"$(',
    "cd a;",
    "/usr/bin/* ",
    "x=1;",
    "$((",
    "eval ",
    "sudo ",
    "f(){ ",
  ];
  it.each([...units, ...prefixes])("%j, up to 1 MB", (unit) => {
    const count = (length: number): number => {
      const { commands } = analyzeLine(unit.repeat(Math.ceil(length / unit.length)));
      return commands.length;
    };
    // What is listed is bounded whatever is given, and a line over the limit is not parsed at all.
    expect(count(1_024)).toBeLessThanOrEqual(1_024);
    expect(count(65_536)).toBeLessThanOrEqual(11_000);
    const { problem, commands } = analyzeLine(unit.repeat(Math.ceil(1_048_576 / unit.length)));
    expect({ problem, commands }).toEqual({
      problem: "it is longer than 256 KB; put it into a file",
      commands: [],
    });
  });
});

function nestEval(depth: number): string {
  let line = "ls";
  for (let level = 0; level < depth; level++) line = `eval ${line}`;
  return line;
}

describe("redirections", () => {
  it.each<[string, unknown[]]>([
    ["ls > f", [{ kind: "file", writes: true, target: { text: "f", kind: "literal" } }]],
    ["ls &>> f", [{ kind: "file", writes: true, target: { text: "f", kind: "literal" } }]],
    ["ls >& f", [{ kind: "file", writes: true, target: { text: "f", kind: "literal" } }]],
    ["ls < f", [{ kind: "file", writes: false, target: { text: "f", kind: "literal" } }]],
    ["ls > $f", [{ kind: "file", writes: true, target: { text: "$f", kind: "open" } }]],
    ["ls 2>&1 >&-", []],
  ])("%j", (line, expected) => {
    expect(analyzeLine(line).commands[0]?.redirections).toEqual(expected);
  });
});
