import { applyEdits, modify, parse } from "jsonc-parser";
import { describe, expect, test } from "vitest";
import { isOurCommand } from "../../../src/hooks/install/entries.ts";
import { ENTRY_INSTALLERS, openBench } from "./installing.ts";

const set = (text: string, path: (string | number)[], value: unknown): string =>
  applyEdits(
    text,
    modify(text, path, value, { formattingOptions: { tabSize: 2, insertSpaces: true } }),
  );

describe.each(ENTRY_INSTALLERS)(
  "what somebody did to the file of $agent after install",
  (installer) => {
    const [first] = installer.events;
    const event = first?.event ?? "";
    const mine = { type: "command", command: "./mine", bash: "./mine" };
    const myEntry = installer.agent === "copilot" ? mine : { hooks: [mine] };
    const start = () => {
      const bench = openBench(installer);
      bench.write(`${JSON.stringify({ ...installer.seed, hooks: { Own: [myEntry] } }, null, 2)}\n`);
      return bench;
    };

    test("stays: an entry beside ours, before or after it", async () => {
      const bench = start();
      await bench.install();
      const text = set(
        set(bench.text(), ["hooks", event, 1], myEntry),
        ["hooks", "Else"],
        [myEntry],
      );
      bench.write(text);
      expect((await bench.install()).did).toBe("nothing");
      await bench.uninstall();
      expect(parse(bench.text())).toEqual({
        ...installer.seed,
        hooks: { Own: [myEntry], [event]: [myEntry], Else: [myEntry] },
      });
    });

    test("stays: an entry put into our group", async () => {
      if (installer.agent === "copilot") return;
      const bench = start();
      await bench.install();
      bench.write(set(bench.text(), ["hooks", event, 0, "hooks", 1], mine));
      await bench.uninstall();
      expect(parse(bench.text()).hooks).toEqual({ Own: [myEntry], [event]: [{ hooks: [mine] }] });
    });

    test("is mended by another install: ours changed, doubled or lost", async () => {
      const bench = start();
      await bench.install();
      const whole = parse(bench.text());
      const entry = whole.hooks[event][0];
      let text = set(bench.text(), ["hooks", event, 1], entry);
      text = set(text, ["hooks", installer.events[1]?.event ?? ""], undefined);
      bench.write(text);
      expect((await bench.install()).did).toBe("changed");
      expect(parse(bench.text())).toEqual(whole);
      expect((await bench.install()).did).toBe("nothing");
    });

    test("leaves the empty lists that were there before, and no others", async () => {
      const bench = openBench(installer);
      bench.write(JSON.stringify({ ...installer.seed, hooks: { [event]: [] } }));
      await bench.install();
      bench.write(bench.text().replace("{", "{ "));
      await bench.uninstall();
      expect(parse(bench.text())).toEqual({ ...installer.seed, hooks: { [event]: [] } });
    });

    test("takes a file with it that held nothing else", async () => {
      const bench = openBench(installer);
      await bench.install();
      bench.write(`${bench.text()}\n`);
      expect((await bench.uninstall()).did).toBe("removed");
      expect(bench.read()).toBeNull();
    });
  },
);

// biome-ignore format: a table, one line each
test.each([
  ["adj hook claude-code", true],
  ["/usr/local/bin/adj hook codex", true],
  ["'/home/a b/state/adj-hook' gemini", true],
  ["/x/state/adj-hook qwen", true],
  ["exec '/x/adj-hook' copilot", true],
  ["adj run greet", false],
  ["./adj-hooks.sh codex", false],
  ["myadj hook codex", false],
  ["echo adjutant", false],
  ["adj hook", false],
])("`%s` is ours: %s", (line, isOurs) => {
  expect(isOurCommand(line)).toBe(isOurs);
});
