import * as z from "zod/mini";
import { misuse } from "../../core/command/fault.ts";
import { PERSON_USES } from "../../core/command/person.ts";
import {
  defineBundled,
  flagArgument,
  textArgument,
  textsArgument,
} from "../../core/commands/bundled.ts";

const SERVERS = ["wrap", "trust"] as const;
/** Of our own server, which no word stands for. */
const OWN: readonly string[] = [];

export default defineBundled({
  name: "mcp",
  description: "Offer commands as tools of an MCP server, or guard somebody else's server",
  category: "session",
  effect: "read",
  inheritEnv: true,
  graceMs: 2_000,
  person: PERSON_USES.mcp,
  argumentHint: "[wrap|trust -- server …]",
  examples: [
    "adj mcp",
    "adj mcp wrap -- npx -y some-server",
    "adj mcp trust -- npx -y some-server",
  ],
  args: z.strictObject({
    action: z.optional(
      z.enum(["wrap", "trust"]).check(
        z.meta({
          positional: 0,
          plain: true,
          description: "what to do; without a word it serves your commands",
          actions: {
            wrap: "Start somebody else's server behind your hooks and record its calls",
            trust: "Look at what a server offers now, and let it through",
          },
        }),
      ),
    ),
    words: textsArgument("the server's program and its words, after `--`", {
      positional: "rest",
      when: SERVERS,
    }),
    http: flagArgument("over HTTP, at the host's address and with a token for this project", {
      when: OWN,
    }),
    all: flagArgument("offer the program's own commands too", { when: OWN }),
    name: textArgument("what the server is called in hooks: `mcp__NAME__tool`", {
      plain: true,
      when: SERVERS,
    }),
    hash: textArgument("with `trust`: the hash of what you looked at elsewhere, for CI", {
      plain: true,
      when: ["trust"],
    }),
    env: textsArgument("a variable that the server is given, by name", {
      plain: true,
      when: SERVERS,
    }),
  }),
  run: async (args, context, program) => {
    if (args.action === undefined) {
      if (args.words.length > 0) throw misuse("mcp", "a server goes with `wrap` or `trust`");
      if (args.http)
        return (await import("../mcp/announce-http.ts")).announceHttp(args, context, program);
      return (await import("../mcp/serve-stdio.ts")).serveMcp(args, context, program);
    }
    const { serveWrapped, trustServer } = await import("../mcp/wrap/serve-wrapped.ts");
    const act = args.action === "wrap" ? serveWrapped : trustServer;
    return act(args, context, program);
  },
});
