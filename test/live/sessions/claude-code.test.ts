import { describeSession } from "./whole-session.ts";

describeSession("claude-code");
