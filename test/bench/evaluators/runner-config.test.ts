import { expect, test } from "vitest";
import {
  isRunnerConfig,
  shadowsOf,
  testFoldersOf,
} from "../../../src/bench/evaluators/runner-config.ts";
import { gradeBy } from "./grading.ts";

const hidden = { command: "sh tests/check.sh", files: "hidden" };
const suite = {
  "hidden/tests/check.sh": "test ! -e tests/conftest.py && test ! -e jest.config.js\n",
};

test("what an agent planted beside hidden tests is gone when they run, and is named", async () => {
  const facts = {
    base: { "tests/data.txt": "as it was" },
    after: {
      "tests/conftest.py": "",
      "tests/data.txt": "mine",
      "jest.config.js": "",
      "package.json": "{}",
    },
    suite: {
      "hidden/tests/check.sh": `${suite["hidden/tests/check.sh"]}grep -q 'as it was' tests/data.txt\n`,
    },
  };
  expect((await gradeBy("run", hidden, facts)).grade).toMatchObject({
    status: "passed",
    message:
      "exit 0 (put back: `jest.config.js`, `tests/conftest.py`; changed by the agent: `package.json`)",
  });
});

test("a module of the agent's that is called like the runner is not the runner", async () => {
  const facts = {
    base: { "sol.py": "X = 1" },
    after: { "sol.py": "X = 1", "unittest.py": "", "unittest/__init__.py": "" },
    suite: {
      "hidden/tests/test_sol.py":
        "import unittest, sol\nclass T(unittest.TestCase):\n  def test(self): self.assertEqual(sol.X, 2)\n",
    },
  };
  const command = "python3 -m unittest tests/test_sol.py";
  expect((await gradeBy("run", { command, files: "hidden" }, facts)).grade).toMatchObject({
    status: "failed",
    message: expect.stringContaining("put back: `unittest.py`, `unittest/__init__.py`"),
  });
});

test("nor is a module that the runner loads, in place of Python's own", async () => {
  const passes = "import os\nos._exit(0)\n";
  const facts = {
    base: { "sol.py": "X = 1" },
    after: { "sol.py": "X = 1", "traceback.py": passes, "difflib/__init__.py": passes },
    suite: {
      "hidden/tests/test_sol.py":
        "import unittest, sol\nclass T(unittest.TestCase):\n  def test(self): self.assertEqual(sol.X, 2)\n",
    },
  };
  const command = "python3 -m unittest tests/test_sol.py";
  expect((await gradeBy("run", { command, files: "hidden" }, facts)).grade).toMatchObject({
    status: "failed",
    message: expect.stringContaining("put back: `difflib/__init__.py`, `traceback.py`"),
  });
});

const PASSES = "import os\nos._exit(0)\n";
const HIDDEN_PY = {
  command: "python3 -m unittest hidden_test",
  files: "hidden",
};
const HIDDEN_TESTS = { command: "python3 -m unittest tests.test_sol", files: "hidden/below" };
const HIDDEN_JS = { command: "node hidden.js", files: "hidden" };

test.each<readonly [string, object, string, string]>([
  ["a package", HIDDEN_PY, "hidden_test/__init__.py", PASSES],
  ["a module before the folder of tests", HIDDEN_TESTS, "tests.py", PASSES],
  ["a file without an ending", HIDDEN_JS, "helper", "process.exit(0)"],
  ["a file with another one", HIDDEN_JS, "helper.cjs", ""],
  ["a makefile", { command: "make -s", files: "hidden" }, "GNUmakefile", "all:\n\t@true\n"],
  ["a makefile before one", { command: "make -s", protect: ["Makefile"] }, "makefile", "all:\n"],
])(
  "what is found in the place of the suite's own files is put back: %s",
  async (_, options, path, text) => {
    const test = "import unittest\nclass T(unittest.TestCase):\n  def test(self): self.fail()\n";
    const facts = {
      base: { Makefile: "all:\n\t@false\n" },
      after: { Makefile: "all:\n\t@false\n", [path]: text },
      suite: {
        "hidden/hidden_test.py": test,
        "hidden/below/tests/test_sol.py": test,
        "hidden/hidden.js": "require('./helper'); process.exit(1)",
        "hidden/helper.js": "",
        "hidden/Makefile": "all:\n\t@false\n",
      },
    };
    expect((await gradeBy("run", options, facts)).grade).toMatchObject({
      status: "failed",
      message: expect.stringContaining(`put back: \`${path}\``),
    });
  },
);

