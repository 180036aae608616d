import { describeAgent } from "./agent-suite.ts";

describeAgent("opencode", { retriesCutStream: true });
