import { describeSession } from "./whole-session.ts";

describeSession("copilot");
