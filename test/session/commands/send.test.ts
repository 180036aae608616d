import { expect, test } from "vitest";
import { openTestProgram } from "../../support/program-of-commands.ts";

test("each `--param` is an event once the turn is queued, and none where nothing is sent", async () => {
  const opened = openTestProgram();
  const env = { PATH: process.env.PATH ?? "", HOME: opened.folder, ADJ_HOST: "off" };
  const send = (...words: string[]) =>
    opened.run(["send", "--agent", "replay", "--param", "pace=fast", ...words], { env });
  const announced = () =>
    [...opened.program.audit.read({ types: ["ParamsChanged"] })].map(({ data }) => data);
  expect((await send()).kind).toBe("rejected");
  expect(announced()).toEqual([]);
  expect((await send("hello")).error).toBeUndefined();
  const event = { paramPath: "pace", sourceLayer: "flag" };
  expect(announced()).toEqual([{ ...event, redactedDelta: { from: "unset", to: "string(4)" } }]);
});
