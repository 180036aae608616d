import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { parse } from "jsonc-parser";
import { describe, expect, test } from "vitest";
import { ENTRY_INSTALLERS, openBench } from "./installing.ts";

const OTHERS = `{
  "hooks": {
    "PreToolUse": [{ "matcher": "Bash", "hooks": [{ "type": "command", "command": "./mine" }] }],
    "Stop": []
  }
}
`;

interface Odd {
  readonly name: string;
  readonly text: string;
  readonly needs?: "comments" | "trailingCommas" | "mark";
}

const ODD_FILES: readonly Odd[] = [
  { name: "an empty file", text: "" },
  { name: "blank lines", text: "\n\n" },
  { name: "`{}`", text: "{}" },
  { name: "`{}` with a newline", text: "{}\n" },
  { name: "an object over two lines", text: "{\n}\n" },
  { name: "no newline at the end", text: '{\n  "description": "x"\n}' },
  { name: "everything on one line", text: '{"description":"x","hooks":{}}' },
  { name: "empty hooks", text: '{ "hooks": { } }\n' },
  { name: "hooks of others", text: OTHERS },
  { name: "tabs", text: '{\n\t"description": "x",\n\t"hooks": {\n\t\t"Stop": []\n\t}\n}\n' },
  { name: "four spaces", text: '{\n    "hooks": {},\n    "description": "x"\n}\n' },
  { name: "CRLF", text: OTHERS.replaceAll("\n", "\r\n") },
  { name: "a byte order mark", text: `\ufeff${OTHERS}`, needs: "mark" },
  { name: "a byte order mark alone", text: "\ufeff", needs: "mark" },
  { name: "odd blanks", text: '\n\n  { "description" :"x" ,\n\n"hooks":{"Stop"  :[ ]}}   \n\n' },
  { name: "escapes and wide letters", text: '{"description":"\\u00e4 ä 你好 😀 \\\\"}\n' },
  {
    name: "comments",
    text: '// top\n{\n  /* in */ "hooks": { // beside\n  }\n}\n// end\n',
    needs: "comments",
  },
  { name: "nothing but a comment", text: "// nothing yet", needs: "comments" },
  { name: "a comma too many", text: '{\n  "hooks": {},\n}\n', needs: "trailingCommas" },
];

const CASES = ENTRY_INSTALLERS.flatMap((installer) =>
  ODD_FILES.filter(({ needs }) => needs === undefined || installer.syntax[needs]).map((odd) => ({
    agent: installer.agent,
    installer,
    ...odd,
    text: seeded(odd.text, installer.seed),
  })),
);

/** Copilot wants its version in every object. */
function seeded(text: string, seed: object): string {
  const [[key, value] = []] = Object.entries(seed);
  if (key === undefined || !text.includes("{")) return text;
  const gap = /\{\s*\}/.test(text) && !text.includes('"') ? "" : ",";
  return text.replace("{", `{"${key}":${value}${gap}`);
}

describe.each(CASES)("$agent with $name", ({ installer, text }) => {
  test("gets its entries, and back come the very bytes", async () => {
    const bench = openBench(installer);
    bench.write(text);
    const { did } = await bench.install();
    expect(did).toBe("changed");
    const config: unknown = parse(bench.text().replace("\ufeff", ""));
    for (const event of installer.events) expect(config).toHaveProperty(["hooks", event.event]);
    expect((await bench.install()).did).toBe("nothing");
    expect((await bench.uninstall()).did).toBe("changed");
    expect(bench.read()).toEqual(Buffer.from(text));
    expect((await bench.uninstall()).did).toBe("nothing");
  });

  test("keeps its line ends, its mark and everything that is not ours", async () => {
    const bench = openBench(installer);
    bench.write(text);
    await bench.install();
    const installed = bench.text();
    expect(installed.startsWith("\ufeff")).toBe(text.startsWith("\ufeff"));
    if (text.includes("\r\n")) expect(installed.replaceAll("\r\n", "")).not.toContain("\n");
    if (text.includes("\t")) expect(installed).not.toMatch(/^ /m);
    for (const kept of ["./mine", "// top", "/* in */", "// beside", "// end", "// nothing yet"])
      expect(installed.includes(kept)).toBe(text.includes(kept));
    expect(installed.endsWith("\n")).toBe(text.endsWith("\n") || !text.includes("{"));
  });
});

describe.each(ENTRY_INSTALLERS)("$agent without a file", (installer) => {
  test.each(["user", "project"] as const)("has none again after uninstall (%s)", async (scope) => {
    const bench = openBench(installer, scope);
    expect((await bench.install()).did).toBe("created");
    expect(bench.text().endsWith("}\n")).toBe(true);
    expect((await bench.install()).did).toBe("nothing");
    expect((await bench.uninstall()).did).toBe("removed");
    expect(bench.read()).toBeNull();
    expect(existsSync(dirname(bench.file))).toBe(false);
  });

  test("can be told other things later and still gives back the first bytes", async () => {
    const bench = openBench(installer);
    const text = `${JSON.stringify(installer.seed)}\n`;
    bench.write(text);
    await bench.install();
    expect((await bench.install({ limitMs: 9_000 })).did).toBe("changed");
    expect((await bench.install({ isShimsOnly: true })).did).toBe("changed");
    expect(Object.keys(parse(bench.text()).hooks)).toHaveLength(1);
    await bench.uninstall();
    expect(bench.text()).toBe(text);
  });
});
