import { expect, test } from "vitest";
import { openDesk, textOf } from "../../support/program-of-commands.ts";
import { writeFiles } from "../../support/temporary-folder.ts";

test("shows the mode of the settings until the session has its own, and goes back", async () => {
  const desk = openDesk();
  expect(textOf(await desk.run(["mode"]))).toMatch(/^ask \(from the settings\): /);
  await desk.run(["config", "set", "mode", "allowlist"]);
  expect((await desk.run(["mode"])).result.metadata).toEqual({
    mode: "allowlist",
    source: "settings",
  });
  expect(textOf(await desk.run(["mode", "auto"]))).toMatch(
    /^mode is now auto \(from this session\): /,
  );
  expect((await desk.run(["mode"])).result.metadata).toEqual({ mode: "auto", source: "session" });
  expect(textOf(await desk.run(["mode", "--reset"]))).toMatch(/^mode is now allowlist /);
  const events = [...desk.program.audit.read({ types: ["ModeChanged"] })];
  expect(events.map(({ data }) => data)).toEqual([
    { from: null, to: "auto" },
    { from: "auto", to: null },
  ]);
});

test("a word that is no mode is refused", async () => {
  const outcome = await openDesk().run(["mode", "yolo"]);
  expect(outcome).toMatchObject({ kind: "rejected", error: { class: "Usage" } });
});

test.each([[["mode", "auto"]], [["mode", "--reset"]]])(
  "an agent may look at the mode and not set it: %j",
  async (words) => {
    const desk = openDesk();
    const below = { origin: { surface: "cli", agent: "codex" } } as const;
    expect((await desk.run(["mode"], below)).kind).toBe("ok");
    const refused = await desk.run(words, below);
    expect(refused).toMatchObject({ kind: "rejected", error: { class: "Consent" } });
    expect((await desk.run(["mode"])).result.metadata).toMatchObject({ source: "settings" });
  },
);

test("a rule of the settings that nobody understands is named where rules count", async () => {
  const desk = openDesk();
  const rules = 'mode: allowlist\nallow: ["git status*", { colour: red }]\n';
  writeFiles(desk.configDir, { "config.yaml": rules });
  expect(textOf(await desk.run(["mode"]))).toMatch(
    /\nwarning: the rule \{"colour":"red"\} allows nothing: .*colour/,
  );
  expect(textOf(await desk.run(["mode", "ask"]))).not.toContain("warning");
});
