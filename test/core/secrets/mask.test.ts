import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { describeArguments } from "../../../src/core/command/describe-arguments.ts";
import {
  privateTexts,
  shapeArguments,
  shapeOf,
} from "../../../src/core/command/recorded-arguments.ts";
import { looksSecret, maskSecrets } from "../../../src/core/secrets/mask.ts";
import { anyCharacter } from "../../support/any-character.ts";

const KEY_BLOCK = [
  "-----BEGIN OPENSSH PRIVATE KEY-----",
  "b3BlbnNzaC1rZXktdjEAAAAABG5vbmU",
  "-----END OPENSSH PRIVATE KEY-----",
].join("\n");

// Made up, with the form the issuer gives them. Joined from halves so that no scanner takes them for real.
const glue = (...parts: string[]): string => parts.join("");
const A40 = "a1B2c3D4e5".repeat(4);
const HEX64 = "0123456789abcdef".repeat(4);

const SECRETS: readonly [issuer: string, secret: string][] = [
  ["Anthropic", glue("sk-ant-", "api03-", A40, "-xY_z9AA")],
  ["Anthropic (login)", glue("sk-ant-", "oat01-", A40)],
  ["OpenAI", glue("sk-", A40)],
  ["OpenAI (project)", glue("sk-proj-", A40, "_", A40)],
  ["OpenAI (service)", glue("sk-svcacct-", A40)],
  ["OpenRouter", glue("sk-or-v1-", HEX64)],
  ["DeepSeek", glue("sk-", HEX64.slice(0, 32))],
  ["Cerebras", glue("csk-", HEX64.slice(0, 48))],
  ["Google", glue("AIza", "SyA1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q")],
  ["Google (access)", glue("ya29.", "a0AfH6SMBx1234567890-_abc")],
  ["Gemini", glue("AQ.", "Ab8RN6K1234567890abcdefgh-_")],
  ["xAI", glue("xai-", A40, A40)],
  ["Groq", glue("gsk_", A40)],
  ["Hugging Face", glue("hf_", A40.slice(0, 34))],
  ["Replicate", glue("r8_", A40.slice(0, 37))],
  ["Perplexity", glue("pplx-", HEX64.slice(0, 48))],
  ["Fireworks", glue("fw_", A40.slice(0, 24))],
  ["Together", glue("tgp_v1_", A40)],
  ["Cursor", glue("crsr_", HEX64)],
  ["GitHub", glue("ghp_", A40.slice(0, 36))],
  ["GitHub (login)", glue("gho_", A40.slice(0, 36))],
  ["GitHub (Copilot)", glue("ghu_", A40.slice(0, 36))],
  ["GitHub (fine-grained)", glue("github_pat_", A40, "_", A40)],
  ["GitLab", glue("glpat-", A40.slice(0, 20))],
  ["npm", glue("npm_", A40.slice(0, 36))],
  ["PyPI", glue("pypi-", "AgEIcHlwaS5vcmc", A40)],
  ["AWS id", glue("AKIA", "IOSFODNN7EXAMPLE")],
  ["AWS id (session)", glue("ASIA", "IOSFODNN7EXAMPLE")],
  ["AWS Bedrock", glue("ABSK", A40, A40, "=")],
  ["Slack", glue("xoxb-", "123456789012-abcdefABCDEF")],
  ["Slack (app)", glue("xapp-", "1-A0123-456-abcdef")],
  ["Stripe", glue("sk_live_", A40.slice(0, 24))],
  ["SendGrid", glue("SG.", A40.slice(0, 22), ".", A40)],
  ["Twilio", glue("SK", HEX64.slice(0, 32))],
  ["DigitalOcean", glue("dop_v1_", HEX64)],
  ["JSON Web Token", glue("eyJhbGciOiJIUzI1NiJ9", ".eyJzdWIiOiIxIn0", ".c2lnbmF0dXJl-_")],
  ["private key", KEY_BLOCK],
  ["PGP key", KEY_BLOCK.replaceAll("OPENSSH PRIVATE KEY", "PGP PRIVATE KEY BLOCK")],
];

