// Every form of every vendor is masked. The values are drawn here, so that nothing in this repository looks like a secret.
import { describe, expect, test } from "vitest";
import { maskSecrets } from "../../../src/core/secrets/mask.ts";
import { readVendorRows, type VendorRow } from "../../../src/core/secrets/vendor-forms.ts";
import { drawFrom, drawSecret } from "./draw-secret.ts";

/** Forms as their users see them, written down apart from the table: issuer, then beginning + alphabet + length … */
const FORMS = `
Anthropic; sk-ant-api03- u93 AA
Anthropic; sk-ant-admin01- u93 AA
Anthropic; sk-ant-oat01- u80
OpenAI; sk- n20 T3BlbkFJ n20
OpenAI; sk-proj- u74 T3BlbkFJ u74
OpenAI; sk-svcacct- u74 T3BlbkFJ u58
OpenAI; sess- n40
OpenAI; sk-admin- u58 T3BlbkFJ u58
Google; AIzaSy u33
Google; GOCSPX- u28
Google; ya29.a0 u120
Google; 1//0 u60
AWS; AKIA A16
AWS; ASIA A16
AWS; IQoJb3JpZ2luX2Vj b300
AWS; FwoGZXIvYXdz b300
AWS; IQoJb3JpZ2luX2Vj n10 %2F n60 %2B n200 %3D
Azure; n3 8Q~ u34
GitHub; ghp_ n36
GitHub; gho_ n36
GitHub; ghu_ n36
GitHub; ghs_ n36
GitHub; ghr_ n36
GitHub; github_pat_ n22 _ n59
GitLab; glpat- u20
GitLab; glpat- u40 .01. n9
GitLab; glptt- h40
GitLab; gldt- u20
GitLab; glrt- u20
GitLab; glsoat- u20
GitLab; glcbt- n2 _ u20
Bitbucket; ATBB n32
Bitbucket; ATCTT3xFfGN0 u160 = h8
Atlassian; ATATT3xFfGF0 u160 = h8
Slack; xoxb- d12 - d12 - n24
Slack; xoxp- d12 - d12 - d12 - h32
Slack; xoxa-2- n40
Slack; xoxr- n40
Slack; xoxs- d10 - d10 - d10 - h10
Slack; xoxe-1- n146
Slack; xoxd- u140
Slack; xapp-1- A11 - d13 - h64
Stripe; sk_live_ n24
Stripe; rk_live_ n24
Stripe; whsec_ n32
Twilio; SK h32
SendGrid; SG. u22 . u43
Mailgun; key- h32
Mailchimp; h32 -us14
npm; npm_ n36
PyPI; pypi-AgEIcHlwaS5vcmc u150
RubyGems; rubygems_ h48
crates.io; cio n32
Docker; dckr_pat_ u27
Hugging Face; hf_ n34
Replicate; r8_ n37
Groq; gsk_ n52
xAI; xai- n80
Perplexity; pplx- n48
DeepSeek; sk- h32
OpenRouter; sk-or-v1- h64
Fireworks; fw_ n24
Cerebras; csk- n48
Databricks; dapi h32
Vault; hvs. u95
Vault; hvb. u140
Terraform; n14 .atlasv1. u67
Infisical; st. h24 . h32 . h32
Infisical; st. h8 - h4 - h4 - h4 - h12 . h32
Infisical; st. h8 - h4 - h4 - h4 - h12 . h32 . h32
Elastic; essu_ b60
Defined Networking; dnkey- n26 - n52
Dynatrace; dt0s16. A8 . A64
Dynatrace; dt0c01. A24 . A64
Honeycomb; hcxmk_ n58
Yandex; y0_AgAAAA u50
Scaleway; SCW A17
Daytona; dtn_ h64
Composio; ak_ u20
Modal; ak- n22
Modal; as- n22
Brave; BSA u28
Warp; wk-1. h64
Sourcegraph; slk_ h64
Alchemy; alcht_ n30
Twitch; oauth: n30
Twitter; AAAAAAAAAAAAAAAAAAAAAA b84
Dropbox; sl.u. u130
Doppler; dp.pt. n43
ClickUp; pk_ d8 _ A32
Stytch; secret-live- u35
Statsig; secret- n43
42; s-s4t2ud- h64
Linear; lin_api_ n40
Notion; secret_ n43
Notion; ntn_ d11 n35
Figma; figd_ u43
Airtable; pat n14 . h64
Shopify; shpat_ h32
Shopify; shpss_ h32
Square; sq0atp- u22
Square; EAAA u60
DigitalOcean; dop_v1_ h64
DigitalOcean; doo_v1_ h64
DigitalOcean; dor_v1_ h64
Heroku; HRKU-AA u58
Fly; fo1_ u43
Fly; fm2_ b200
Vercel; vcp_ n24
Netlify; nfp_ n36
Cloudflare; v1.0- h24 - h146
Cloudflare; eyJhIjoi b150
Cloudflare; cfat_ n40 h8
Supabase; sbp_ h40
PlanetScale; pscale_tkn_ u43
Neon; napi_ n64
Sentry; sntrys_eyJ b100 _ b43
Sentry; sntryu_ h64
Grafana; glsa_ n32 _ h8
Grafana; glc_eyJ b100
Grafana; eyJrIjoi b80
New Relic; NRAK- A27
PostHog; phc_ n43
PostHog; phx_ n43
SonarQube; sqp_ h40
SonarQube; squ_ h40
CircleCI; CCIPAT_ n22 _ h40
Buildkite; bkua_ h40
Postman; PMAK- h24 - h34
Pulumi; pul- h40
1Password; ops_eyJ b300
age; AGE-SECRET-KEY-1 A58
Telegram; d10 :AA u33
Facebook; EAAC n150
Discord; MTAx n22 . u6 . u38
PayPal; access_token$production$ n16 $ h32
Asana; 1/1 d15 : h32
Snyk; snyk_uat. n8 . u60
Cartesia; sk_car_ n22
Xata; xau_ n35
Tinybird; p.eyJ u80 . u43
Convex; eyJ2MiI6I b120
NetBird; nbp_ n36
Socket; sktsec_ n40 _api
Ory; ory_pat_ n32
Kong; kpat_ n40
Unkey; unkey_ n24
JumpCloud; jca_ n36
Checkly; cu_ h32
Val Town; vtwn_ n32
Adafruit; aio_ n28
Mollie; live_ n30
Lob; test_ h35
Klaviyo; pk_ h34
Intercom; dG9rO b54 =
Nylas; nyk_v0_ n64
Webflow; ws- h64
Liveblocks; sk_prod_ u60
Svix; testsk_ u32 .us
Samsara; samsara_api_ n30
JSON Web Token; eyJhbGciOiJIUzI1NiJ9.eyJ u40 . u43
`;

