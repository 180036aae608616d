import { expect, onTestFinished, test } from "vitest";
import { openState } from "../../../src/core/store/state.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

function openFresh(folder = temporaryFolder()) {
  const store = openState(folder);
  onTestFinished(() => store.close());
  return { store, folder };
}

test("a consent counts for its root and command only, and outlives the process", () => {
  const { store, folder } = openFresh();
  store.approve("/project", "deploy");
  store.approve(null, "wipe");
  const { store: other } = openFresh(folder);
  expect(other.isApproved("/project", "deploy")).toBe(true);
  expect(other.isApproved(null, "wipe")).toBe(true);
  expect(other.isApproved(null, "deploy")).toBe(false);
  expect(other.isApproved("/project", "wipe")).toBe(false);
  expect(other.isApproved("/elsewhere", "deploy")).toBe(false);
});

test.each([["/project"], [null]])("approving twice in %s is one consent", (root) => {
  const { store } = openFresh();
  store.approve(root, "deploy");
  const before = store.listApproved();
  store.approve(root, "deploy");
  expect(store.listApproved()).toEqual(before);
  expect(before).toEqual([{ root, command: "deploy", at: expect.stringMatching(/^\d{4}-.*Z$/) }]);
});

test.each([["/project"], [null]])(
  "a forgotten consent in %s is gone, and only that one",
  (root) => {
    const { store } = openFresh();
    store.approve(root, "deploy");
    store.approve(root, "wipe");
    expect(store.forget(root, "deploy")).toBe(true);
    expect(store.forget(root, "deploy")).toBe(false);
    expect(store.listApproved().map(({ command }) => command)).toEqual(["wipe"]);
  },
);
