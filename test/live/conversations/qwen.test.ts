import { describeStreamJson } from "./stream-json-behaviour.ts";

describeStreamJson("qwen", "other-model");
