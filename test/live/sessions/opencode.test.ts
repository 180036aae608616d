import { describeSession } from "./whole-session.ts";

describeSession("opencode");