describe("a secret in free text", () => {
  test.each(SECRETS)("of %s is masked, and nothing around it", (_issuer, secret) => {
    expect(maskSecrets(`key: ${secret}, used\ntwice "${secret}"`)).toBe(
      'key: [secret], used\ntwice "[secret]"',
    );
    expect(looksSecret(secret)).toBe(true);
  });

  test.each<[text: string, masked: string]>([
    ["Authorization: Bearer abc.def-123456", "Authorization: Bearer [secret]"],
    [`AWS_SECRET_ACCESS_KEY=${A40}`, "AWS_SECRET_ACCESS_KEY=[secret]"],
    [`{"SecretAccessKey": "${A40}"}`, '{"SecretAccessKey": "[secret]"}'],
    [`aws_session_token = ${A40}${A40}==`, "aws_session_token = [secret]"],
    ["https://ann:hunter2@example.org/x", "https://ann:[secret]@example.org/x"],
    ["redis://:hunter2@localhost:6379", "redis://:[secret]@localhost:6379"],
    ["postgres://ann:p@ss:w@rd@db/x", "postgres://ann:[secret]@db/x"],
    ["git+ssh://a:b@c d@e", "git+ssh://a:[secret]@c d@e"],
    ["-----BEGIN PRIVATE KEY-----\ncut off", "[secret]"],
  ])("%j is kept as %j", (text, masked) => {
    expect(maskSecrets(text)).toBe(masked);
  });

  test.each([
    "pip install sk-learn",
    "sk-learn-contrib-preprocessing-extras",
    "task-20261115-and-a-very-long-name-indeed",
    "risk-assessment-of-2026-quarter-four-results",
    "disk-0123456789012345678901234567890",
    "the bearer of this letter",
    "Bearer short",
    "AKIA is a prefix",
    "https://example.org:8080/path?to=a@b",
    "ssh://git@example.org/x.git",
    "mail ann@example.org: hello",
    "-----BEGIN PUBLIC KEY-----",
    "eyJ is how they begin",
    "0123456789abcdef0123456789abcdef01234567",
    "npm_config_registry",
    "hf_transfer",
  ])("%j is ordinary text and stays", (text) => {
    expect(maskSecrets(text)).toBe(text);
    expect(looksSecret(text)).toBe(false);
  });
});

