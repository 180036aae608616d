export const meta = {
  name: "review-panel",
  description: "Several reviewers look at each file; a finding counts when another one confirms it",
  whenToUse: "Before a merge, when one pair of eyes is not enough",
  phases: [{ title: "Review" }, { title: "Confirm" }],
};

const LENSES = {
  bugs: "Look for wrong behaviour.",
  security: "Look for what an attacker could use.",
};

const FINDINGS = {
  type: "object",
  properties: { findings: { type: "array", items: { type: "string" } } },
  required: ["findings"],
  additionalProperties: false,
};
const VERDICT = {
  type: "object",
  properties: { confirmed: { type: "boolean" } },
  required: ["confirmed"],
  additionalProperties: false,
};

// `--args '{"files": ["a.ts"], "agents": {"bugs": "codex", "security": "qwen"}}'`; without agents the run's own does it all.
const files = args?.files ?? (await adj.command("sources")).output.trim().split("\n");
const agents = args?.agents ?? {};

const reviewed = await pipeline(
  files,
  async (file) => {
    const answers = await parallel(
      Object.entries(LENSES).map(([lens, task]) => () =>
        agent(`Review ${file} for ${lens}. ${task}`, {
          label: `${lens}: ${file}`,
          phase: "Review",
          schema: FINDINGS,
          agent: agents[lens],
        }),
      ),
    );
    // A reviewer that failed for good is null here, and counted in the verdict of the run.
    return answers.filter(Boolean).flatMap(({ findings }) => findings);
  },
  async (findings, file) => {
    const verdicts = await parallel(
      findings.map((finding) => () =>
        agent(`Is this true of ${file}? ${finding}`, {
          label: `confirm: ${finding}`,
          phase: "Confirm",
          schema: VERDICT,
        }),
      ),
    );
    return { file, findings: findings.filter((_, at) => verdicts[at]?.confirmed) };
  },
);

log(`${files.length} files were looked at`);
return reviewed.filter(Boolean);