test.each([
  ["hidden_test/__init__.py", true],
  ["hidden_test.abi3.so", true],
  ["__pycache__/hidden_test.cpython-311.pyc", true],
  ["tests.pyc", true],
  ["src/__pycache__/a_test.cpython-311.pyc", true],
  ["lib/range.test.mjs", true],
  ["hidden_test.py", false],
  ["hidden_tests.py", false],
  ["hidden_test.md", false],
  ["src/a.py", false],
  ["lib/range.js", false],
  ["calc.js", false],
  ["lib/Makefile", false],
])("%s is found before what the suite brings: %s", (path, isShadow) => {
  const brought = [
    ...["hidden_test.py", "tests/test_a.py", "src/a_test.py", "lib/range.test.js"],
    ...["calc.json", "Makefile"],
  ];
  expect(shadowsOf(brought)(path)).toBe(isShadow);
});

test("a suite may leave the agent's configuration of runners alone, which is named then", async () => {
  const facts = { after: { "jest.config.js": "" }, suite };
  const graded = await gradeBy("run", { ...hidden, runner_config: "keep" }, facts);
  expect(graded.grade).toMatchObject({
    status: "failed",
    message: "exit 1 (changed by the agent: `jest.config.js`)",
  });
  const alone = await gradeBy("run", "test -e jest.config.js", facts);
  expect(alone.grade.message).toBe("exit 0 (changed by the agent: `jest.config.js`)");
});

test("what the suite brings itself, and what was there before, is not the agent's", async () => {
  const base = { "pytest.ini": "", "conftest.py": "mine" };
  const facts = {
    base,
    after: { ...base, "pytest.ini": "changed" },
    suite: { "hidden/tests/check.sh": "test ! -s pytest.ini && test -s conftest.py\n" },
  };
  expect((await gradeBy("run", hidden, facts)).grade.message).toBe(
    "exit 0 (put back: `pytest.ini`)",
  );
});

test.each([
  ...[
    "conftest.py",
    "a/b/conftest.py",
    "pytest.ini",
    "tox.ini",
    "sitecustomize.py",
    "unittest.py",
    "unittest/__init__.py",
    "pytest/__main__.py",
    "traceback.cpython-311-x86_64-linux-gnu.so",
    "argparse.pyc",
    "unittest.pyc",
    "pytest.abi3.so",
    ".cargo/config.toml",
    ".mvn/jvm.config",
    "jest.config.mjs",
    "vitest.config.ts",
  ],
  ...[
    "vitest.workspace.js",
    ".mocharc.yml",
    ".npmrc",
    "lib/evil.pth",
    "playwright.config.ts",
    "phpunit.xml",
  ],
])("%s steers a runner and nothing else", (path) => {
  expect(isRunnerConfig(path)).toBe(true);
});

test.each([
  "package.json",
  "Makefile",
  "config.ts",
  "src/jest.ts",
  "conftest.py.md",
  "pyproject.toml",
  "token.py",
  "src/traceback.py",
  "logging/setup.py",
])("%s may be part of the work", (path) => {
  expect(isRunnerConfig(path)).toBe(false);
});

test("folders of tests are replaced as a whole, folders of sources are not", () => {
  const paths = [
    "tests/unit/a.py",
    "src/a.test.ts",
    "src/__tests__/b.ts",
    "check.sh",
    "lib/spec/x/y.rb",
  ];
  expect(testFoldersOf(paths)).toEqual(["tests", "src/__tests__", "lib/spec"]);
});
