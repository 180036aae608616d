import { execFileSync } from "node:child_process";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { EffectOutcome, EffectRequest } from "../../../src/workflow/engine/effect.ts";
import { inTier } from "../../support/tier.ts";
import { ATTEMPT_TOOLS, ATTEMPTS, type Attempt } from "./escape-attempts.ts";
import { echo, returned, runBody, value } from "./run-body.ts";

const answer = (request: EffectRequest): EffectOutcome => {
  const { effect } = request;
  const prompt = effect.kind === "agent" ? effect.prompt : "";
  if (prompt === "refuse") return { kind: "thrown", message: "refused" };
  return prompt === "object" ? value({ list: [{ a: 1 }] }) : echo(request);
};

/** What each attempt got, or the name of the error that it met. */
async function tryAll(attempts: readonly Attempt[]): Promise<Record<string, unknown>> {
  const tried = attempts.map(
    ([
      what,
      body,
    ]) => `try { got[${JSON.stringify(what)}] = await (async () => { ${body} })() } catch (error) {
      got[${JSON.stringify(what)}] = error instanceof Error ? error.name : steal(error) }`,
  );
  const run = await runBody(`${ATTEMPT_TOOLS} const got = {}; ${tried.join("\n")}\nreturn got;`, {
    args: { list: [{ a: 1 }] },
    answer,
  });
  return { ...Object(returned(run)) };
}

/** One process for many attempts, or one for each. */
const groups = inTier(
  [ATTEMPTS],
  ATTEMPTS.map((attempt) => [attempt]),
);

test.each(
  groups.map(
    (group) => [group.length === 1 ? group[0]?.[0] : `${group.length} attempts`, group] as const,
  ),
)("out of the script's context: %s", async (_, group) => {
  const wanted = Object.fromEntries(group.map(([what, , expected]) => [what, expected]));
  expect(await tryAll(group)).toEqual(wanted);
  expect(Object("polluted" in {})).toEqual(Object(false));
});

const hasNamespaces = ["-cn", "-rn", "-n"].some((cut) => {
  try {
    execFileSync("unshare", [cut, "true"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
});

test("and one that got out of its context finds nothing in its process", async () => {
  process.env.ADJ_TEST_SECRET = "hidden";
  onTestFinished(() => {
    delete process.env.ADJ_TEST_SECRET;
  });
  const server = createServer((socket) => socket.end("hello")).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const entry = join(import.meta.dirname, "fixtures", "escaped.mjs");
  const run = await runBody("return 1", { entry, file: String(port) });
  const { network, ...rest } = Object(returned(run));
  expect(rest).toEqual({
    env: "ADJ_RUN_ID",
    cwd: "/",
    "read a file": "ERR_ACCESS_DENIED",
    "list a folder": "ERR_ACCESS_DENIED",
    "write a file": "ERR_ACCESS_DENIED",
    "its environment": "ERR_ACCESS_DENIED",
    "start a program": "ERR_ACCESS_DENIED",
    "start a thread": "ERR_ACCESS_DENIED",
    "load an addon": "ERR_DLOPEN_DISABLED",
    "make code": "EvalError",
    "open the inspector": "ERR_ACCESS_DENIED",
    wasi: "ERR_ACCESS_DENIED",
    "change a prototype": "TypeError",
  });
  if (hasNamespaces) expect(network).toBe("ENETUNREACH");
});