describe("a value beside a name that says secret", () => {
  const drawn = "f3a9c1d2".repeat(4);
  test.each<[text: string, masked: string]>([
    ["DB_PASSWORD=hunter22", "DB_PASSWORD=[secret]"],
    ["export JWT_SECRET='s3cr3t-s3cr3t'", "export JWT_SECRET='[secret]'"],
    ["docker run -e POSTGRES_PASSWORD=postgres x", "docker run -e POSTGRES_PASSWORD=[secret] x"],
    [`DD_API_KEY=${drawn}`, "DD_API_KEY=[secret]"],
    [`"api_key": "${drawn}",`, '"api_key": "[secret]",'],
    [`{\\"token\\":\\"${drawn}\\"}`, '{\\"token\\":\\"[secret]\\"}'],
    ['{"password": "hunter2"}', '{"password": "[secret]"}'],
    ["db:\n  password: hunter2\n  port: 1", "db:\n  password: [secret]\n  port: 1"],
    [`x-auth-token: ${drawn}\r\n`, "x-auth-token: [secret]\r\n"],
    [`curl --token ${drawn} url`, "curl --token [secret] url"],
    [`?access_token=${drawn}&x=1`, "?access_token=[secret]&x=1"],
    [
      `HEROKU_API_KEY=${drawn.slice(0, 8)}-1111-4222-8333-${drawn.slice(0, 12)}`,
      "HEROKU_API_KEY=[secret]",
    ],
    [`Authorization: Basic ${btoa("ann:hunter2")}`, "Authorization: Basic [secret]"],
    [`AccountName=x;AccountKey=${"aB3/".repeat(21)}aB==;`, "AccountName=x;AccountKey=[secret];"],
    [`https://${drawn}@github.com/x`, "https://[secret]@github.com/x"],
  ])("%j is kept as %j", (text, masked) => {
    expect(maskSecrets(text)).toBe(masked);
    expect(maskSecrets(masked)).toBe(masked);
  });

  test.each([
    "const token = readToken(file);",
    "password: string;",
    "if (token === undefined || key == other) return;",
    'apiKey: process.env.API_KEY, secret: "$SECRET", token: "<your token>",',
    "API_KEY=your_api_key_here_1234567890",
    '"@inquirer/password": "^4.0.15", "js-tokens": "^4.0.0"',
    "GIT_AUTHOR_DATE=2026-01-02T03:04:05Z",
    "max_tokens: 200000, total_tokens=1234567890123456",
    'type: "password", name: "secret-input", key: "Digit1"',
    'primaryKey: "user_2024_archive_table_01", sortKey=abcdef1234567890abcd',
    "password=$PASSWORD token=$TOKEN secret={{ secret }}",
    `integrity: sha512-${drawn}${drawn}`,
    "basic authentication and bearer authorization are explained",
  ])("%j has none and stays", (text) => {
    expect(maskSecrets(text)).toBe(text);
  });

  test("stops no guard where a person may have chosen it for a test", () => {
    expect(looksSecret('{"password": "hunter2"}')).toBe(false);
    expect(looksSecret(`{"api_key": "${drawn}"}`)).toBe(true);
  });
});

test("the recordings of real runs hold nothing that would be masked", () => {
  const folder = join(import.meta.dirname, "../../agents/run/fixtures/recordings");
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) =>
    one.isFile(),
  );
  const hits = files.filter((one) => {
    const text = readFileSync(join(one.parentPath, one.name), "utf8");
    return maskSecrets(text) !== text;
  });
  expect(files.length).toBeGreaterThan(50);
  expect(hits.map(({ parentPath, name }) => join(parentPath, name))).toEqual([]);
});

describe("exact values", () => {
  test("are masked wherever they stand, the longest first", () => {
    expect(maskSecrets("pw=hunter2, pw2=hunter22x", ["hunter2", "hunter22x"])).toBe(
      "pw=[secret], pw2=[secret]",
    );
  });

  test("too short to tell from ordinary words stay", () => {
    expect(maskSecrets("a cat sat", ["cat", ""])).toBe("a cat sat");
  });

  test("are taken as text, not as a pattern", () => {
    expect(maskSecrets("a.*b $& axxb", ["a.*b", "$&$&"])).toBe("[secret] $& axxb");
  });
});

const around = fc.stringMatching(/^[a-z ,.\n]{0,30}$/);

test("a planted secret never survives, and the text around it does", () => {
  const secret = fc.constantFrom(...SECRETS.map(([, one]) => one));
  fc.assert(
    fc.property(around, secret, around, (before, planted, after) => {
      const masked = maskSecrets(`${before} ${planted} ${after}`);
      expect(masked).toBe(`${before} [secret] ${after}`);
    }),
  );
});

test("an exact value never survives, whatever it is", () => {
  const value = fc.string({ unit: anyCharacter, minLength: 4, maxLength: 20 });
  fc.assert(
    fc.property(around, value, around, (before, planted, after) => {
      fc.pre(!"[secret]".includes(planted));
      expect(maskSecrets(before + planted + after, [planted])).not.toContain(planted);
    }),
  );
});

