import { describeAgent } from "./agent-suite.ts";

describeAgent("claude-code", { retriesCutStream: true });
