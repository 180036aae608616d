import { describeAgent } from "./agent-suite.ts";

describeAgent("opencode", { retriesCutStream: true, givesUp: false, tellsExitCode: false });
