import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { FaultReport } from "../../../src/core/command/fault.ts";
import {
  isCommandName,
  LAYERS,
  type Layer,
  type LayerEntry,
  type LayerName,
  layerOf,
  listCommands,
  listNames,
  PROGRAM_WORDS,
  resolveCommand,
} from "../../../src/core/command/registry.ts";
import { summaryOf } from "./command-summary.ts";

const SYNTAX: FaultReport = {
  class: "Config",
  code: "FileInvalid",
  message: "deploy.ts:3:1: unexpected token",
  hint: null,
};

const define = (name: string, file = `${name}.ts`, aliases: string[] = []): LayerEntry => ({
  kind: "command",
  name,
  file,
  summary: summaryOf(name, { aliases }),
});
const disable = (name: string): LayerEntry => ({ kind: "disable", name, file: "commands.yaml" });
const broken = (name: string): LayerEntry => ({
  kind: "broken",
  name,
  file: `${name}.ts`,
  fault: SYNTAX,
});

const stack = (entries: Partial<Record<LayerName, LayerEntry[]>>): Layer[] =>
  LAYERS.map((name) => layerOf(name, entries[name] ?? [], name === "plugin" ? "a-plugin" : null));

/** In one line: what a name means, where, what it hides and what was passed over. */
function meaning(layers: readonly Layer[], name: string): string {
  const found = resolveCommand(layers, name);
  if (found.kind === "unknown") return `unknown (${found.suggestions.join(" ")})`;
  const passedOver = found.passedOver.map((entry) => entry.fault.code).join(" ");
  if (found.kind === "broken") return `broken (${passedOver})`;
  const hides = found.hides.map((hidden) => hidden.layer).join(" ");
  return `${found.entry.name} of ${found.at.layer}, hides (${hides}), over (${passedOver})`;
}

describe("a name in the layers", () => {
  test.each<[what: string, layers: Parameters<typeof stack>[0], name: string, meaning: string]>([
    ["is found", { bundled: [define("a")] }, "a", "a of bundled, hides (), over ()"],
    [
      "in a higher layer shadows the lower ones",
      {
        bundled: [define("a")],
        plugin: [define("a")],
        user: [define("a")],
        project: [define("a")],
      },
      "a",
      "a of project, hides (user plugin bundled), over ()",
    ],
    [
      "that is disabled is gone",
      { bundled: [define("a")], user: [disable("a")] },
      "a",
      "unknown ()",
    ],
    [
      "that is disabled may be defined again above",
      { bundled: [define("a")], user: [disable("a")], project: [define("a")] },
      "a",
      "a of project, hides (), over ()",
    ],
    ["that nobody has is disabled in vain", { user: [disable("a")] }, "a", "unknown ()"],
    [
      "defined twice in a layer is refused there and falls back",
      { bundled: [define("a")], user: [define("a", "a.ts"), define("a", "a.md")] },
      "a",
      "a of bundled, hides (), over (NameClash)",
    ],
    [
      "defined twice with none below is broken",
      { user: [define("a", "a.ts"), define("a", "a.md")] },
      "a",
      "broken (NameClash)",
    ],
    [
      "defined twice leaves other names alone",
      { user: [define("a", "a.ts"), define("a", "a.md"), define("b")] },
      "b",
      "b of user, hides (), over ()",
    ],
    [
      "defined and disabled in one layer is a clash",
      { bundled: [define("a")], user: [define("a"), disable("a")] },
      "a",
      "a of bundled, hides (), over (NameClash)",
    ],
    [
      "that fails to load falls back to the next layer",
      { bundled: [define("a")], user: [define("a")], project: [broken("a")] },
      "a",
      "a of user, hides (bundled), over (FileInvalid)",
    ],
    [
      "that fails in two layers passes over both",
      { bundled: [define("a")], user: [broken("a")], project: [broken("a")] },
      "a",
      "a of bundled, hides (), over (FileInvalid FileInvalid)",
    ],
    [
      "that fails with none below is broken",
      { project: [broken("a")] },
      "a",
      "broken (FileInvalid)",
    ],
    [
      "that fails above a disabled one is broken",
      { bundled: [define("a")], user: [disable("a")], project: [broken("a")] },
      "a",
      "broken (FileInvalid)",
    ],
  ])("%s", (_, layers, name, expected) => {
    expect(meaning(stack(layers), name)).toBe(expected);
  });

  test.each([
    ["both files", ["one/a.ts", "two/a.md"], "one/a.ts, two/a.md"],
    ["one file that has both only once", ["commands.yaml", "commands.yaml"], "commands.yaml"],
  ])("a clash names %s", (_, files, named) => {
    const layers = stack({ user: files.map((file) => define("a", file)) });
    const found = resolveCommand(layers, "a");
    expect(found.kind === "broken" && found.passedOver[0]?.fault.message).toBe(
      `\`a\` is defined more than once: ${named}`,
    );
  });

  test("the definition says where it comes from, a plugin by its package", () => {
    const found = resolveCommand(stack({ plugin: [define("a", "p/a.js")] }), "a");
    expect(found).toMatchObject({ at: { layer: "plugin", plugin: "a-plugin", file: "p/a.js" } });
  });
});

