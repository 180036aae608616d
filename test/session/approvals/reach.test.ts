import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { reachOf } from "../../../src/session/approvals/reach.ts";
import { shellSubject, toolSubject } from "../../core/shell/subjects.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

function makeProject() {
  const folder = temporaryFolder();
  const root = join(folder, "project");
  mkdirSync(join(root, "src"), { recursive: true });
  writeFileSync(join(folder, "secret"), "");
  symlinkSync(join(folder, "secret"), join(root, "src/link"));
  symlinkSync(root, join(folder, "same"));
  mkdirSync(join(folder, "other"));
  symlinkSync(join(folder, "other"), join(root, "src/away"));
  return { folder, root, facts: { root, home: folder } };
}

describe("a line reaches as far as the files it names", () => {
  test.each([
    ["ls", "inside"],
    ["ls -la src && wc -l src/*.ts", "inside"],
    ["git status", "inside"],
    ["git -C src log --oneline | head -5", "inside"],
    ["cat src/a 2>/dev/null", "inside"],
    ["cd src && grep -rn x .", "inside"],
    ["echo hello", "inside"],
    ["ls /etc", "outside"],
    ["cat ../secret", "outside"],
    ["cat src/link", "outside"],
    ["cat src/away/../secret", "outside"],
    ["cd src/away/.. && cat a", "inside"],
    ["cat ~/secret", "outside"],
    ["cat $HOME/secret", "outside"],
    ["cd .. && ls", "outside"],
    ["cd .. && git diff", "outside"],
    ["git -C .. log", "outside"],
    ["git diff --no-index src /etc/hosts", "outside"],
    ["find / -name x", "outside"],
    ["cat $file", "unknown"],
    ["cat $(ls)", "unknown"],
    ["cd $x && ls", "unknown"],
    ["cat src/*/../../../secret", "unknown"],
    ["echo 'open", "unknown"],
  ])("%s: %s", (line, expected) => {
    const { facts } = makeProject();
    expect(reachOf(shellSubject(line, facts))).toBe(expected);
  });
});

describe("a tool reaches as far as its paths lead", () => {
  test.each<[string, string, string[], Record<string, unknown>, string]>([
    ["read", "Read", ["src/a"], {}, "inside"],
    ["read", "Read", ["src/link"], {}, "outside"],
    ["read", "Read", ["src/a", "/etc/hosts"], {}, "outside"],
    ["read", "Read", [], {}, "unknown"],
    ["search", "Grep", [], { pattern: "/etc/" }, "inside"],
    ["search", "Grep", [".."], { pattern: "x" }, "outside"],
    ["search", "Grep", [], { pattern: "x", glob: "../**" }, "outside"],
    ["search", "Glob", [], { pattern: "**/*.ts" }, "inside"],
    ["search", "Glob", [], { pattern: "/etc/*" }, "outside"],
    ["search", "Glob", [], { pattern: "*/../../*" }, "unknown"],
    ["search", "Glob", [], { pattern: "{/etc,src}/*" }, "unknown"],
    ["write", "Write", ["src/a"], {}, "unknown"],
    ["mcp", "mcp__x__read", ["src/a"], {}, "unknown"],
  ])("%s by %s of %j with %j: %s", (kind, tool, paths, args, expected) => {
    const { facts } = makeProject();
    const envelope = { tool, kind: kind as "read", args };
    expect(reachOf(toolSubject(envelope, { ...facts, paths }))).toBe(expected);
  });

  test("a project that is reached through a link is the same project", () => {
    const { folder, root } = makeProject();
    const subject = toolSubject(
      { tool: "Read", kind: "read" },
      { root: join(folder, "same"), home: folder, paths: [join(root, "src/a")] },
    );
    expect(reachOf(subject)).toBe("inside");
  });
});
