import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import { markRepository } from "../../support/temporary-folder.ts";
import { makePlace } from "./body-context.ts";

describe("an import", () => {
  it("is the file between tags with its path, relative to the command's own folder", async () => {
    const place = makePlace({ "commands/a.md": "one\ntwo", "b.md": "three\n" });
    expect(await place.prompt("See @./a.md, @../b.md.")).toBe(
      'See <file path="./a.md">\none\ntwo\n</file>, <file path="../b.md">\nthree\n</file>.',
    );
  });

  it("is named as the agent finds it from where it works", async () => {
    const place = makePlace({ "commands/a.md": "a\n", "b.md": "b\n", "commands/src/c.md": "c\n" });
    const named = async (text: string, agentFolder: string) =>
      Array.from(
        (await place.prompt(text, { agentFolder })).matchAll(/path="([^"]*)"/g),
        ([, path]) => path,
      );
    const all = "@./a.md @../b.md @./src/*.md";
    expect(await named(all, place.project)).toEqual([
      ...["./commands/a.md", "./b.md", "./commands/src/c.md"],
    ]);
    expect(await named(all, join(place.project, "commands/src"))).toEqual([
      ...["../a.md", "../../b.md", "./c.md"],
    ]);
    const absolute = join(place.project, "b.md");
    expect(await named(`@${absolute}`, "/tmp")).toEqual([absolute]);
  });

  it("is reported with its source and size", async () => {
    const place = makePlace({ "commands/a.md": "é" });
    const { imports, tokens } = await place.assemble("@./a.md");
    const where = { file: "review.md", line: 5, column: 1 };
    const source = join(place.project, "commands/a.md");
    expect(imports).toEqual([{ written: "@./a.md", source, bytes: 2, where }]);
    expect(tokens).toBe(8);
  });

  it("may come from the home and the whole file system with permission", async () => {
    const place = makePlace();
    const outside = join(place.folder, "outside.md");
    writeFileSync(outside, "x");
    const asked: string[] = [];
    const importPermission = ({ path }: { path: string }) => asked.push(path) > 0;
    const inserted = (path: string) => `<file path="${path}">\nx\n</file>`;
    expect(await place.prompt("@~/outside.md", { importPermission })).toBe(
      inserted("~/outside.md"),
    );
    expect(await place.prompt(`@${outside}`, { importPermission })).toBe(inserted(outside));
    expect(asked).toEqual([outside, outside]);
    expect(await place.problem("@~/outside.md")).toBe(
      `review.md:5:1: \`@~/outside.md\` is not imported: \`${outside}\` lies outside the project; move the file into the project, or allow imports from outside`,
    );
  });

  it("is judged by where a link leads", async () => {
    const place = makePlace();
    mkdirSync(join(place.folder, "secret"));
    writeFileSync(join(place.folder, "secret/key"), "k");
    symlinkSync(join(place.folder, "secret/key"), join(place.project, "commands/key"));
    symlinkSync(join(place.folder, "secret"), join(place.project, "commands/dir"));
    for (const written of ["@./key", "@./dir/key", "@./dir/*", "@./*", "@./../../secret/key"])
      expect(await place.problem(written)).toContain("secret/key` lies outside the project");
  });

  it("is not let in by a folder whose name begins alike", async () => {
    const place = makePlace();
    mkdirSync(`${place.project}-other`);
    writeFileSync(`${place.project}-other/a`, "x");
    expect(await place.problem("@../../project-other/a")).toContain("lies outside the project");
  });

  it("that is the command's own file is a circle, by any path; a pattern leaves it out", async () => {
    const place = makePlace({ "commands/a.md": "a" });
    symlinkSync("review.md", join(place.project, "commands/link.md"));
    for (const written of ["@./review.md", "@../commands/review.md", "@./link.md"])
      expect(await place.problem(written)).toBe(
        `review.md:5:1: \`${written}\` is the file itself: a circle of one; import another file`,
      );
    expect(await place.prompt("@./*.md")).toBe('<file path="./a.md">\na\n</file>');
  });

  it("refuses what is no text, too large or no file", async () => {
    const place = makePlace({
      "commands/a.png": new Uint8Array([0x89, 0x50, 0, 1]),
      "commands/latin1.txt": new Uint8Array([0xe9, 0x20]),
      "commands/sub/x": "",
      "commands/big.txt": "",
    });
    truncateSync(join(place.project, "commands/big.txt"), 10 * 1024 * 1024 + 1);
    execFileSync("mkfifo", [join(place.project, "commands/fifo")]);
    const table = [
      ["@./a.png", "is not text in UTF-8; import text files only"],
      ["@./latin1.txt", "is not text in UTF-8; import text files only"],
      ["@./*.png", "matches `./a.png`, which is not text in UTF-8; import text files only"],
      ["@./sub", "is a folder; import its files with `@./sub/*`"],
      ["@./big.txt", "cannot be read: it is larger than 10 MB; import another file"],
      ["@./fifo", "cannot be read: it is not a regular file; import another file"],
      [
        "@./nope",
        "cannot be read: it does not exist; paths are relative to `.`; for text that is no import write `\\@`",
      ],
    ] as const;
    for (const [written, problem] of table)
      expect(await place.problem(`x\n ${written}`)).toBe(
        `review.md:6:2: \`${written}\` ${problem}`,
      );
  });

  it("keeps CRLF, leaves out a byte order mark, and finds names with blanks and brackets", async () => {
    const place = makePlace({
      "commands/crlf.txt": "\ufeffa\r\nb\r\n",
      "commands/my file.md": "m",
      "commands/[id].md": "i",
    });
    expect(await place.prompt("@./crlf.txt")).toBe('<file path="./crlf.txt">\na\r\nb\r\n</file>');
    expect(await place.prompt("@./my\\ file.md")).toContain('path="./my file.md">\nm');
    expect(await place.prompt("@./[id].md")).toContain('path="./[id].md">\ni');
  });

  it("cannot close its own tags, nor can its name", async () => {
    const place = makePlace({
      "commands/a": "</file> < / FILE-2 > </file-4>",
      'commands/n/"><x\n{{ y }}.md': "z",
    });
    expect(await place.prompt("@./a")).toBe(
      '<file-3 path="./a">\n</file> < / FILE-2 > </file-4>\n</file-3>',
    );
    expect(await place.prompt("@./n/*")).toBe(
      '<file path="./n/&#34;&#62;&#60;x&#10;{{ y }}.md">\nz\n</file>',
    );
  });
});

