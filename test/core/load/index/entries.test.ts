import { expect, test } from "vitest";
import {
  type IndexRecord,
  LayerEntries,
  packBroken,
  packCommand,
  packDisable,
} from "../../../../src/core/load/index/entries.ts";
import { SUMMARY_DEFAULTS } from "../../../../src/core/load/summary.ts";
import { type IndexedCommand, useCommandIndex } from "../../../../src/core/store/command-index.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

const command = (name: string, ...aliases: string[]) =>
  packCommand({ ...SUMMARY_DEFAULTS, name, description: `does ${name}`, aliases });
const fault = { class: "Config", code: "FileInvalid", message: "no", hint: null } as const;
const of = (file: string, record: IndexRecord): IndexedCommand => ({ ...record, file, stamp: "" });

const ROWS = [
  of("a.ts", command("a", "x", "x", "a")),
  of("b.ts", command("b")),
  of("c.ts", packBroken("c", { fault, isCritical: false, isWorthRetrying: true })),
  of("", command("b")),
  of("", command("d", "x")),
  of("", packDisable("e")),
];

const LAYER = { key: "", listing: null, yaml: null, settings: null, fileCount: 3, content: "{}" };

/** By single questions to the index, as a dispatch asks them, or with all of its rows at hand. */
function entries(way: "asked" | "listed"): LayerEntries {
  const stateDir = temporaryFolder();
  useCommandIndex(stateDir, (index) => index.replace("here", LAYER, ROWS));
  const list = () => useCommandIndex(stateDir, (index) => index.list("here"));
  const find = (name: string) => useCommandIndex(stateDir, (index) => index.find("here", name));
  const showFile = ({ file }: IndexedCommand) => (file === "" ? "yaml" : file);
  return new LayerEntries({ find: way === "asked" ? find : null, list, showFile });
}

const show = (map: LayerEntries, name: string) =>
  map.get(name)?.map((entry) => `${entry.kind} ${entry.name} in ${entry.file}`);

const NAMES = ["a", "x", "b", "c", "d", "e", "nobody", "constructor", "__proto__", "command"];

test("an entry is found under its name and its aliases, once in each", () => {
  const map = entries("asked");
  expect(NAMES.map((name) => show(map, name))).toEqual([
    ["command a in a.ts"],
    ["command a in a.ts", "command d in yaml"],
    ["command b in b.ts", "command b in yaml"],
    ["broken c in c.ts"],
    ["command d in yaml"],
    ["disable e in yaml"],
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

test("a single question and the whole map answer alike", () => {
  const whole = entries("listed");
  const asked = entries("asked");
  expect([...whole.keys()].sort()).toEqual(["a", "b", "c", "d", "e", "x"]);
  expect(whole.size).toBe(6);
  expect([...whole].map(([key]) => key)).toEqual([...whole.keys()]);
  for (const name of NAMES) {
    expect(show(whole, name)).toEqual(show(asked, name));
    expect(whole.has(name)).toBe(asked.has(name));
  }
});

test("many single questions make the whole map, which answers on", () => {
  const map = entries("asked");
  for (let round = 0; round < 5; round++)
    for (const name of NAMES) expect(show(map, name)).toEqual(show(entries("asked"), name));
});

test("summaries come back as they were, whoever asks first", () => {
  const [entry] = entries("asked").get("x") ?? [];
  expect(entry?.kind === "command" && entry.summary).toEqual({
    ...SUMMARY_DEFAULTS,
    name: "a",
    description: "does a",
    aliases: ["x", "x", "a"],
  });
});
