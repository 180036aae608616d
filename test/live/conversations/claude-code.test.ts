import { describeStreamJson } from "./stream-json-behaviour.ts";

describeStreamJson("claude-code", { otherModel: "claude-haiku-4-5", asksFirst: false });
