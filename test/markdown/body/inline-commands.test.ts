import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import { createInlineRunner } from "../../../src/markdown/body/inline-commands.ts";
import { makePlace } from "./body-context.ts";

describe("an inline command", () => {
  it("is replaced by what it prints, without the last line end", async () => {
    expect(await makePlace().prompt("<!`printf 'a\\nb\\n\\n'`>")).toBe("<a\nb>");
  });

  it("runs where the command was invoked, by bash, with nothing on stdin", async () => {
    const place = makePlace();
    expect(await place.prompt("!`pwd` !`cat` !`[[ a == a ]] && echo bash`")).toBe(
      `${place.project}  bash`,
    );
  });

  it("runs by sh where there is no bash", async () => {
    const place = makePlace();
    const environment = { PATH: join(place.folder, "bin") };
    mkdirSync(environment.PATH);
    symlinkSync("/bin/sh", join(environment.PATH, "sh"));
    const runInline = createInlineRunner({ cwd: place.project, environment });
    expect(await place.prompt("!`echo $0`", { runInline })).toBe("sh");
    expect(await place.prompt("!`echo $0`")).toBe("bash");
  });

  it("sees variables as its environment, never in its text", async () => {
    const place = makePlace();
    const variables = {
      focus: "$(touch pwned); `touch pwned`; ' \" \\ \n x",
      args: ["a b", "c"],
      count: 3,
      "a-b": "no name for a shell",
    };
    expect(await place.prompt('!`printf %s "$focus"`', { variables })).toBe(variables.focus);
    expect(await place.prompt("!`echo $args $count`", { variables })).toBe("'a b' c 3");
    expect(existsSync(join(place.project, "pwned"))).toBe(false);
  });

  it("sees the variables of the loop it stands in", async () => {
    const variables = { args: ["x y", "z"] };
    const text = '{% for arg in args %}[!`echo "$arg"`]{% endfor %}';
    expect(await makePlace().prompt(text, { variables })).toBe("[x y][z]");
  });

  test.each([
    ["PATH", "/nowhere", "a name in capitals is never given to a command"],
    ["http_proxy", "http://x", "a name in capitals is never given to a command"],
    ["big", "x".repeat(200_000), "it is longer than 128 KB"],
    ["nul", "a\0b", "it contains a NUL byte"],
  ])("is refused the variable %s", async (name, value, reason) => {
    const place = makePlace();
    expect(await place.prompt("!`echo hello`", { variables: { [name]: value } })).toBe("hello");
    expect(await place.problem(`!\`echo $${name}\``, { variables: { [name]: value } })).toBe(
      `review.md:5:1: \`echo $${name}\` needs \`$${name}\`, and ${reason}; rename the variable or pass it another way`,
    );
  });

  it("that fails is an error with its stderr", async () => {
    expect(await makePlace().problem("ok\n!`echo out; echo broken >&2; exit 3`")).toBe(
      "review.md:6:1: `echo out; echo broken >&2; exit 3` exited with 3: broken; run it by itself; end it with `|| true` where it may fail",
    );
  });

  it("that hangs is ended", async () => {
    const place = makePlace();
    const { project: cwd, environment } = place;
    const runInline = createInlineRunner({ cwd, environment, timeoutMs: 300 });
    expect(await place.problem("!`sleep 60`", { runInline })).toContain(
      "review.md:5:1: `sleep 60` did not finish within 300 ms",
    );
  });

  it("is cut at 100 KB with a notice, between characters", async () => {
    const place = makePlace({ "long.txt": `x${"é".repeat(80_000)}` });
    const made = await place.prompt("!`cat long.txt`");
    expect(made).toBe(`x${"é".repeat(51_199)}\n[output cut: 102399 of 160001 bytes]`);
  });

  it("may not print a NUL byte", async () => {
    expect(await makePlace().problem("!`printf 'a\\0b'`")).toContain("wrote a NUL byte");
  });

  it("is not run by a rehearsal, and stands there as written", async () => {
    const place = makePlace();
    const made = await place.prompt("a !`touch made` b @https://x.example/", { runInline: null });
    expect(made).toBe("a !`touch made` b @https://x.example/");
    expect(existsSync(join(place.project, "made"))).toBe(false);
  });

  it("ends with whoever asked", async () => {
    const place = makePlace();
    const asking = new AbortController();
    const made = place.prompt("!`touch started; sleep 60`", { signal: asking.signal });
    await expect
      .poll(() => existsSync(join(place.project, "started")), { timeout: 10_000 })
      .toBe(true);
    asking.abort();
    await expect(made).rejects.toThrow("aborted");
  });
});

describe("several inline commands", () => {
  it("appear in order though they end in another", async () => {
    const place = makePlace();
    const wait = (file: string) => `until [ -e ${file} ]; do sleep 0.01; done`;
    const text = `!\`${wait("second")}; echo 1\` !\`touch second; echo 2\``;
    expect(await place.prompt(text)).toBe("1 2");
  });

  it("run eight at a time and no more", async () => {
    const place = makePlace();
    let running = 0;
    let most = 0;
    const inner = place.world().runInline;
    const text = Array.from({ length: 20 }, (_, index) => `!\`echo ${index}\``).join(" ");
    const made = await place.prompt(text, {
      runInline: async (command, options) => {
        running += 1;
        most = Math.max(most, running);
        const output = await inner?.(command, options);
        running -= 1;
        if (output === undefined) throw new Error("no runner");
        return output;
      },
    });
    expect(made).toBe(Array.from({ length: 20 }, (_, index) => index).join(" "));
    expect(most).toBe(8);
  });

  it("are ended when one fails, and that one is reported", async () => {
    const place = makePlace();
    writeFileSync(join(place.project, "count"), "");
    const text = `!\`sleep 60\` !\`exit 7\`${" !`echo x >> count`".repeat(20)}`;
    expect(await place.problem(text)).toContain("review.md:5:13: `exit 7` exited with 7");
  });
});
