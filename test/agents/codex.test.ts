import { describeAgent } from "./agent-suite.ts";

describeAgent("codex", { retriesCutStream: true });
