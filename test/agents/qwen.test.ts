import { describeAgent } from "./agent-suite.ts";

describeAgent("qwen", { retriesCutStream: true });
