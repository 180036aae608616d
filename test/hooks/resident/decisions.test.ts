import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { selectHookVariables } from "../../../src/hooks/handlers/environment.ts";
import { formatAddress, parseAddress } from "../../../src/hooks/resident/address.ts";
import {
  compareCode,
  decideUpkeep,
  type ResidentCondition,
} from "../../../src/hooks/resident/run.ts";
import { decideStart, wantsResident } from "../../../src/hooks/resident/start.ts";
import { formatAnswer, HEAD_LENGTH, readWireCall } from "../../../src/hooks/resident/wire.ts";

const KEY = "k".repeat(32);

describe("upkeep", () => {
  const resting: ResidentCondition = {
    isNamed: true,
    code: "same",
    handingOverForMs: null,
    running: 0,
    idleForMs: 0,
    servesHttp: false,
  };
  test.each<[string, Partial<ResidentCondition>, string]>([
    ["called a moment ago", {}, "stay"],
    ["idle for long enough", { idleForMs: 1_000 }, "retire"],
    ["idle, but one call still runs", { idleForMs: 1_000, running: 1 }, "stay"],
    ["idle, but an agent calls it by HTTP", { idleForMs: 1_000, servesHttp: true }, "stay"],
    ["another one is named in the file", { isNamed: false, running: 1 }, "retire"],
    ["the program changed", { code: "changed" }, "hand over"],
    ["its successor is starting", { code: "changed", handingOverForMs: 500 }, "stay"],
    ["its successor never came", { code: "changed", handingOverForMs: 10_001 }, "retire"],
    ["the program was removed", { code: "gone" }, "retire"],
  ])("%s", (_, seen, expected) => {
    expect(decideUpkeep({ ...resting, ...seen }, 1_000)).toBe(expected);
  });

  test.each([
    ["a", "a", "same"],
    ["a", "b", "changed"],
    ["a", null, "gone"],
    [null, "b", "changed"],
  ])("code that was %s and is %s is %s", (before, now, expected) => {
    expect(compareCode(before, now)).toBe(expected);
  });
});

describe("starting", () => {
  test.each([
    [{}, true],
    [{ CI: "" }, true],
    [{ CI: "false" }, true],
    [{ CI: "true" }, false],
    [{ CI: "1" }, false],
    [{ ADJ_RESIDENT: "off" }, false],
  ])("with %j: %s", (env, expected) => {
    expect(wantsResident(env)).toBe(expected);
  });

  const nobody = { isWanted: true, address: null, isOwnerAlive: false, startingForMs: null };
  const one = { ...nobody, address: { version: "1" }, isOwnerAlive: true };
  test.each([
    ["nobody is there", nobody, true],
    ["one is there", one, false],
    ["one of another version is there", { ...one, address: { version: "0" } }, true],
    ["only the file of a dead one is there", { ...one, isOwnerAlive: false }, true],
    ["another call is starting one", { ...nobody, startingForMs: 100 }, false],
    ["another call wanted to start one, long ago", { ...nobody, startingForMs: 5_000 }, true],
    ["none is wanted", { ...nobody, isWanted: false }, false],
  ])("%s", (_, sighted, expected) => {
    expect(decideStart(sighted, "1")).toBe(expected);
  });
});

describe("the wire", () => {
  const noNul = fc.string({ unit: "grapheme" }).map((text) => text.replaceAll("\0", ""));
  const name = fc.stringMatching(/^[A-Z_]{1,12}$/);

  test("whatever is sent arrives as it is, in pieces of any size", () => {
    fc.assert(
      fc.property(
        noNul,
        noNul,
        fc.dictionary(name, noNul),
        fc.nat({ max: 1_000_000 }),
        (cwd, payload, env, cut) => {
          const pairs = Object.entries(env).map(([key, value]) => `${key}=${value}`);
          const size = String(Buffer.byteLength(payload));
          const fields = ["ADJ1", KEY, "codex", cwd, size, String(pairs.length + 1), "", ...pairs];
          const bytes = Buffer.from([...fields, payload].map((field) => `${field}\0`).join(""));
          const whole = bytes.length - 1;
          expect(readWireCall(bytes.subarray(0, cut % whole), KEY).kind).toBe("incomplete");
          expect(readWireCall(bytes, KEY)).toEqual({
            kind: "call",
            call: { agent: "codex", cwd, env: { ...env }, payload },
          });
        },
      ),
    );
  });

  test("no bytes make it throw, and none without the key make a call", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.boolean(), (bytes, isGreeted) => {
        const said = Buffer.concat([Buffer.from(isGreeted ? "ADJ1\0" : ""), bytes]);
        expect(["incomplete", "refused"]).toContain(readWireCall(said, KEY).kind);
      }),
    );
  });

  test("an answer says how long its texts are, in bytes", () => {
    const answer = formatAnswer(KEY, "answer", { stdout: "é{}", stderr: "ü" });
    expect(answer).toBe(`${KEY}A0000000400000002é{}ü`);
    expect(formatAnswer(KEY, "wait")).toHaveLength(HEAD_LENGTH);
  });
});

test("an address is read as it was written, also one of another system", () => {
  const owner = { pid: 7, startedAt: "Sun Nov 15 22:26:01 2026", host: "boot/pid:[1]" };
  const address = { port: 1, version: "1.2.3", clientKey: KEY, serverKey: KEY, owner };
  expect(parseAddress(formatAddress(address))).toEqual(address);
});

test("of the environment only what handlers may know is kept", () => {
  const given = { PATH: "/bin", LC_ALL: "C", ADJ_ANY: "1", XDG_X: "2", CLAUDE_PROJECT_DIR: "/p" };
  const withheld = { GITHUB_TOKEN: "s", ANTHROPIC_API_KEY: "s", adj_x: "s", NODE_OPTIONS: "s" };
  expect(selectHookVariables({ ...given, ...withheld, HOME: undefined })).toEqual(given);
});
