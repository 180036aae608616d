import { describe, expect, test } from "vitest";
import { readArgv, readLine } from "../../../../src/core/project/trust/program-line.ts";

/** What is executed, each put in the place of its copy. */
const copy = ({ path, folders }: { path: string; folders: readonly (string | null)[] }): string =>
  `/c/${folders.join("|")}/${path}`.replace("/./", "/").replace("/./", "/");

const argv = (words: string): string => readArgv(words.split(" "), copy).line.join(" ");
const line = (text: string): string => readLine(text, copy).line.replaceAll("'", "");

describe("words of an argv that are executed", () => {
  test.each([
    ["git status", "git status"],
    ["./guard a/b", "/c/guard a/b"],
    ["/usr/bin/env node x.js", "/c//usr/bin/env node /c/x.js"],
    ["node tools/x.js data/y.json", "node /c/tools/x.js data/y.json"],
    ["node --no-warnings x.js", "node --no-warnings /c/x.js"],
    ["node --import ./setup.ts x.ts", "node --import /c/setup.ts /c/x.ts"],
    ["node --import=./setup.ts x.ts", "node --import=/c/setup.ts /c/x.ts"],
    ["node -r ./a.cjs x", "node -r /c/a.cjs /c/x"],
    ["node -e 1+1 x.js", "node -e 1+1 x.js"],
    ["python3 -m http.server", "python3 -m http.server"],
    ["python3 -u x.py", "python3 -u /c/x.py"],
    ["bash -eu x.sh", "bash -eu /c/x.sh"],
    ["deno run -A x.ts", "deno run -A /c/x.ts"],
    ["deno run --preload p.ts -A x.ts", "deno run --preload /c/p.ts -A /c/x.ts"],
    ["bun --preload=./p.ts x.ts", "bun --preload=/c/p.ts /c/x.ts"],
    ["deno run --env-file=.env x.ts", "deno run --env-file=/c/.env /c/x.ts"],
    ["bun --env-file v x.ts", "bun --env-file /c/v /c/x.ts"],
    ["php -S 127.0.0.1:0 router.php", "php -S 127.0.0.1:0 /c/router.php"],
    ["php -R 1 -F x.php", "php -R 1 -F /c/x.php"],
    ["ts-node -P t.json x.ts", "ts-node -P t.json /c/x.ts"],
    ["groovy -cp lib x.groovy", "groovy -cp lib /c/x.groovy"],
    ["ruby -e 1 -r./a", "ruby -e 1 -r/c/a"],
    ["node --unknown-to-us value x.js", "node --unknown-to-us /c/value /c/x.js"],
    ["cat a/b", "cat a/b"],
    ["timeout 60 ./x", "timeout 60 /c/x"],
    ["timeout -k 5 60 sh x", "timeout -k 5 60 sh /c/x"],
    ["env A=1 sh x", "env A=1 sh /c/x"],
    ["nice -n 5 nohup ./x", "nice -n 5 nohup /c/x"],
    ["xargs sh x.sh", "xargs sh /c/x.sh"],
    ["ruby -r./a x.rb", "ruby -r/c/a /c/x.rb"],
    ["awk -f x.awk data", "awk -f /c/x.awk data"],
    ["sed -f x.sed data", "sed -f /c/x.sed data"],
    ["jq -f x.jq data", "jq -f /c/x.jq data"],
    ["perl -Ilib x.pl", "perl -Ilib /c/x.pl"],
  ])("%s runs %s", (given, expected) => {
    expect(argv(given)).toBe(expected);
  });
});

describe("words of a line that are executed", () => {
  test.each([
    ["sh build.sh", "sh /c/build.sh"],
    ["cd d && sh x", "cd d && sh /c/d/x"],
    ["(cd d; sh x); sh x", "(cd d; sh /c/d|./x); sh /c/x"],
    [". ./lib.sh; f", ". /c/lib.sh; f"],
    ["source lib.sh && f", "source /c/lib.sh && f"],
    ["bash -c '. lib.sh; f'", "bash -c . \\/c/lib.sh\\; f"],
    ["x=a.sh; sh $x", "x=a.sh; sh /c/a.sh"],
    ["for f in a b; do sh $f; done", "for f in a b; do sh $f; done"],
    ["sh < x.sh", "sh < /c/x.sh"],
    ['echo "$(sh a.sh)" `sh b.sh`', 'echo "$(sh /c/a.sh)" `sh /c/b.sh`'],
    ["if sh a.sh; then ./b; fi", "if sh /c/a.sh; then /c/b; fi"],
    ["ls a/b | grep x > out/log", "ls a/b | grep x > out/log"],
    ["find . -exec sh x.sh {} +", "find . -exec sh /c/x.sh {} +"],
    ["PAGER=cat sh x.sh", "PAGER=cat sh /c/x.sh"],
    ['"./a b.sh" x', "/c/a b.sh x"],
  ])("%s runs %s", (given, expected) => {
    expect(line(given)).toBe(expected);
  });
});

describe("what a line runs that nothing can hold still", () => {
  const what = (text: string): string[] =>
    readLine(text, () => null)
      .uncovered.filter(({ run }) => run.isOfProject)
      .map(({ run }) => run.what);

  test.each([
    ["make check", "what `make check` runs of the project"],
    ["npm run x", "what `npm run x` runs of the project"],
    ["timeout 9 make", "what `make` runs of the project"],
    ["python3 -m pkg", "what `python3 -m pkg` finds by name"],
    ["python3 -c 'import json'", "what the code in `python3 -c import json` loads"],
    ["$X a", "`$X`, which is known only when it runs"],
    ['sh "$1"', "`sh $1`, which is known only when it runs"],
    ["NODE_OPTIONS=--import=./x node y", "what `NODE_OPTIONS=--import=./x` makes programs load"],
    ["if x", expect.stringMatching(/^a line that cannot be read: /)],
  ])("%s: %s", (given, expected) => {
    expect(what(given)).toEqual([expected]);
  });

  test.each(["git status | grep x", "echo a && cat b", "python3 -I -c 'import json'", "sh x.sh"])(
    "%s holds nothing of the kind",
    (given) => expect(what(given)).toEqual([]),
  );
});
