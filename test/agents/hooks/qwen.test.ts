import { describeHooks } from "./hooks-suite.ts";

describeHooks("qwen");
