import { describe, expect, it } from "vitest";
import { analyzeLine } from "../../../src/core/shell/analyze-line.ts";

const lastOf = (line: string) => analyzeLine(line).commands.at(-1);

describe("values that the line gives are put in", () => {
  it.each<[string, string]>([
    ["f=.env; cat $f", "cat .env"],
    ["x=push; git $x", "git push"],
    ['export F=a; cat "\u0024{F}b"', "cat ab"],
    ["x='push -f'; git $x", "git push -f"],
    ["x=; $x git push", "git push"],
    ["a=x b=$a; cat $a", "cat x"],
    ["f=a && cat $f", "cat a"],
    ["if true; then f=a; else f=a; fi; cat $f", "cat a"],
    ["(f=b); f=a; (cat $f)", "cat a"],
    ["f=a; echo $(cat $f)", "cat a"],
    ["f=a; { cat $f; }", "cat a"],
    ["f=a; while true; do cat $f; done", "cat a"],
  ])("%j", (line, text) => {
    expect(lastOf(line)).toMatchObject({ text });
    expect(lastOf(line)?.words.every(({ kind }) => kind === "literal")).toBe(true);
  });

  it.each([
    "f=a; read f; cat $f",
    "f=$(ls); cat $f",
    "f=a; eval x; cat $f",
    "f=a; . ./x; cat $f",
    "f=a; printf -v f b; cat $f",
    "f=a; true && f=b; cat $f",
    "f=a; if true; then f=b; fi; cat $f",
    "f=a; while true; do f=b; done; cat $f",
    "f=a; while true; do cat $f; f=b; done; cat $f",
    "f=a; g() { f=b; }; g; cat $f",
    "f=a; (( f = 2 )); cat $f",
    "f=a; echo $(( f = 2 )); cat $f",
    "f=a; f+=b; cat $f",
    "f=a cat $f",
    "f=a; declare -n f=g; cat $f",
    "f=a; unset f; cat $f",
    "f=a; case x in x) f=b;; esac; cat $f",
    "f=a; for f in $(ls); do :; done; cat $f",
    "IFS=x; f=axb; cat $f",
    "f=a | true; (f=a); cat $f",
    "f=a; $x; cat $f",
    "cat \u0024{f:-a}",
    "HOME=/x; cat $HOME/$f",
  ])("%j leaves it open", (line) => {
    expect(lastOf(line)?.words.at(-1)?.kind).toBe("open");
  });

  it("a loop over known values is seen once for each", () => {
    const texts = analyzeLine("for f in a {b,c}; do cat $f; done").commands.map(({ text }) => text);
    expect(texts).toEqual(["cat a", "cat b", "cat c"]);
  });

  it("a rule may still name the line as it was typed", () => {
    expect(lastOf("f=a; cat $f")).toMatchObject({ text: "cat a", typed: "cat $f" });
  });
});

describe("the folder a command runs in", () => {
  it.each<[string, (string | null)[]]>([
    ["pwd", ["."]],
    ["cd a && pwd", ["a"]],
    ["cd a; pwd", ["a", "."]],
    ["cd a || exit 1; pwd", ["a"]],
    ["cd a || return; pwd", ["a", "."]],
    ["cd a && cd ../b && pwd", ["b"]],
    ["cd a/b/.. && pwd", ["a"]],
    ["cd /x && pwd", ["/x"]],
    ["cd && pwd", ["~"]],
    ["cd ~/a/.. && pwd", ["~"]],
    ["cd ~/../x && pwd", ["~/../x"]],
    ["(cd a && ls); pwd", ["."]],
    ["cd a | pwd", ["."]],
    ["cd a & pwd", ["."]],
    ["cd - && pwd", [null]],
    ["cd $x && pwd", [null]],
    ["d=a; cd $d && pwd", ["a"]],
    ["pushd a && pwd", ["a"]],
    ["popd && pwd", [null]],
    ["command cd a && pwd", ["a"]],
    ["sh -c 'cd a && pwd'", ["a"]],
    ["cd a && sh -c 'pwd'", ["a"]],
    ["f() { pwd; }", ["."]],
    ["while true; do cd ..; pwd; done", [null]],
    ["eval 'cd a'; pwd", [null]],
    ["CDPATH=/; cd a && pwd", [null]],
    ["cd a; cd b; cd c; cd d; pwd", [null]],
    ["! cd a && pwd", ["."]],
    ["x=1; exec 2>&1; cd a && pwd", ["a"]],
    ["cd a && exec 2>&1; pwd", ["a", "."]],
    ["if cd a; then pwd; fi", ["a"]],
    ["find . -execdir pwd \\;", [null]],
    ["env -C a pwd", ["a"]],
  ])("%j", (line, folders) => {
    expect(lastOf(line)?.folders).toEqual(folders);
  });
});
