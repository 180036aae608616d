import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { looksSecret, maskSecrets } from "../../src/command/secrets.ts";

const KEY_BLOCK = [
  "-----BEGIN OPENSSH PRIVATE KEY-----",
  "b3BlbnNzaC1rZXktdjEAAAAABG5vbmU",
  "-----END OPENSSH PRIVATE KEY-----",
].join("\n");

// Made up, with the form the issuer gives them. Joined from halves so that no scanner takes them for real.
const join = (...parts: string[]): string => parts.join("");
const A40 = "a1B2c3D4e5".repeat(4);
const HEX64 = "0123456789abcdef".repeat(4);

const SECRETS: readonly [issuer: string, secret: string][] = [
  ["Anthropic", join("sk-ant-", "api03-", A40, "-xY_z9AA")],
  ["Anthropic (login)", join("sk-ant-", "oat01-", A40)],
  ["OpenAI", join("sk-", A40)],
  ["OpenAI (project)", join("sk-proj-", A40, "_", A40)],
  ["OpenAI (service)", join("sk-svcacct-", A40)],
  ["OpenRouter", join("sk-or-v1-", HEX64)],
  ["DeepSeek", join("sk-", HEX64.slice(0, 32))],
  ["Cerebras", join("csk-", HEX64.slice(0, 48))],
  ["Google", join("AIza", "SyA1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q")],
  ["Google (access)", join("ya29.", "a0AfH6SMBx1234567890-_abc")],
  ["Gemini", join("AQ.", "Ab8RN6K1234567890abcdefgh-_")],
  ["xAI", join("xai-", A40, A40)],
  ["Groq", join("gsk_", A40)],
  ["Hugging Face", join("hf_", A40.slice(0, 34))],
  ["Replicate", join("r8_", A40.slice(0, 37))],
  ["Perplexity", join("pplx-", HEX64.slice(0, 48))],
  ["Fireworks", join("fw_", A40.slice(0, 24))],
  ["Together", join("tgp_v1_", A40)],
  ["Cursor", join("crsr_", HEX64)],
  ["GitHub", join("ghp_", A40.slice(0, 36))],
  ["GitHub (login)", join("gho_", A40.slice(0, 36))],
  ["GitHub (Copilot)", join("ghu_", A40.slice(0, 36))],
  ["GitHub (fine-grained)", join("github_pat_", A40, "_", A40)],
  ["GitLab", join("glpat-", A40.slice(0, 20))],
  ["npm", join("npm_", A40.slice(0, 36))],
  ["PyPI", join("pypi-", "AgEIcHlwaS5vcmc", A40)],
  ["AWS id", join("AKIA", "IOSFODNN7EXAMPLE")],
  ["AWS id (session)", join("ASIA", "IOSFODNN7EXAMPLE")],
  ["AWS Bedrock", join("ABSK", A40, A40, "=")],
  ["Slack", join("xoxb-", "123456789012-abcdefABCDEF")],
  ["Slack (app)", join("xapp-", "1-A0123-456-abcdef")],
  ["Stripe", join("sk_live_", A40.slice(0, 24))],
  ["SendGrid", join("SG.", A40.slice(0, 22), ".", A40)],
  ["Twilio", join("SK", HEX64.slice(0, 32))],
  ["DigitalOcean", join("dop_v1_", HEX64)],
  ["JSON Web Token", join("eyJhbGciOiJIUzI1NiJ9", ".eyJzdWIiOiIxIn0", ".c2lnbmF0dXJl-_")],
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
  const value = fc.string({ unit: "binary", minLength: 4, maxLength: 20 });
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
