import { describeAgent } from "./agent-suite.ts";

describeAgent("gemini", { retriesCutStream: false });
