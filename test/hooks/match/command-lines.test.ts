// Ways to write a command that a restricting rule means, each under the glob of that rule.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { matchRule } from "../../../src/hooks/match/match-rule.ts";
import { shellSubject } from "../../core/shell/subjects.ts";

const FILE = join(import.meta.dirname, "fixtures", "command-lines.txt");

/** The lines by glob; `⏎` stands for a line's end inside. */
function readRules(): [glob: string, lines: string[]][] {
  const sections = readFileSync(FILE, "utf8").split(/^#! /m).slice(1);
  return sections.map((section) => {
    const [glob = "", ...lines] = section.trimEnd().split("\n");
    return [glob, lines.map((line) => line.replaceAll("⏎", "\n"))];
  });
}

test.each(readRules())("a rule on `%s` means each of its spellings", (glob, lines) => {
  const missed = lines.filter(
    (line) => !matchRule({ command: [glob] }, shellSubject(line)).matches,
  );
  expect(missed).toEqual([]);
});

test.each([
  ["git push*", "git log --grep push"],
  ["git push*", "git commit -m 'git push later'"],
  ["git push*", "cat > notes.md <<E\ngit push\nE"],
  ["npm publish*", "npm run publish-docs"],
  ["npm publish*", "echo npm publish"],
  ["npm publish*", "grep -rn 'npm publish' docs"],
  ["npm publish*", "npm view x $field"],
  ["npm publish*", "python3 -c \"print('npm test')\""],
  ["rm *", "npm rm x"],
  ["docker run*--privileged*", "docker run --rm img"],
  ["docker run*--privileged*", "docker container ls"],
  ["kubectl delete*", "kubectl get pods -o name"],
  ["kubectl delete*", "brew install kubectl"],
  ["kubectl delete*", "kubectl get $kind"],
  ["terraform apply*", "terraform plan -out apply"],
  ["aws s3 rm*", "aws s3 ls s3://b/rm"],
  ["aws s3 rm*", "aws s3 --profile p ls"],
  ["rm -rf*", "rm -r x"],
  ["rm -rf*", "rm -- -rf"],
  ["git push --force*", "git push origin main"],
  ["git clean -f*", "git clean -n"],
  ["docker rm*", "docker image rm x"],
  ["make deploy", "make -C deploy build"],
  ["npm publish*", "npm pkg get x"],
  ["npm publish*", "pnpm add npm publish"],
  ["gradle *", "./gradlew build"],
  ["docker-compose *", "docker compose up"],
  ["git commit --no-verify*", "git commit -m -n"],
  ["git branch -D*", "git branch -d x"],
  ["git stash drop*", "git stash list"],
])("a rule on `%s` does not mean %s", (glob, line) => {
  expect(matchRule({ command: [glob] }, shellSubject(line)).matches).toBe(false);
});