// A pattern that backtracks would need hours for this, and the test's time would be up.
test("long text that only looks alike stays as it is", () => {
  const piece = "sk-:// a:b://c:d eyJ. -----BEGIN PRIVATE Bearer: aws_secret_access_key: ";
  const texts = [
    piece.repeat(15_000),
    `x://${":".repeat(100_000)}`,
    `x://u:${"p".repeat(100_000)}`,
  ];
  expect(texts.map(looksSecret)).toEqual([false, false, false]);
});

const SCHEMA = describeArguments(
  z.object({
    target: z.string().meta({ plain: true }),
    tags: z.array(z.string()).optional().meta({ plain: true }),
    options: z.any().meta({ plain: true }),
    token: z.string().meta({ secret: true }),
    both: z.string().meta({ plain: true, secret: true }),
    note: z.string().optional(),
    pin: z.number().optional(),
  }),
);

test.each<[value: unknown, shape: string]>([
  ["hunter2", "string(7)"],
  ["", "string(0)"],
  [5, "number"],
  [true, "boolean"],
  [null, "null"],
  [undefined, "undefined"],
  [["a", "b"], "array(2)"],
  [{ a: 1 }, "object(1)"],
])("the shape of %j is %s", (value, shape) => {
  expect(shapeOf(value)).toBe(shape);
});

describe("arguments enter the record as shapes", () => {
  test.each<[args: Record<string, unknown>, shapes: Record<string, unknown>]>([
    [{ target: "prod" }, { target: "prod" }],
    [{ tags: ["a", "b"] }, { tags: ["a", "b"] }],
    [{ options: { deep: "hunter2" } }, { options: "object(1)" }],
    [{ options: [{ deep: "hunter2" }] }, { options: "array(1)" }],
    [{ token: "hunter2" }, { token: "string(7)" }],
    [{ both: "hunter2" }, { both: "string(7)" }],
    [
      { note: "hunter2", pin: 1234 },
      { note: "string(7)", pin: "number" },
    ],
    [{ hunter2: "hunter2" }, {}],
    [{ note: undefined }, {}],
    [{ target: "https://ann:hunter2@host/" }, { target: "https://ann:[secret]@host/" }],
    [{ tags: ["https://ann:hunter2@host/"] }, { tags: ["https://ann:[secret]@host/"] }],
  ])("%j as %j", (args, shapes) => {
    expect(shapeArguments(SCHEMA, args)).toEqual(shapes);
  });

  test("nothing of a value that is not marked plain is in it, whatever the value", () => {
    const text = fc.stringMatching(/^[!-~]{6,20}$/).map((one) => `#${one}#`);
    const value = fc.oneof(text, fc.array(text, { minLength: 1 }), fc.dictionary(text, text));
    fc.assert(
      fc.property(value, text, (secret, key) => {
        const record = JSON.stringify(
          shapeArguments(SCHEMA, { token: secret, both: secret, note: secret, [key]: secret }),
        );
        expect(record).not.toContain("#");
      }),
    );
  });
});

describe("texts that saved text must not hold", () => {
  test.each<[args: unknown, texts: string[]]>([
    [{ target: "prod", token: "hunter2" }, ["hunter2"]],
    [{ both: "hunter2" }, ["hunter2"]],
    [{ note: "n", pin: 123456 }, ["n", "123456"]],
    [{ unknown: ["a", { deep: "b" }] }, ["a", "b"]],
    [{ token: null, note: true }, []],
    ["a line", ["a line"]],
    [undefined, []],
  ])("of %j are %j", (args, texts) => {
    expect(privateTexts(SCHEMA, args)).toEqual(texts);
  });

  test("without a schema are all of them", () => {
    const args = { _: ["list"], base: "main", many: ["a", true] };
    expect(privateTexts(null, args)).toEqual(["list", "main", "a"]);
  });

  test("a mark deeper down or inherited makes nothing plain", () => {
    expect(privateTexts(SCHEMA, { note: { target: "hunter2" } })).toEqual(["hunter2"]);
    expect(privateTexts(SCHEMA, { constructor: "hunter2" })).toEqual(["hunter2"]);
  });
});
