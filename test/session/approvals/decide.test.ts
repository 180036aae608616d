import { expect, test } from "vitest";
import { type ApprovalFacts, decideApproval } from "../../../src/session/approvals/decide.ts";

const READ: ApprovalFacts = {
  kind: "read",
  safety: "read_only",
  reach: "inside",
  veto: null,
  permission: null,
  hookReason: null,
  posture: null,
  mode: "ask",
  allowedBy: null,
};
const EDIT: ApprovalFacts = { ...READ, kind: "edit", safety: "mutating", reach: "unknown" };
const SHELL: ApprovalFacts = { ...READ, kind: "shell" };
const stage = (action: "allow" | "ask" | "deny") => ({ action, stage: "stage plan" });

test.each<[string, ApprovalFacts, string]>([
  ["a read inside the project", READ, "pass: it only reads inside the project"],
  ["a search inside", { ...READ, kind: "search" }, "pass: it only reads inside the project"],
  ["a line that is proven to read", SHELL, "pass: it only reads inside the project"],
  ["a read outside", { ...READ, reach: "outside" }, "ask: it reads outside the project"],
  ["a read of who knows what", { ...SHELL, reach: "unknown" }, "ask: what it reads cannot be said"],
  ["an edit", EDIT, "ask: it may change something"],
  ["a tool nobody knows", { ...EDIT, kind: "other" }, "ask: it may change something"],
  ["an MCP tool that says it reads", { ...READ, kind: "mcp" }, "ask: what it reads cannot be said"],
  ["the network", { ...EDIT, kind: "fetch", safety: "network" }, "ask: it uses the network"],
  ["a rule of the session", { ...EDIT, allowedBy: "`x`" }, "pass: the rule `x` allows it"],
  ["a list without a rule for it", { ...READ, mode: "allowlist" }, "ask: no rule allows it"],
  [
    "a list with one",
    { ...EDIT, mode: "allowlist", allowedBy: "`x`" },
    "pass: the rule `x` allows it",
  ],
  ["auto", { ...EDIT, safety: "destructive", mode: "auto" }, "pass: mode auto"],
  ["a veto, whatever the mode", { ...EDIT, mode: "auto", veto: "no" }, "deny: no"],
  ["a hook's deny", { ...EDIT, mode: "auto", permission: "deny" }, "deny: a hook refused it"],
  [
    "a hook's ask, in auto too",
    { ...READ, mode: "auto", permission: "ask", hookReason: "look" },
    "ask: look",
  ],
  [
    "a hook's ask against a rule and a stage that allow",
    { ...EDIT, permission: "ask", allowedBy: "`x`", posture: stage("allow") },
    "ask: a hook wants a person's word",
  ],
  ["a hook's allow", { ...EDIT, permission: "allow" }, "pass: a hook allows it"],
  [
    "a stage that refuses what a hook allows",
    { ...EDIT, permission: "allow", posture: stage("deny") },
    "deny: refused by stage plan",
  ],
  [
    "a stage that asks in auto",
    { ...EDIT, mode: "auto", posture: stage("ask") },
    "ask: stage plan wants a person's word",
  ],
  ["a stage that allows", { ...EDIT, posture: stage("allow") }, "pass: stage plan allows it"],
])("%s", (_, facts, expected) => {
  const decision = decideApproval(facts);
  const why = decision.kind === "deny" ? decision.reason : decision.why;
  expect(`${decision.kind}: ${why}`).toBe(expected);
});
