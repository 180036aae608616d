import { describeAgent } from "./agent-suite.ts";

describeAgent("qwen", { retriesCutStream: true, givesUp: false, tellsExitCode: true });
