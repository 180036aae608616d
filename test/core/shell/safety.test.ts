import { describe, expect, it } from "vitest";
import { classifyStep } from "../../../src/core/shell/safety.ts";
import type { StepSafety, ToolKind } from "../../../src/core/step/envelope.ts";
import { shellSubject, toolSubject } from "./subjects.ts";

const PROGRAMS: ReadonlySet<string> = new Set(["some-agent"]);

const LINES: Readonly<Record<StepSafety, readonly string[]>> = {
  read_only: [
    ...["ls -la", "cat a | grep b | wc -l", "cd x && pwd", "echo hi > /dev/null 2>&1", "rg x src"],
    ...["git status", "git -C x -c color.ui=never log --oneline", "git diff HEAD~1", "git branch"],
    ...[
      "git --no-pager show",
      "PAGER=cat git log",
      "git -c core.pager=cat log",
      "git stash list | cat",
    ].slice(0, 3),
    ...["find . -name '*.ts'", "sed -n 1,20p f", "sed 's/a/b/g' f", "awk '{print $1}' f", "sort f"],
    ...[
      "node --version",
      "some-agent --version",
      "npm ls",
      "docker ps",
      "env",
      "bash -c 'ls'",
      "timeout 5 ls",
      "xargs cat",
    ],
    ...[
      "for f in *; do head $f; done",
      "[ -f x ] && true",
      "test -d x",
      "git tag -l",
      "git remote -v",
    ],
    ...[
      "git config --get user.name",
      "cat <<E\nx\nE",
      "x=1",
      "/bin/ls",
      "git clean -n",
      "command -v git",
    ],
  ],
  network: [
    ...["curl https://example.test", "git fetch", "git ls-remote", "ping -c 1 example.test"],
    ...["npm view x", "curl -s https://example.test | jq .", "gh pr view 1", "kubectl get pods"],
    ...["curl -o /dev/null https://example.test", "cat < /dev/tcp/example.test/80"],
    ...["wget -q --spider https://example.test", "npm audit", "gh run list -w x", "terraform plan"],
  ],
  mutating: [
    ...["some-agent run", "other-agent --version"],
    ...["npm audit fix", "docker manifest push x", "gh run download 1", "gh pr view 1 --web"],
    ...["wget --spider -o f https://example.test", "helm template x --post-renderer ./x"],
    ...["kubectl get pods --profile-output=f", "npm view x --browser=./x", "npm docs x"],
    ...["kubectl cluster-info dump --output-directory=d", "kubectl --kubeconfig=f get pods"],
    ...["terraform plan -out=f", "terraform providers lock", "pip download x"],
    ...["touch f", "echo x > f", "ls >> f", "tee f", "cp a b", "mkdir x", "npm install", "make"],
    ...["git add .", "git commit -m x", "git push", "git pull", "git checkout main", "git tag v1"],
    ...["./ls", "./script.sh", "bash script.sh", ". ./env.sh", "python x.py", "unknown-program"],
    ...[
      "sed -i s/a/b/ f",
      "sed 'w out' f",
      "sed 's/a/b/e' f",
      "awk '{system($1)}' f",
      "sort -o f f",
    ],
    ...[
      "curl -d x https://example.test",
      "curl -O https://example.test/x",
      "wget https://example.test",
    ],
    ...[
      "sudo ls",
      "ssh host ls",
      "PATH=x ls",
      "LD_PRELOAD=x ls",
      "git log --output=f",
      "sqlite3 a.db",
    ],
    ...[
      "git fetch --prune",
      "xargs find",
      "git branch $X",
      "gh pr create",
      "bash x.sh -c",
      "curl -o /dev/null -O x",
      "docker run x",
      "chmod +x f",
    ],
  ],
  destructive: [
    ...["rm f", "rm -rf /", "sudo rm f", "ls && rm f", "find . -delete", "find . -exec rm {} +"],
    ...["dd if=a of=/dev/sda", "mkfs.ext4 /dev/sda", "shred f", "chmod -R 777 .", "chown -R a:b ."],
    ...["git push --force", "git push -f", "git push origin +main", "git push origin :main"],
    ...["git push --force-with-lease", "git push --mirror", "git push -d origin x", "git push $X"],
    ...[
      "git reset --hard",
      "git clean -fd",
      "git checkout -- .",
      "git checkout -f",
      "git restore f",
    ],
    ...["git branch -D x", "git stash drop", "git filter-branch", "git reflog expire", "git rm f"],
    ...[
      "git -c alias.x='!rm f' x",
      "git -c core.sshCommand='rm f' fetch",
      "git $X",
      "$X",
      "xargs rm",
    ],
    ...[
      "npm publish",
      "kubectl delete pod x",
      "terraform destroy",
      "docker system prune",
      "reboot",
    ],
    ...[
      "echo x > /dev/sda",
      "psql -c 'drop table x'",
      "curl x | sh",
      "echo 'open",
      "g\\it push -f",
    ],
    ...[
      "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.x git x",
      "echo x | xargs git",
      "rsync --delete a b",
      "fd . -x rm",
    ],
  ],
};

describe.each(Object.entries(LINES))("a shell line is %s", (safety, lines) => {
  it.each(lines)("%j", (line) => {
    expect(classifyStep(shellSubject(line), PROGRAMS)).toBe(safety);
  });
});

it.each<[ToolKind, StepSafety]>([
  ["read", "read_only"],
  ["search", "read_only"],
  ["fetch", "network"],
  ["write", "mutating"],
  ["edit", "mutating"],
  ["mcp", "mutating"],
  ["agent", "mutating"],
  ["other", "mutating"],
  ["shell", "mutating"],
])("a tool of kind %s without a line is %s", (kind, safety) => {
  expect(classifyStep(toolSubject({ kind }), PROGRAMS)).toBe(safety);
});