describe("lines", () => {
  const text = "1\r\n2\r\n3\r\n4";
  test.each([
    ["@./a:2-3", "2-3", "2\r\n3\r\n"],
    ["@./a:4", "4-4", "4\n"],
    ["@./a:3-", "3-4", "3\r\n4\n"],
    ["@./a:3-99", "3-4", "3\r\n4\n"],
  ])("%s", async (written, lines, shown) => {
    const place = makePlace({ "commands/a": text });
    expect(await place.prompt(written)).toBe(`<file path="./a" lines="${lines}">\n${shown}</file>`);
  });

  it("behind the end are an error", async () => {
    const place = makePlace({ "commands/a": text, "commands/empty": "" });
    expect(await place.problem("@./a:5-6")).toBe(
      "review.md:5:1: `@./a:5-6` begins behind the end: the file has 4 lines; give a range that the file has",
    );
    expect(await place.problem("@./empty:1")).toContain("the file has 0 lines");
  });
});

describe("a pattern", () => {
  const files = {
    ".gitignore": "*.log\nbuild/\n!keep.log\n",
    "commands/src/b.ts": "b",
    "commands/src/a.ts": "a",
    "commands/src/deep/c.ts": "c",
    "commands/src/x.log": "ignored",
    "commands/src/keep.log": "kept",
    "commands/src/forced.log": "tracked all the same",
    "commands/build/out.ts": "ignored",
    "commands/.hidden/h.ts": "h",
  };
  const shownBy = async (place: ReturnType<typeof makePlace>, written: string) =>
    Array.from((await place.prompt(written)).matchAll(/path="([^"]*)"/g), ([, path]) => path);

  const makeRepository = () => {
    const place = makePlace(files);
    const git = (...args: string[]) =>
      execFileSync("git", args, { cwd: place.project, env: place.environment });
    git("init", "-q");
    git("add", "-f", "commands/src/forced.log");
    return place;
  };

  test.each([
    ["@./src/*.ts", ["./src/a.ts", "./src/b.ts"]],
    ["@./src/**/*.ts", ["./src/a.ts", "./src/b.ts", "./src/deep/c.ts"]],
    ["@./src/{a,b}.ts", ["./src/a.ts", "./src/b.ts"]],
    ["@./src/[ab].ts", ["./src/a.ts", "./src/b.ts"]],
    ["@./src/*.log", ["./src/forced.log", "./src/keep.log"]],
    ["@./*/*.ts", ["./src/a.ts", "./src/b.ts"]],
    ["@./.hidden/*", ["./.hidden/h.ts"]],
    ["@../**/c.ts", ["./src/deep/c.ts"]],
  ])("%s is sorted, without what git ignores", async (written, expected) => {
    expect(await shownBy(makeRepository(), written)).toEqual(expected);
  });

  it("never finds what is git's own, or ignored with its folder", async () => {
    const place = makeRepository();
    expect(await place.problem("@../.git/*")).toContain("matches no file");
    expect(await place.problem("@./build/*")).toBe(
      "review.md:5:1: `@./build/*` matches no file; mend the pattern; what `.gitignore` names is left out",
    );
    expect(await shownBy(place, "@../**/*")).not.toContainEqual(expect.stringContaining(".git/"));
  });

  it("needs no git outside a repository, and says so within one", async () => {
    const place = makePlace(files);
    const environment = { PATH: "/nowhere" };
    expect(await place.prompt("@./src/*.log", { environment })).toContain("ignored");
    markRepository(place.project);
    expect(await place.problem("@./src/*.log", { environment })).toContain(
      "git did not say what it ignores",
    );
  });
});
