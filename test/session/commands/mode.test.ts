import { expect, test } from "vitest";
import { openTestProgram, textOf } from "../../support/program-of-commands.ts";
import { writeFiles } from "../../support/temporary-folder.ts";

test("shows the mode of the settings until the session has its own, and goes back", async () => {
  const opened = openTestProgram();
  expect(textOf(await opened.run(["mode"]))).toMatch(/^ask \(from the settings\): /);
  await opened.run(["config", "set", "mode", "allowlist"]);
  expect((await opened.run(["mode"])).result.metadata).toEqual({
    mode: "allowlist",
    source: "settings",
  });
  expect(textOf(await opened.run(["mode", "auto"]))).toMatch(
    /^mode is now auto \(from this session\): /,
  );
  expect((await opened.run(["mode"])).result.metadata).toEqual({ mode: "auto", source: "session" });
  expect(textOf(await opened.run(["mode", "--reset"]))).toMatch(/^mode is now allowlist /);
  const events = [...opened.program.audit.read({ types: ["ModeChanged"] })];
  expect(events.map(({ data }) => data)).toEqual([
    { from: null, to: "auto" },
    { from: "auto", to: null },
  ]);
});

test("a word that is no mode is refused", async () => {
  const outcome = await openTestProgram().run(["mode", "yolo"]);
  expect(outcome).toMatchObject({ kind: "rejected", error: { class: "Usage" } });
});

test.each([[["mode", "auto"]], [["mode", "--reset"]]])(
  "an agent may look at the mode and not set it: %j",
  async (words) => {
    const opened = openTestProgram();
    const below = { origin: { surface: "cli", agent: "codex" } } as const;
    expect((await opened.run(["mode"], below)).kind).toBe("ok");
    const refused = await opened.run(words, below);
    expect(refused).toMatchObject({ kind: "rejected", error: { class: "Consent" } });
    expect((await opened.run(["mode"])).result.metadata).toMatchObject({ source: "settings" });
  },
);

test("a rule of the settings that nobody understands is named where rules count", async () => {
  const opened = openTestProgram();
  const rules = 'mode: allowlist\nallow: ["git status*", { colour: red }]\n';
  writeFiles(opened.configDir, { "config.yaml": rules });
  expect(textOf(await opened.run(["mode"]))).toMatch(
    /\nwarning: the rule \{"colour":"red"\} allows nothing: .*colour/,
  );
  expect(textOf(await opened.run(["mode", "ask"]))).not.toContain("warning");
});
