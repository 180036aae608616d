import { describeRunLog } from "./run-log-suite.ts";

describeRunLog("copilot");