const forms = FORMS.trim()
  .split("\n")
  .map((line) => line.split("; "))
  .map(([vendor = "", form = ""]) => ({ vendor, form, secret: drawSecret(form) }));

const WRAPPINGS: readonly (readonly [before: string, after: string])[] = [
  ["key: ", ", used"],
  ['{"a":"', '"}'],
  ["\u001b[32m", "\u001b[0m"],
  ["line\\n", "\\nline"],
  ["https://host/?x=1&k%3D", "&y=2"],
  ["(", ")."],
];

describe("a form of today's vendors", () => {
  test.each(forms)("$vendor: $form is masked, and nothing around it", ({ secret }) => {
    for (const [before, after] of WRAPPINGS)
      expect(maskSecrets(before + secret + after)).toBe(`${before}[secret]${after}`);
  });

  test("every vendor is covered in full", () => {
    const isMasked = ({ secret }: { secret: string }) =>
      !maskSecrets(`x ${secret} y`).includes(secret);
    const missed = forms.filter((one) => !isMasked(one)).map(({ vendor }) => vendor);
    const vendors = new Set(forms.map(({ vendor }) => vendor));
    console.info(
      `${forms.length - missed.length} of ${forms.length} forms of ${vendors.size} vendors`,
    );
    expect(missed).toEqual([]);
  });
});

const spell = (row: VendorRow): string => {
  const mark = row.mark.map((set) => set.charAt(0)).join("");
  const before = row.before === null ? "" : drawFrom(row.before.alphabet, row.before.min);
  const body = row.body.map((piece) =>
    typeof piece === "string" ? piece : drawFrom(piece.alphabet, piece.min),
  );
  return before + mark + body.join("");
};

test("every line of the table finds the shortest secret it describes", () => {
  const rows = readVendorRows();
  const missed = rows.filter((row) => maskSecrets(`k ${spell(row)} `) === `k ${spell(row)} `);
  expect(missed.map(({ vendor, what }) => `${vendor}: ${what}`)).toEqual([]);
  expect(rows.every(({ source }) => /^[gstvp]$/.test(source))).toBe(true);
});

test("no form is a word of fewer than 20 letters, which is never looked at", () => {
  const short = readVendorRows().filter(
    ({ mark, body, before, needs }) =>
      !needs.has("digit") &&
      body.reduce((sum, piece) => sum + minLength(piece), mark.length + minLength(before)) < 20,
  );
  expect(short).toEqual([]);
});

const minLength = (piece: VendorRow["before"] | string): number =>
  typeof piece === "string" ? piece.length : (piece?.min ?? 0);
