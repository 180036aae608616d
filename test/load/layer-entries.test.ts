import { expect, test } from "vitest";
import { LayerEntries } from "../../src/load/layer-entries.ts";
import { packBroken, packCommand, packDisable } from "../../src/load/packed-record.ts";
import { tableOf } from "../../src/load/record-table.ts";
import { UNSAID } from "../../src/load/summary.ts";

const command = (name: string, ...aliases: string[]) =>
  packCommand({ ...UNSAID, name, description: `does ${name}`, aliases });
const fault = { class: "Config", code: "FileInvalid", message: "no", hint: null } as const;

function entries(): LayerEntries {
  const files = [
    command("a", "x", "x", "a"),
    command("b"),
    packBroken("c", { fault, isCritical: false, isWorthRetrying: true }),
  ];
  const yaml = [command("d", "x"), packDisable("e"), command("b")];
  return new LayerEntries([
    { table: tableOf(files), fileOf: (at) => `file ${at}` },
    { table: tableOf(yaml), fileOf: () => "yaml" },
  ]);
}

const show = (map: LayerEntries, name: string) =>
  map.get(name)?.map((entry) => `${entry.kind} ${entry.name} in ${entry.file}`);

const NAMES = ["a", "x", "b", "c", "d", "e", "nobody", "constructor", "__proto__", "command"];

test("an entry is found under its name and its aliases, once in each", () => {
  const map = entries();
  expect(NAMES.map((name) => show(map, name))).toEqual([
    ["command a in file 0"],
    ["command a in file 0", "command d in yaml"],
    ["command b in file 1", "command b in yaml"],
    ["broken c in file 2"],
    ["command d in yaml"],
    ["disable e in yaml"],
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

test("a single question and the whole map answer alike", () => {
  const whole = entries();
  expect([...whole.keys()]).toEqual(["a", "x", "b", "c", "d", "e"]);
  expect(whole.size).toBe(6);
  expect([...whole].map(([key]) => key)).toEqual([...whole.keys()]);
  for (const name of NAMES) {
    expect(show(whole, name)).toEqual(show(entries(), name));
    expect(whole.has(name)).toBe(entries().has(name));
  }
});

test("summaries come back as they were, whoever asks first", () => {
  const [entry] = entries().get("x") ?? [];
  expect(entry?.kind === "command" && entry.summary).toEqual({
    ...UNSAID,
    name: "a",
    description: "does a",
    aliases: ["x", "x", "a"],
  });
});
