import { describeStreamJson } from "./stream-json-behaviour.ts";

describeStreamJson("qwen", { otherModel: "other-model", asksFirst: true });
