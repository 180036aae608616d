import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { inspectTrust } from "../../../../src/core/project/trust/inspect.ts";
import { openTestProgram, type TestProgram } from "../../../support/program-of-commands.ts";
import { writeFiles } from "../../../support/temporary-folder.ts";
import { waitUntil } from "../../../support/wait-until.ts";

const write = ({ root }: TestProgram, text: string) =>
  writeFiles(root, { ".adjutant/commands.yaml": `x: { description: ${text}, argv: [echo] }\n` });

/** Starts to watch; the answers are given one after the other, the last one again and again. */
function watch(
  opened: TestProgram,
  answers: readonly boolean[],
  whileAsked: (asked: number) => void = () => {},
) {
  const stop = new AbortController();
  const shown: string[] = [];
  let asked = 0;
  const interactor = {
    name: "terminal",
    confirm: async (question: string) => {
      shown.push(question);
      const answer = answers[Math.min(asked, answers.length - 1)] ?? false;
      asked += 1;
      whileAsked(asked);
      return answer;
    },
    select: async () => "",
    input: async () => "",
  };
  const ended = opened.run(["trust", "--watch"], {
    isInteractive: true,
    interactors: [interactor],
    onOutput: (chunk) => void shown.push(Buffer.from(chunk).toString()),
    signal: stop.signal,
  });
  const shows = (text: string) => waitUntil(() => shown.join("\n").includes(text));
  return { shows, stop, ended, asked: () => asked, text: () => shown.join("\n") };
}

test("`trust --watch` shows each change with its lines, asks, and trusts what was shown", async () => {
  const opened = openTestProgram();
  write(opened, "one");
  const watching = watch(opened, [true, false, true]);
  await watching.shows("trusted ");
  expect(watching.text()).toContain("+x: { description: one, argv: [echo] }");
  write(opened, "two");
  await watching.shows("not trusted; what you trusted stays in force");
  expect(watching.text()).toContain(
    "-x: { description: one, argv: [echo] }\n+x: { description: two, argv: [echo] }",
  );
  expect((await inspectTrust(opened.root, opened.stateDir)).kind).toBe("changed");
  write(opened, "three");
  await waitUntil(() => watching.asked() === 3);
  await waitUntil(() => watching.text().split("trusted ").length > 3);
  watching.stop.abort();
  expect((await watching.ended).kind).toBe("cancelled");
  expect((await inspectTrust(opened.root, opened.stateDir)).kind).toBe("trusted");
  const changes = [...opened.program.audit.read({ types: ["TrustChanged"] })];
  expect(changes).toHaveLength(2);
});

test("`trust --watch` does not trust what changed while the question was open", async () => {
  const opened = openTestProgram();
  write(opened, "one");
  const watching = watch(opened, [true, false], (asked) => {
    if (asked === 1) write(opened, "two");
  });
  await watching.shows("not the one that was given");
  await watching.shows("+x: { description: two, argv: [echo] }");
  await watching.shows("not trusted; what you trusted stays in force");
  watching.stop.abort();
  await watching.ended;
  expect((await inspectTrust(opened.root, opened.stateDir)).kind).toBe("untrusted");
});

test("`trust --watch` says once why something cannot be trusted, and goes on", async () => {
  const opened = openTestProgram();
  writeFiles(opened.root, {
    ".adjutant/commands.yaml": "x: { description: x, argv: [../../y] }\n",
  });
  const watching = watch(opened, [true]);
  await watching.shows("cannot be trusted: the program `../../y` lies outside the project");
  writeFileSync(join(opened.root, ".adjutant/commands.yaml"), "{}\n");
  await watching.shows("trusted ");
  watching.stop.abort();
  await watching.ended;
  expect(watching.text().split("cannot be trusted")).toHaveLength(2);
});

test("`trust --watch` needs a person, and stands alone", async () => {
  const opened = openTestProgram();
  write(opened, "one");
  expect((await opened.run(["trust", "--watch"])).error?.code).toBe("Required");
  expect((await opened.run(["trust", "--watch", "--diff"])).error?.message).toContain(
    "exclude each other",
  );
});
