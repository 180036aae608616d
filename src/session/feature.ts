import type { Feature } from "../core/commands/bundled.ts";

export const sessionFeature: Feature = {
  name: "session",
  commands: {
    answer: () => import("./commands/answer.ts"),
    console: () => import("./commands/console.ts"),
    env: () => import("./commands/env.ts"),
    mode: () => import("./commands/mode.ts"),
    model: () => import("./commands/model.ts"),
    params: () => import("./commands/params.ts"),
    provider: () => import("./commands/provider.ts"),
    questions: () => import("./commands/questions.ts"),
    resume: () => import("./commands/resume.ts"),
    save: () => import("./commands/save.ts"),
    send: () => import("./commands/send.ts"),
    serve: () => import("./commands/serve.ts"),
    sessions: () => import("./commands/sessions.ts"),
    tools: () => import("./commands/tools.ts"),
  },
  oldThings: async (search) => (await import("./commands/leftovers.ts")).findLeftovers(search),
};
