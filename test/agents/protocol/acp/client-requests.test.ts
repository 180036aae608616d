import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { sampled } from "../../../support/tier.ts";
import { saidBy, talk } from "../../acp/converse.ts";
import type { Step } from "../../acp/scripted-agent.ts";
import { makePlace, type Place } from "../../run/scripted-agent.ts";

const STOP = ["stop", "end_turn"] as const satisfies Step;

async function ask(
  place: Place,
  method: string,
  params: object,
  config: object = {},
): Promise<Record<string, unknown>> {
  const run = await talk({ turn: [["ask", method, params], STOP] }, { config }, place);
  expect(run.log.execution.status).toBe("success");
  return JSON.parse(saidBy(run));
}

function makeFurnishedPlace(): Place {
  const place = makePlace();
  const { workspace, folder } = place;
  mkdirSync(join(workspace, "src"));
  writeFileSync(join(workspace, "lines.txt"), "one\ntwo\r\nthree\nfour");
  writeFileSync(join(workspace, "..named"), "dots");
  writeFileSync(join(folder, "secret.txt"), "secret");
  symlinkSync("../secret.txt", join(workspace, "link.txt"));
  symlinkSync("..", join(workspace, "up"));
  symlinkSync("../not-yet.txt", join(workspace, "dangling.txt"));
  symlinkSync("lines.txt", join(workspace, "inner-link.txt"));
  return place;
}

describe("reading a file for the agent", () => {
  test.each(
    sampled([
      ["the whole", { path: "lines.txt" }, "one\ntwo\r\nthree\nfour"],
      ["from a line on", { path: "lines.txt", line: 3 }, "three\nfour"],
      ["some lines", { path: "lines.txt", line: 2, limit: 2 }, "two\r\nthree\n"],
      ["the first lines", { path: "lines.txt", limit: 1 }, "one\n"],
      ["past its end", { path: "lines.txt", line: 99 }, ""],
      ["none of it", { path: "lines.txt", limit: 0 }, ""],
      ["by a link within", { path: "inner-link.txt", limit: 1 }, "one\n"],
      ["whose name begins with dots", { path: "..named" }, "dots"],
    ]),
  )("gives %s", async (_, params, content) => {
    const place = makeFurnishedPlace();
    const path = join(place.workspace, params.path);
    expect(await ask(place, "fs/read_text_file", { ...params, path })).toEqual({ content });
  });

  test.each(
    sampled([
      ["link.txt", "outside"],
      ["../secret.txt", "outside"],
      ["up/secret.txt", "outside"],
      ["/etc/hostname", "outside"],
      ["dangling.txt", "outside"],
      [".", "outside"],
      ["src", "is not a file"],
      ["missing.txt", "Resource not found"],
      ["missing/too.txt", "Resource not found"],
      ["lines.txt/below", "ENOTDIR"],
      [undefined, "`path` is missing"],
    ]),
  )("refuses %s", async (path, words) => {
    const answer = await ask(makeFurnishedPlace(), "fs/read_text_file", { path });
    expect(answer.code).toEqual(expect.any(Number));
    expect(answer.message).toContain(words);
  });
});

describe("writing a file for the agent", () => {
  test.each(
    sampled([
      ["new.txt", "new.txt"],
      ["deep/er/new.txt", "deep/er/new.txt"],
      ["inner-link.txt", "lines.txt"],
    ]),
  )("makes %s", async (path, written) => {
    const place = makeFurnishedPlace();
    expect(await ask(place, "fs/write_text_file", { path, content: "ä $& b" })).toEqual({});
    expect(readFileSync(join(place.workspace, written), "utf8")).toBe("ä $& b");
  });

  test.each(
    sampled([
      ["link.txt", "secret.txt"],
      ["up/made.txt", "made.txt"],
      ["up/made/below.txt", "made"],
      ["../made.txt", "made.txt"],
      ["dangling.txt", "not-yet.txt"],
      ["dangling.txt/below.txt", "not-yet.txt"],
    ]),
  )("leaves alone what is outside, by way of %s too", async (path, target) => {
    const place = makeFurnishedPlace();
    const answer = await ask(place, "fs/write_text_file", { path, content: "changed" });
    expect(answer.message).toContain("outside of the workspace");
    const there = join(place.folder, target);
    if (target === "secret.txt") expect(readFileSync(there, "utf8")).toBe("secret");
    else expect(existsSync(there)).toBe(false);
  });

  test.each(
    sampled([
      ["auto", [], true],
      ["allowlist", ["edit"], true],
      ["allowlist", ["execute"], false],
      ["ask", ["edit"], false],
      ["plan", ["edit"], false],
    ]),
  )("under `%s` with %j is allowed: %s", async (permission_mode, allowed_tools, isAllowed) => {
    const place = makePlace();
    const config = { permission_mode, allowed_tools };
    await ask(place, "fs/write_text_file", { path: "new.txt", content: "x" }, config);
    expect(existsSync(join(place.workspace, "new.txt"))).toBe(isAllowed);
  });

  test("needs a content and takes no folder", async () => {
    const place = makeFurnishedPlace();
    const bare = await ask(place, "fs/write_text_file", { path: "new.txt" });
    expect(bare.message).toContain("`content` is missing");
    const folder = await ask(place, "fs/write_text_file", { path: "src", content: "" });
    expect(folder.message).toContain("is not a file");
  });
});

test.each(
  sampled([
    [{}, { readTextFile: false, writeTextFile: false }],
    [{ offer_files: true }, { readTextFile: true, writeTextFile: true }],
    [
      { offer_files: true, permission_mode: "plan" },
      { readTextFile: true, writeTextFile: false },
    ],
  ]),
)("with %j the agent is offered %j", async (config, fs) => {
  const run = await talk({ turn: [["offers"], STOP] }, { config });
  const { clientCapabilities } = JSON.parse(saidBy(run));
  expect(clientCapabilities).toEqual({ fs, terminal: false });
});

test("an offer that is neither made nor withheld is refused with everything else that is wrong", async () => {
  const { log } = await talk({}, { config: { offer_files: "yes", argv: [] } });
  expect(log.errors.map(({ context }) => context)).toEqual([
    { path: "argv" },
    { path: "offer_files" },
  ]);
});
