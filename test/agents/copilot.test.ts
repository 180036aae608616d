import { describeAgent } from "./agent-suite.ts";

describeAgent("copilot", { retriesCutStream: true });
