// Lines and calls that would write, record, push or send a secret; the long tier has all lines of the table.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Envelope, ToolArguments } from "../../../src/core/step/envelope.ts";
import { toolSubject } from "../../core/shell/subjects.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { sampled } from "../../support/tier.ts";
import { readLines } from "./fixtures/read-lines.ts";
import { decideBy, placeIn } from "./place.ts";
import { KEY, openSecrets } from "./secret-scratch.ts";

const isSampled = (line: string, index: number): boolean =>
  line.startsWith("line: ") || index % 6 === 0;

it("a line that would write, record, push or send a secret does not pass", {
  timeout: 60_000,
}, async () => {
  const decide = openSecrets();
  const passed: string[] = [];
  for (const line of sampled(readLines("secrets/lines.txt").filter(isSampled)))
    if ((await decide(line)) === "pass") passed.push(line);
  expect(passed).toEqual([]);
});
it("a line that would not passes, whatever waits beside it", { timeout: 60_000 }, async () => {
  const decide = openSecrets();
  const stopped: string[] = [];
  for (const line of sampled(readLines("secrets/free.txt")))
    if ((await decide(line)) !== "pass") stopped.push(line);
  expect(stopped).toEqual([]);
});
it("a push with very many words asks git once", { timeout: 20_000 }, async () => {
  const decide = openSecrets();
  const words = Array.from({ length: 20_000 }, (_, index) => `b${index}`).join(" ");
  expect(await decide(`committed: git push origin ${words}`)).toBe("deny");
  expect(await decide(`clean: git push origin ${words}`)).toBe("pass");
});
it("where it cannot be said, the option says what is done", async () => {
  const decide = openSecrets();
  const line = 'staged: cd "$D" && git commit -m x';
  expect(await decide(line)).toBe("ask");
  expect(await decide(line, { unsure: "deny" })).toBe("deny");
  expect(await decide(line, { unsure: "pass" })).toBe("pass");
});

describe("what a tool writes", () => {
  const [begin, end] = [KEY.slice(0, 10), KEY.slice(10)];
  const isStopped = async (kind: Envelope["kind"], args: ToolArguments): Promise<boolean> => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "half"), `const token = "${begin}HERE";\n`);
    writeFileSync(join(folder, "old"), `const token = "${KEY}";\nconst a = 1;\n`);
    const paths = [args.file_path, args.path, args.filePath].filter((path) => path !== undefined);
    const facts = { root: folder, home: folder, paths: paths.map(String) };
    const subject = toolSubject({ tool: "x", ...(kind ? { kind } : {}), args }, facts);
    const deciding = { with: {}, subject, place: placeIn(folder) };
    return (await decideBy("no-secrets", deciding)).control === "veto";
  };
  const nest = (value: unknown): unknown =>
    Array.from({ length: 3_000 }).reduce((inner) => [inner], value);
  const base64 = (text: string): string => Buffer.from(text).toString("base64");

  it.each<[string, Envelope["kind"], ToolArguments]>([
    ["a file", "write", { file_path: "a", content: `x ${KEY}` }],
    ["a new text", "edit", { file_path: "a", old_string: "x", new_string: KEY }],
    ["the rest of one", "edit", { file_path: "half", old_string: "HERE", new_string: end }],
    ["the rest, by Copilot", "edit", { path: "half", old_str: "HERE", new_str: end }],
    ["the rest, by opencode", "edit", { filePath: "half", oldString: "HERE", newString: end }],
    [
      "two edits",
      "edit",
      {
        file_path: "half",
        edits: [
          { old_string: "HERE", new_string: "THERE" },
          { old_string: "THERE", new_string: end },
        ],
      },
    ],
    ["a server's edit", "mcp", { path: "half", edits: [{ oldText: "HERE", newText: end }] }],
    ["a cell", "edit", { notebook_path: "n.ipynb", new_source: `t="${KEY}"` }],
    ["a patch", "edit", { command: `*** Begin Patch\n*** Add File: a\n+${KEY}\n*** End Patch` }],
    ["a list in objects", "mcp", { a: [{ b: { c: [KEY] } }] }],
    ["something very deep", "mcp", { a: nest(KEY) }],
    ["the name of a field", "mcp", { headers: { [KEY]: "x" } }],
    ["JSON in a text", "mcp", { arguments: JSON.stringify({ a: JSON.stringify({ t: KEY }) }) }],
    ["base64", "mcp", { content: base64(`token: ${KEY}`), encoding: "base64" }],
    ["base64 in lines", "mcp", { content: base64(`token: ${KEY} `).replace(/.{20}/g, "$&\n") }],
    ["two bytes a character", "write", { file_path: "a", content: [...KEY].join("\0") }],
    ["a value beside its name", "mcp", { api_key: "9f86d081884c7d659a2feaa0c55ad015" }],
    ["an address", "fetch", { url: `https://example.test/?t=${KEY}` }],
    ["a tool that nobody knows", undefined, { text: KEY }],
  ])("is stopped by %s", async (_, kind, args) => {
    expect(await isStopped(kind, args)).toBe(true);
  });
  it.each<[string, Envelope["kind"], ToolArguments]>([
    ["half of one", "edit", { file_path: "half", old_string: "HERE", new_string: "x" }],
    [
      "an edit beside an old one",
      "edit",
      { file_path: "old", old_string: "= 1", new_string: "= 2" },
    ],
    ["one that is taken out", "edit", { file_path: "old", old_string: KEY, new_string: "" }],
    ["a question to a file", "read", { file_path: KEY }],
    ["an image", "mcp", { data: base64("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\0\0\0\0\0\0") }],
  ])("is not stopped by %s", async (_, kind, args) => {
    expect(await isStopped(kind, args)).toBe(false);
  });
});
