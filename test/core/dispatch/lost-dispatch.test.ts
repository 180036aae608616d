import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { isEveryLeaseFree, runProgram } from "./running-program.ts";
import type { TestProgram } from "./test-program.ts";

const SCRIPT = fileURLToPath(new URL("./run-for-ever.ts", import.meta.url));

/** Another process that runs a writing command, killed in the middle of it. */
async function killInTheAct(program: TestProgram): Promise<void> {
  const child = spawn(process.execPath, [SCRIPT, program.stateDir], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child.stdout, "data");
  expect(isEveryLeaseFree(program)).toBe(false);
  child.kill("SIGKILL");
  await once(child, "exit");
}

test("a dispatch that a dead process left open is closed by the next, and its lease is free", async () => {
  const program = runProgram({ next: { effect: "write" } });
  await killInTheAct(program);
  const shown: unknown[] = [];
  program.dispatcher.events.subscribe(({ correlationId }) => shown.push(correlationId));
  const { kind, correlationId } = await program.send("next");
  expect(kind).toBe("ok");
  await program.send("next", { correlationId: "c-3" });
  expect(shown).toEqual(["c-lost", correlationId, correlationId, "c-3", "c-3"]);
  const lost = program.events().filter((event) => event.correlationId === "c-lost");
  expect(lost.map(({ type }) => type)).toEqual(["CommandDispatched", "CommandResulted"]);
  expect(lost[1]).toMatchObject({
    causationId: String(lost[0]?.seq),
    origin: { surface: "cli" },
    data: {
      name: "act",
      outcome: { kind: "failed", exitCode: 1, class: "Internal", code: "ProcessLost" },
    },
  });
  expect(isEveryLeaseFree(program)).toBe(true);
});
