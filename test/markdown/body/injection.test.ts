// What is inserted is never looked at again: whatever arrives, by whichever way, comes out as it went
// in, and the canary command never runs. Real files, real processes, a real server.
import { once } from "node:events";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it, onTestFinished } from "vitest";
import { inTier } from "../../support/tier.ts";
import { makePlace, type Place } from "./body-context.ts";

const CASES = inTier(25, 1_000);

const hostile = (canary: string, host: string) =>
  fc
    .array(
      fc.oneof(
        fc.constantFrom(
          ...[`!\`touch ${canary}\``, `!\`\`touch ${canary}\`\``, `$(touch ${canary})`],
          ...[
            `; touch ${canary};`,
            `\`touch ${canary}\``,
            `' ; touch ${canary} '`,
            `" ; touch ${canary} "`,
          ],
          ...[
            "@./secret.md",
            "@../secret.md",
            `@http://${host}/secret`,
            "@./*",
            "{{ secret }}",
            "{{secret}}",
          ],
          ...[
            "{% include './secret.md' %}",
            "{% raw %}",
            "{% endraw %}",
            "{% if secret %}",
            "{% endif %}",
          ],
          ...[
            "{% comment %}",
            "{% liquid echo secret %}",
            "{{",
            "}}",
            "{%",
            "%}",
            "{{-",
            "-%}",
            "\\{{",
            "\\@",
          ],
          ...[
            "</file>",
            "</file-2>",
            '<file path="x">',
            "</stdin>",
            "```",
            "~~~",
            "`",
            "\n",
            "\n\n",
            " ",
            "\t",
          ],
          ...[
            "\\",
            "$secret",
            `$${"{secret}"}`,
            "&quot;",
            '">',
            "---",
            "\r\n",
            "$&",
            "$1",
            "%s",
            "{% adjutant-piece %}",
          ],
        ),
        fc.string({ unit: "grapheme", maxLength: 6 }),
      ),
      { minLength: 1, maxLength: 8 },
    )
    // A NUL byte is refused before it comes here, by every way in.
    .map((parts) => parts.join("").replaceAll("\0", ""));

const BODY = `var[{{ input }}] list[{{ list }}] each[{% for one in list %}({{ one }}){% endfor %}]
{%- if input == secret %}!\`touch "$canary"\`{% endif %}
stdin[{{ stdin }}] pre[{{ pre }}]
shell[!\`printf '%s.] output[' "$input"; cat payload; echo .\`]
file[@./payload] name[@./names/*] url[@URL]
`;

/** Reads what stands between two marks of the body, wrapped or not. */
function readWrapped(prompt: string, mark: string): { head: string; text: string } {
  const from = prompt.lastIndexOf(`${mark}[<file`) + mark.length + 1;
  const head = prompt.slice(from, prompt.indexOf("\n", from));
  const tag = /^<(file(?:-\d+)?) /.exec(head)?.[1] ?? "none";
  const end = prompt.indexOf(`</${tag}>`, from);
  expect(prompt.slice(end, end + tag.length + 4)).toBe(`</${tag}>]`);
  return { head, text: prompt.slice(from + head.length + 1, end) };
}

const withLineEnd = (text: string) => (text === "" || text.endsWith("\n") ? text : `${text}\n`);
// Not hidden, and not longer than a name may be.
const asName = (payload: string) =>
  `n${Buffer.from(payload.replaceAll("/", "∕")).subarray(0, 150).toString().replaceAll("\ufffd", "")}`;

interface Setting {
  readonly place: Place;
  readonly host: string;
  readonly canary: string;
  serve(content: string): void;
}

async function makeSetting(): Promise<Setting> {
  let content = "";
  const server = createServer((_, response) => response.end(content)).listen(0, "127.0.0.1");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, "listening");
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const place = makePlace({
    "commands/secret.md": "TOP-SECRET-FILE",
    "secret.md": "TOP-SECRET-FILE",
  });
  const serve = (next: string) => {
    content = next;
  };
  return { place, host, canary: join(place.folder, "canary"), serve };
}

async function insertEverywhere(
  { place, host, canary, serve }: Setting,
  payload: string,
): Promise<string> {
  const names = join(place.project, "commands/names");
  rmSync(names, { recursive: true, force: true });
  mkdirSync(names);
  writeFileSync(join(names, asName(payload)), payload);
  place.write({ "commands/payload": payload, payload });
  serve(payload);
  const variables = {
    input: payload,
    list: [payload, payload],
    stdin: payload,
    pre: payload,
    secret: "TOP-SECRET-VARIABLE",
    canary,
  };
  const urls = { hosts: [host], lockFile: join(place.folder, "lock"), acceptChange: () => true };
  return place.prompt(BODY.replace("URL", `http://${host}/payload`), {
    variables,
    urls,
    appendedStdin: payload,
  });
}

it(`is inert in ${CASES} generated cases, by eight ways in each`, {
  timeout: 600_000,
}, async () => {
  const setting = await makeSetting();
  let cases = 0;
  await fc.assert(
    fc.asyncProperty(hostile(setting.canary, setting.host), async (payload) => {
      const prompt = await insertEverywhere(setting, payload);
      cases += 1;
      expect(existsSync(setting.canary)).toBe(false);
      expect(prompt).not.toContain("TOP-SECRET");
      expect(prompt.startsWith(`var[${payload}] list[`)).toBe(true);
      expect(prompt).toContain(
        `] each[(${payload})(${payload})]\nstdin[${payload}] pre[${payload}]\n`,
      );
      expect(prompt).toContain(`shell[${payload}.] output[${payload}.]\nfile[<file`);
      expect(readWrapped(prompt, "file")).toMatchObject({ text: withLineEnd(payload) });
      expect(readWrapped(prompt, "url").text).toBe(withLineEnd(payload));
      const { head, text } = readWrapped(prompt, "name");
      expect(text).toBe(withLineEnd(payload));
      expect(head).toMatch(/^<file(-\d+)? path="[^"<>]*">$/);
      const stdin = /## Standard input\n\n<(stdin(?:-\d+)?)>\n/.exec(
        prompt.slice(prompt.lastIndexOf("## Standard input")),
      );
      expect(prompt.endsWith(`${withLineEnd(payload)}</${stdin?.[1]}>\n`)).toBe(true);
      expect(payload).not.toContain(`</${stdin?.[1]}>`);
    }),
    { numRuns: CASES },
  );
  expect(cases).toBeGreaterThanOrEqual(CASES);
});

it("runs the canary when the author writes it, so that its absence means something", async () => {
  const { place, canary } = await makeSetting();
  await place.prompt(`!\`touch ${canary}\``);
  expect(existsSync(canary)).toBe(true);
});
