import { describeStreamJson } from "./stream-json-behaviour.ts";

describeStreamJson("claude-code", "claude-haiku-4-5");
