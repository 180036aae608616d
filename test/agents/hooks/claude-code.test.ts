import { describeHooks } from "./hooks-suite.ts";

describeHooks("claude-code");