describe("an alias", () => {
  test.each<[what: string, layers: Parameters<typeof stack>[0], name: string, meaning: string]>([
    [
      "means its command",
      { user: [define("deploy", "deploy.ts", ["d"])] },
      "d",
      "deploy of user, hides (), over ()",
    ],
    [
      "equal to the command's own name is no clash",
      { user: [define("deploy", "deploy.ts", ["deploy"])] },
      "deploy",
      "deploy of user, hides (), over ()",
    ],
    [
      "shadows a lower name",
      { bundled: [define("d")], user: [define("deploy", "deploy.ts", ["d"])] },
      "d",
      "deploy of user, hides (bundled), over ()",
    ],
    [
      "of two commands of a layer is refused",
      { user: [define("deploy", "deploy.ts", ["d"]), define("delete", "delete.ts", ["d"])] },
      "d",
      "broken (NameClash)",
    ],
    [
      "that clashes leaves the command's name alone",
      { user: [define("deploy", "deploy.ts", ["d"]), define("d")] },
      "deploy",
      "deploy of user, hides (), over ()",
    ],
    [
      "of a name that clashes is refused with it",
      { user: [define("deploy", "deploy.ts", ["d"]), define("deploy", "deploy.md")] },
      "d",
      "broken (NameClash)",
    ],
    [
      "of a disabled command is gone with it",
      { bundled: [define("deploy", "deploy.ts", ["d"])], user: [disable("deploy")] },
      "d",
      "unknown ()",
    ],
    [
      "of a shadowed command does not reach what is hidden",
      { user: [define("deploy", "deploy.ts", ["d"])], project: [define("deploy")] },
      "d",
      "unknown ()",
    ],
    [
      "still reaches its command when the shadow is broken",
      { user: [define("deploy", "deploy.ts", ["d"])], project: [broken("deploy")] },
      "d",
      "deploy of user, hides (), over ()",
    ],
  ])("%s", (_, layers, name, expected) => {
    expect(meaning(stack(layers), name)).toBe(expected);
  });
});

describe("an unknown name", () => {
  const layers = stack({
    bundled: [define("deploy", "deploy.ts", ["depoly"]), define("model"), define("modes")],
    user: [disable("modes"), broken("models")],
  });

  test.each(["constructor", "__proto__", "toString", "hasOwnProperty", "", "Deploy2x", "a b"])(
    "%j is simply unknown",
    (name) => {
      expect(resolveCommand(layers, name)).toMatchObject({ kind: "unknown", name });
    },
  );

  test("comes with what exists and is near", () => {
    expect(meaning(layers, "deplo")).toBe("unknown (deploy)");
    expect(meaning(layers, "modell")).toBe("unknown (model models)");
  });

  test("that was disabled is not suggested", () => {
    expect(meaning(layers, "modes")).toBe("unknown (model models)");
  });
});

test("the list holds every command once, without the disabled", () => {
  const layers = stack({
    bundled: [define("c", "c.ts", ["x"]), define("a"), define("gone")],
    user: [define("a"), disable("gone"), broken("b")],
  });
  expect(listNames(layers)).toEqual(["a", "b", "c", "gone"]);
  expect(listCommands(layers).map((one) => `${one.kind} ${one.passedOver.length}`)).toEqual([
    "found 0",
    "broken 1",
    "found 0",
  ]);
});

test("whatever the layers hold, the highest usable definition wins", () => {
  const kind = fc.constantFrom("none", "command", "broken", "disable");
  fc.assert(
    fc.property(fc.array(kind, { minLength: 4, maxLength: 4 }), (kinds) => {
      const layers = LAYERS.map((layer, at) => {
        const made = {
          command: define("a"),
          broken: broken("a"),
          disable: disable("a"),
          none: null,
        };
        const entry = made[kinds[at] ?? "none"];
        return layerOf(layer, entry === null ? [] : [entry]);
      });
      const fromTop = kinds.toReversed();
      const reachable = fromTop.slice(0, [...fromTop, "disable"].indexOf("disable"));
      const at = reachable.indexOf("command");
      const found = resolveCommand(layers, "a");
      if (at >= 0) expect(found).toMatchObject({ kind: "found", at: { layer: LAYERS[3 - at] } });
      else expect(found.kind).toBe(reachable.includes("broken") ? "broken" : "unknown");
    }),
  );
});

test.each(["a", "deploy", "deploy-2", "a".repeat(64), "constructor"])("%s is a name", (name) => {
  expect(isCommandName(name)).toBe(true);
});

test.each([
  "",
  "A",
  "2fast",
  "-x",
  "_x",
  "__proto__",
  "toString",
  "a b",
  "a_b",
  "a.b",
  "a/b",
  "é",
  "deploy\n",
  "a".repeat(65),
])("%j is no name", (name) => {
  expect(isCommandName(name)).toBe(false);
});

test("every word of the program has the form of a name", () => {
  expect([...PROGRAM_WORDS].filter((word) => !isCommandName(word))).toEqual([]);
});
