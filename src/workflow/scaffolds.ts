// The first text of a new workflow, in either form; each runs as it is.
import type { Scaffold } from "../core/commands/bundled.ts";

const tryLine = (name: string): string =>
  `adj workflow run ${name} --agent replay  (without \`--agent\` your own agent does it)`;

export const stagesScaffold: Scaffold = {
  template: (
    description,
  ) => `# A state machine: each stage is one act, then goes to \`next\`, or to \`otherwise\` where it failed.
# \`adj workflow show NAME\` draws it.
description: ${JSON.stringify(description)}
inputs:
  task: { description: what to do, default: explain this project in three sentences }
start: work
stages:
  work:
    prompt: "{{ inputs.task }}"
    attempts: 2
    next: review
    otherwise: end
  review:
    # A conversation of its own: it has not seen how the work was done. \`agent: NAME\` would ask another agent.
    conversation: fresh
    prompt: |
      Somebody was asked: {{ inputs.task }}
      They answered: {{ stages.work.output }}
      Is the answer good? Say what is missing.
    next: end
`,
  tryLine,
};

export const scriptScaffold: Scaffold = {
  template: (description, name) => `export const meta = {
  name: ${JSON.stringify(name)},
  description: ${JSON.stringify(description)},
  phases: [{ title: "Look" }, { title: "Sum up" }],
};

// \`args\` is what \`--args\` or \`--input name=value\` says.
const questions = args?.questions ?? ["What is this project for?", "What would you change first?"];

phase("Look");
// All at once; a call that fails for good is null, and counted.
const answers = await parallel(
  questions.map((question) => () => agent(question, { label: question })),
);

phase("Sum up");
log(\`\${answers.filter(Boolean).length} of \${questions.length} answered\`);
// \`{ agent: "NAME" }\` would ask another agent; \`schema\` asks for data instead of text.
return await agent(\`Sum up in three sentences:\\n\\n\${answers.filter(Boolean).join("\\n\\n")}\`);
`,
  tryLine,
};
