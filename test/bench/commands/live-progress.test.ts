import { expect, test } from "vitest";
import { ADJ, start } from "../../program/adj.ts";
import { makeBenchHome } from "../run/bench-home.ts";

const TAKEN_BACK = "\r\u001b[K\u001b[A\u001b[K\u001b[A\u001b[K";

test("at a terminal every agent has its line, and all are taken back before the report", async () => {
  const agent = (id: string) => ({ id, agent: "command", config: { argv: ["sh", "agent.sh"] } });
  const home = makeBenchHome(
    { a: { agent: "echo right", evaluators: [{ contains: "right" }] } },
    { agents: [agent("one"), agent("another")] },
  );
  const typed = `stty rows 30 cols 24; exec ${ADJ} bench suite.yaml`;
  const place = { cwd: home.project, env: { ...home.env, TERM: "xterm" }, stdin: null };
  const { stdout, exitCode } = await start("script", ["-qefc", typed, "/dev/null"], place).ended;
  expect(exitCode).toBe(0);
  const shown = stdout.replaceAll("\r\n", "\n").split(TAKEN_BACK);
  expect(shown[0]).toBe("one      0/1\nanother  0/1\n2 trials to go");
  // Cut to what the screen has: a line that wraps could not be taken back.
  expect(shown[1]).toMatch(/^one +\d\/1.*\nanother +\d\/1.*\n1 trial to go, about …?/);
  expect(shown[2]).toBe("one      1/1  100 %\nanother  1/1  100 %\nall done");
  expect(shown[3]).toMatch(/^trials: 2 trials/);
});
