import type { Scaffold } from "../core/commands/bundled.ts";

export const markdownScaffold: Scaffold = {
  template: (description) => `---
description: ${JSON.stringify(description)}
inputs:
  focus: { description: what to look at, default: everything }
---
Review this change. Focus: {{ focus }}.

!\`git diff --staged\`
`,
  tryLine: (name) => `adj explain ${name}`,
};
