export const meta = {
  name: "migrate",
  description: "Migrate file by file, each in a worktree of its own, after a person said yes to the plan",
  phases: [{ title: "Plan" }, { title: "Gate" }, { title: "Migrate" }],
};

const files = args?.files ?? ["src/greet.mjs", "src/log.mjs"];
const goal = args?.goal ?? "add JSDoc types";

phase("Plan");
const plan = await agent(`How would you migrate ${files.join(" and ")}: ${goal}? Answer in one sentence.`);

phase("Gate");
// It waits for days, if it must; any window can answer.
if (!(await adj.ask(`${plan} Go ahead?`))) return { migrated: [], why: "a person said no" };

phase("Migrate");
const done = await parallel(
  files.map((file) => () =>
    agent(`Migrate ${file}: ${goal}. Change nothing else.`, { label: file, isolation: "worktree" }),
  ),
);
return { migrated: files.filter((_, at) => done[at] !== null) };
