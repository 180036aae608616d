// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is how a suite writes it
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { EVALUATORS } from "../../../src/bench/evaluators/roster.ts";
import { loadSuite } from "../../../src/bench/suite/load.ts";
import { formatFault } from "../../../src/core/command/fault.ts";
import { ADAPTERS } from "../../support/agents.ts";
import { faultOf } from "../../support/faults.ts";
import { temporaryFolder, writeFiles } from "../../support/temporary-folder.ts";

const load = (cases: string, files: Readonly<Record<string, string>>, more = "") => {
  const folder = temporaryFolder();
  writeFiles(folder, files);
  const file = join(folder, "suite.yaml");
  writeFileSync(file, `name: s\nagents: [{ agent: codex }]\ncases: ${cases}\n${more}`);
  return loadSuite(file, { env: { HOME: "/h" }, evaluators: EVALUATORS, adapters: ADAPTERS });
};

const TEMPLATE =
  '[{ from: ./q.csv, id: "q-${nr}", prompt: "Answer: ${question}", tags: ["${kind}"], evaluators: [{ contains: "${answer}" }, { run: "echo ${answer}" }] }]';
const CSV =
  'nr,question,answer,kind\r\n1,"What is 1, or ""one""?","a\nb",easy\r\n\n2,${answer} ${HOME},y,hard\n';

describe("cases from a file", () => {
  test("of CSV are its rows; what a shell reads is not filled in, and no value twice", () => {
    const { cases } = load(TEMPLATE, { "q.csv": CSV }, "variables: [HOME]\n");
    expect(cases.map(({ id, task, tags }) => ({ id, task, tags }))).toEqual([
      {
        id: "q-1",
        task: { kind: "prompt", text: 'Answer: What is 1, or "one"?' },
        tags: ["easy"],
      },
      { id: "q-2", task: { kind: "prompt", text: "Answer: ${answer} ${HOME}" }, tags: ["hard"] },
    ]);
    expect(JSON.stringify(cases[0]?.evaluators[0]?.options)).toContain("a\\nb");
    expect(JSON.stringify(cases[0]?.evaluators[1]?.options)).toContain("echo ${answer}");
  });

  test("of JSON lines are its objects, named by their own id, else by their number", () => {
    const rows = '{"id":"x","q":"one"}\n\n{"id":"y","q":2}\n';
    const named = load('[{ from: q.jsonl, prompt: "${q}" }]', { "q.jsonl": rows });
    expect(named.cases.map(({ id, task }) => [id, task])).toEqual([
      ["x", { kind: "prompt", text: "one" }],
      ["y", { kind: "prompt", text: "2" }],
    ]);
    const counted = load('[{ from: q.jsonl, id: q, prompt: "${q}" }]', { "q.jsonl": rows });
    expect(counted.cases.map(({ id }) => id)).toEqual(["q-1", "q-2"]);
  });

  test.each([
    ["[{ from: gone.csv, prompt: x }]", "", "suite.yaml:3:17: `gone.csv` cannot be read"],
    ["[{ from: q.csv, prompt: x }]", "a,b\n1\n", "q.csv:2: 1 fields, the first line has 2"],
    ["[{ from: q.csv, prompt: x }]", 'a\n"1\n', "q.csv:2: a quote is not closed"],
    ["[{ from: q.csv, prompt: x }]", "a\n", "`q.csv` has no rows"],
    ["[{ from: q.jsonl, prompt: x }]", "[1]\n", "q.jsonl:1: it is no object"],
    ["[{ from: q.csv, prompt: x }]", "a,b,a\n1,2,3\n", "q.csv:1: the column `a` is there twice"],
    ["[{ from: q.csv, prompt: x }]", "id\na\nb c\n", 'q.csv:3: the id "b c" must be letters'],
    [
      '[{ from: q.csv, prompt: "${question}" }]',
      "id;question\n1;2\n",
      "q.csv:2: there is no column `question`; there are `id;question`",
    ],
    [
      '[{ from: q.csv, prompt: x, evaluators: [{ contains: "${anwser}" }] }]',
      "answer\n1\n",
      "q.csv:2: there is no column `anwser`; did you mean `answer`?",
    ],
    [
      '[{ from: q.jsonl, prompt: "${q}" }]',
      '{"q":"1"}\n\n{"p":"2"}\n',
      "q.jsonl:3: there is no column `q`",
    ],
    ["[{ from: q.txt, prompt: x }]", "a", "`q.txt` is neither `.csv` nor `.jsonl`"],
  ])("%s is refused at its place", async (cases, text, problem) => {
    const file = /q\.\w+/.exec(cases)?.[0] ?? "other";
    const refused = await faultOf(() => load(cases, { [file]: text }));
    expect(formatFault(refused)).toContain(problem);
  });

  test("a column may have any words for its name, and what no row fills in may have others", () => {
    const { cases } = load(
      '[{ from: q.csv, prompt: "${Die Frage} ${case} ${a+b}", evaluators: [{ run: "echo ${HOME}" }] }]',
      { "q.csv": "\ufeffDie Frage\r\nwarum?\r\n" },
    );
    expect(cases.map(({ task }) => task)).toEqual([
      { kind: "prompt", text: "warum? ${case} ${a+b}" },
    ]);
  });

  test("any fields come back as they were written", () => {
    const field = fc.string({ unit: fc.constantFrom(...'ab,"\n\r €') });
    fc.assert(
      fc.property(fc.array(fc.tuple(field, field), { minLength: 1, maxLength: 5 }), (rows) => {
        const quote = (text: string) => `"${text.replaceAll('"', '""')}"`;
        const csv = ["a,b", ...rows.map((row) => row.map(quote).join(","))].join("\r\n");
        const { cases } = load('[{ from: q.csv, id: q, prompt: "x${a}|${b}" }]', { "q.csv": csv });
        expect(cases.map(({ task }) => task)).toEqual(
          rows.map(([a, b]) => ({ kind: "prompt", text: `x${a}|${b}` })),
        );
      }),
      { numRuns: 50 },
    );
  });
});

test.each([
  ["of the suite", "", "matrix: { cases: { prompt: ['Do ${q}', 'Try ${q}'] } }\n"],
  ["of the case", "matrix: { prompt: ['Do ${q}', 'Try ${q}'] }, ", ""],
])("a matrix %s over prompts has the values of each row", (_, own, more) => {
  const { cases } = load(
    `[{ from: q.csv, ${own}id: "\${id}" }]`,
    { "q.csv": "id,q\na,1\nb,2\n" },
    more,
  );
  expect(cases.map(({ id, task }) => [id, task.kind === "prompt" ? task.text : ""])).toEqual([
    ["a[prompt=#1]", "Do 1"],
    ["a[prompt=#2]", "Try 1"],
    ["b[prompt=#1]", "Do 2"],
    ["b[prompt=#2]", "Try 2"],
  ]);
});

test("a matrix tries several prompts, written or in files", () => {
  const files = { "short.md": "be brief", "long.md": "be thorough" };
  const { cases } = load(
    "[{ id: a, matrix: { prompt: [say it, sing it] } }, { id: b, matrix: { prompt_file: [short.md, long.md] } }]",
    files,
  );
  expect(cases.map(({ id, task }) => [id, task.kind === "prompt" ? task.text : ""])).toEqual([
    ["a[prompt=#1]", "say it"],
    ["a[prompt=#2]", "sing it"],
    ["b[prompt_file=short.md]", "be brief"],
    ["b[prompt_file=long.md]", "be thorough"],
  ]);
});
