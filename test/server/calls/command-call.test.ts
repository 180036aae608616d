import { expect, test } from "vitest";
import { keepCall, readKeptCall } from "../../../src/server/calls/command-call.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const ID = "c0123456789ab";

test.each([
  ["what a command printed is kept with its call", "\0picture", true],
  ["bytes that hold a secret are not", `\0GITHUB_TOKEN=ghp_${"a1B2".repeat(9)}`, false],
])("%s", (_, bytes, isKept) => {
  const folder = temporaryFolder();
  const data = Buffer.from(bytes, "latin1").toString("base64");
  const media = { mimeType: "application/octet-stream", data };
  const printed = { exitCode: 0, output: "", errorOutput: "", metadata: null, error: null, media };
  const still = { question: null, progress: null, steps: 0 };
  const outcome = { kind: "ok", ...printed } as const;
  keepCall(folder, { id: ID, name: "pack", status: "done", ...still, outcome });
  expect(readKeptCall(folder, ID)?.outcome?.media?.data).toBe(isKept ? data : undefined);
});
