import { describe, expect, it } from "vitest";
import { analyzeLine } from "../../../../src/core/shell/analyze-line.ts";
import { effectsOf } from "../../../../src/core/shell/effects/effects-of.ts";

/** `read a`, with `-r` for a folder's files, `?` where it is only possible, and the folder where it is another. */
const effectsIn = (line: string): string[] =>
  analyzeLine(line)
    .commands.flatMap(effectsOf)
    .map(({ access, word, isRecursive, isPossible, folders }) => {
      const flags = `${isRecursive ? " -r" : ""}${isPossible ? " ?" : ""}`;
      const place =
        folders.join("|") === "." ? "" : ` in ${folders.map((each) => each ?? "?").join("|")}`;
      return `${access}${flags} ${word.text}${place}`;
    });

describe("files a line touches", () => {
  it.each<[string, string[]]>([
    ["cat a b", ["read a", "read b"]],
    ["head -n 5 a", ["read a"]],
    ["f=.env; cat $f", ["read .env"]],
    ['for f in a b; do cat "$f"; done', ["read a", "read b"]],
    ["cd d && cat a", ["read a in d"]],
    ["cd d; cat a", ["read a in d|."]],
    ["grep -rn x src", ["read -r src"]],
    ["grep -r x", ["read -r ."]],
    ["grep -e x a", ["read a"]],
    ["rg x", ["read -r ."]],
    [
      "cp d/package-lock.json .",
      ["read d/package-lock.json", "write .", "write ./package-lock.json"],
    ],
    ["cp -r . /tmp/x", ["read -r .", "write -r /tmp/x", "write -r /tmp/x/."]],
    ["cp -t d a", ["read a", "write d", "write d/a"]],
    ["mv a b", ["read a", "delete a", "write b", "write b/a"]],
    ["ln a b", ["read a", "write a", "write b", "write b/a"]],
    ["rm -rf a", ["delete -r a"]],
    ["echo x > f", ["write f"]],
    ["f=x; echo x > $f", ["write x"]],
    ["cat < f", ["read f"]],
    ["tee -a f", ["write f"]],
    ["curl -s file://localhost/etc/.env", ["read /etc/.env"]],
    ["curl -s file://localhost$PWD/.env", ["read $PWD/.env"]],
    ["sed -i s/a/b/ f", ["read f", "write f"]],
    ["sed -n 1p f", ["read f"]],
    ["sed -e 'w out' f", ["read f", "write ? out", "read ? out"]],
    // A script too long to be read may write anything.
    [`sed '${"p;".repeat(3_000)}w out' f`, ["read f", "write sed's script"]],
    ["dd if=a of=b", ["read a", "write b"]],
    ["sort -o out in", ["write out", "read in"]],
    ["sort --outp=out in", ["write out", "read in"]],
    ["tar czf a.tgz src", ["write a.tgz", "read -r src"]],
    ["tar -xf a.tar -C d", ["read a.tar", "write -r ? d"]],
    ["curl -o f https://example.test/x", ["write f"]],
    ["curl -O https://example.test/x?y", ["write x"]],
    ["curl -d @f https://example.test", ["read f"]],
    ["find src -name '*.ts' -delete", ["list -r src", "delete -r src"]],
    ["find src -exec cat {} +", ["list -r src", "read -r src"]],
    ["git show :.env", ["read -r .env"]],
    ["git show HEAD:a/b", ["read -r a/b"]],
    ["git apply p", ["read p", "write {}"]],
    ["ls a", ["list a"]],
    ["./x.sh a", ["execute ./x.sh", "read -r ? a", "write -r ? a", "read -r ? a", "write -r ? a"]],
    ["bash x.sh", ["execute x.sh", "read x.sh"]],
    ["python3 x.py", ["execute x.py"]],
    ["unknown --file=a b", ["read -r ? b", "write -r ? b", "read -r ? a", "write -r ? a"]],
    ["ls | xargs cat", ["read {}"]],
    ["git ls-files src | xargs cat", ["read -r src"]],
    ["find src -name '*.ts' | sort | xargs rm", ["list -r src", "delete -r src"]],
    ["echo a b", []],
    ['cat "$x"', ["read $x"]],
    ["zip -r a.zip .", ["write a.zip", "read -r ."]],
    ["patch -p1 < p", ["write {}", "read p"]],
    ["cat $HOME/.ssh/id", ["read ~/.ssh/id"]],
    ['cat "$PWD/a"', ["read ./a"]],
    ['cat x/"$HOME"', ["read x/$HOME"]],
  ])("%j", (line, expected) => {
    expect(effectsIn(line)).toEqual(expected);
  });
});
