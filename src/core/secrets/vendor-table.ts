// The forms that issuers give their secrets, one line each:
//   issuer ; what it is ; mark ; what follows the mark ; what else must be so ; source
// Mark: the characters that stand there; `[ab]` is one of them, `(one|two)` either. What follows: an alphabet with a length (`h32` hex,
// `d` digits, `n` letters and digits, `u` base64 of URLs, `b` base64, `w` as u with . ~ =, `A` capitals and digits, `e` base64
// in a query; `20+`, `8-10`), or the very characters. What else: `digit` there is one, `mixed` a long part of it has a digit
// or a capital, `apart` no base64 before it, `after` only what follows the mark is secret, `<h32` so much before the mark.
// Source: g gitleaks of 2026-07-22, s secretlint of 2026-08-21, t trufflehog of 2026-08-21, v the issuer's own word, 2026-11,
// p keys of that form in public code, 2026-11.
// Lengths are lower bounds where the issuer may change them: it is worse to miss a key than to mask something like it.

const MODELS = `
Anthropic ; API key, admin key, login ; sk-ant- ; u20+ ; mixed ; g
OpenAI ; project, service, admin key ; sk-(proj|svcacct|service|admin)- ; u20+ ; mixed ; g
OpenAI ; key, and whoever else begins with sk- (DeepSeek, Moonshot, LiteLLM) ; sk- ; u20+ ; mixed ; g
OpenAI ; session ; sess- ; n40 ; digit ; p
Langfuse ; secret key ; sk-lf- ; h8 - h4 - h4 - h4 - h12 ;  ; v
OpenRouter ; key ; sk-or-v1- ; h32+ ;  ; t
Cerebras ; key ; csk- ; n20+ ; digit ; v
Google ; API key ; AIza ; u35 ;  ; g
Google ; key of an express account ; AQ.Ab ; u20+ ; digit ; v
Google ; access token ; ya29. ; u20+ ;  ; t
Google ; refresh token ; 1//0 ; u30+ ; digit ; v
Google ; OAuth client secret ; GOCSPX- ; u20+ ;  ; v
xAI ; key ; xai- ; w20+ ; digit ; t
Groq ; key ; gsk_ ; n20+ ;  ; s
Hugging Face ; access token ; hf_ ; n30+ ;  ; t
Hugging Face ; organisation token ; api_org_ ; n30+ ;  ; g
Replicate ; token ; r8_ ; u30+ ; digit ; t
Perplexity ; key ; pplx- ; n30+ ;  ; g
Fireworks ; key ; fw_ ; n20+ ; digit ; v
Together ; key ; tgp_v1_ ; u30+ ;  ; v
Voyage ; key ; pa- ; u43 ; mixed ; v
Jina ; key ; jina_ ; u30+ ; digit ; v
NVIDIA ; key ; nvapi- ; u40+ ;  ; t
ElevenLabs ; key ; sk_ ; h48 ;  ; t
Pinecone ; key ; pcsk_ ; u40+ ;  ; t
LangSmith ; key ; lsv2_(pt|sk)_ ; h32 _ h10 ;  ; t
Tavily ; key ; tvly- ; u20+ ; digit ; v
Firecrawl ; key ; fc- ; h32 ;  ; v
E2B ; key ; e2b_ ; h40 ;  ; v
Weights & Biases ; newer key ; wandb_v1_ ; u40+ ;  ; p
LlamaIndex ; key ; llx- ; n40+ ; digit ; p
Browserbase ; key ; bb_(live|test)_ ; u20+ ; digit ; p
Context7 ; key ; ctx7sk- ; h8 - h4 - h4 - h4 - h12 ;  ; p
Devin ; user's key ; apk_user_ ; b40+ ;  ; p
RunPod ; key ; rpa_ ; n30+ ; digit ; v
Anyscale ; key ; esecret_ ; n20+ ;  ; v
Logfire ; write token ; pylf_v[0-9]_ ; n2 _ n30+ ;  ; v
Helicone ; key ; sk-helicone- ; u20+ ;  ; v
Salad ; key ; salad_cloud_ ; n1-7 _ n7+ ;  ; t
Cursor ; key ; crsr_ ; u20+ ;  ; v
Cursor ; older key ; key_ ; h64 ;  ; v
Amp, Sourcegraph ; access token ; sgp_ ; w40+ ; digit ; g
Amp, Sourcegraph ; user's token ; sgamp_user_ ; u20+ ;  ; v
Amp, Sourcegraph ; licence token ; slk_ ; h64 ;  ; t
Daytona ; key ; dtn_ ; h64 ;  ; v
Composio ; key ; ak_ ; u20 ; digit ; p
Modal ; token id, secret ; a[ks]- ; n22 ; digit ; v
Brave ; search key ; BSA ; u28 ; digit ; p
Warp ; key ; wk-1. ; h64 ;  ; v
Cartesia ; key ; sk_car_ ; n20+ ;  ; v
Azure ; key of 2024 and later, with its checksum mark ; JQQJ9 ; b20+ ; <n52 ; v
`;

const CLOUDS = `
AWS ; access key id ; (AKIA|ASIA|ABIA|ACCA) ; A16 ; apart ; g
AWS ; session token ; (IQoJb3JpZ2luX2Vj|FwoGZXIvYXdz) ; e80+ ; apart ; p
AWS ; Bedrock key ; ABSK ; b40+ ; apart ; g
AWS ; short Bedrock key ; bedrock-api-key- ; b20+ ;  ; g
Azure ; storage account key ; AccountKey= ; b40+ ; after ; s
Azure ; shared access key ; SharedAccessKey= ; b40+ ; after ; v
Azure ; signature of a shared link ; sig= ; e40+ ; after ; t
Azure ; client secret ; [0-9]Q~ ; w31-34 ; <w3 ; g
Azure ; DevOps token ; AZDO ; n4 ; <n76 ; v
Alibaba ; access key id ; LTAI ; n12-24 ; digit ; g
Tencent ; access key id ; AKID ; n32 ; digit ; v
Yandex ; API key ; AQVN ; u35-38 ;  ; g
Yandex ; session token ; t1. ; w30+ ; digit ; g
Yandex ; OAuth token ; y[0-3]_ ; u55+ ; digit ; v
Scaleway ; access key id ; SCW ; A17 ; digit ; v
DigitalOcean ; personal, app, refresh token ; do[opr]_v1_ ; h64 ;  ; g
Heroku ; key ; HRKU- ; u20+ ; digit ; g
Fly ; access token ; fo1_ ; u40+ ;  ; g
Fly ; macaroon ; fm[12]_ ; b60+ ;  ; t
Fly ; older macaroon ; fm1[ar]_ ; b60+ ;  ; g
Vercel ; tokens ; vc[piark]_ ; n20+ ; digit ; s
Vercel ; blob store ; vercel_blob_rw_ ; n16 _ n30+ ;  ; p
Inngest ; signing key ; signkey-(prod|test|branch)- ; h32+ ;  ; p
Trigger.dev ; key, personal token ; tr_(dev|prod|stg|pat)_ ; n20+ ; digit ; p
Zuplo ; key ; zpka_ ; n32 _ h8 ;  ; p
Netlify ; tokens ; nf[pcoub]_ ; n30+ ; digit ; v
Render ; key ; rnd_ ; n20+ ; digit ; v
Cloudflare ; origin key ; v1.0- ; h24 - h140+ ;  ; g
Cloudflare ; global key, user's token, account's token ; (cfk|cfut|cfat)_ ; n40+ ;  ; s
Cloudflare ; tunnel token ; eyJhIjoi ; b100+ ; apart ; v
Supabase ; access token ; sbp_ ; n40+ ;  ; t
Supabase ; versioned token ; sbp_v0_ ; h40 ;  ; v
Supabase ; secret key ; sb_secret_ ; u20+ ;  ; v
PlanetScale ; service token, password, login ; pscale_(tkn|pw|oauth)_ ; w32+ ;  ; g
Neon ; key ; napi_ ; n40+ ;  ; v
MongoDB ; service account secret ; mdb_sa_sk_ ; u30+ ;  ; v
ClickHouse ; key secret ; 4b1d ; n38 ; digit ; g
Databricks ; access token ; dapi ; h32 ;  ; s
Databricks ; service secret ; dose ; h32 ;  ; v
dbt ; token ; dbt[cu]_ ; u30+ ;  ; v
Artifactory ; API key ; AKCp ; n60+ ;  ; g
Artifactory ; reference token ; cmVmd ; n59 ;  ; g
OpenShift ; login ; sha256~ ; u43 ;  ; g
Docker ; personal, organisation token ; dckr_[po]at_ ; u20+ ;  ; t
Docker ; swarm token ; SWMTKN-1- ; n30+ - n20+ ;  ; v
Docker ; swarm key ; SWMKEY-1- ; u40+ ;  ; v
Vault ; service, batch, recovery token ; hv[sbr]. ; u24+ ;  ; g
Terraform ; token ; .atlasv1. ; w40+ ; <n14 ; g
Pulumi ; access token ; pul- ; h40 ;  ; g
Doppler ; tokens ; dp.(pt|st|ct|sa|scim|audit). ; w40+ ;  ; t
Infisical ; service token ; st. ; h8 - h4 - h4 - h4 - h12 . w32+ ;  ; v
Infisical ; older service token ; st. ; h24 . w32+ ;  ; v
Elastic ; cloud key ; essu_ ; b40+ ;  ; v
Defined Networking ; key ; dnkey- ; u60+ ;  ; g
Infracost ; key ; ico- ; n32 ;  ; g
Scalingo ; token ; tk-us- ; u40+ ;  ; g
Tailscale ; keys ; tskey- ; u20+ ; digit ; s
1Password ; service account ; ops_eyJ ; b60+ ;  ; g
1Password ; secret key ; A3- ; A6 - A6 - A5 - A5 - A5 - A5 ;  ; g
1Password ; older secret key ; A3- ; A6 - A11 - A5 - A5 - A5 ;  ; g
age ; identity ; AGE-SECRET-KEY-1 ; A58 ;  ; g
age ; post-quantum identity ; AGE-SECRET-KEY-PQ-1 ; A58+ ;  ; v
Xata ; key ; xau_ ; n30+ ;  ; v
Tinybird ; token ; p.eyJ ; u40+ . u20+ ;  ; v
Convex ; deploy key ; eyJ2MiI6I ; b60+ ; apart ; v
NetBird ; access token ; nbp_ ; n30+ ;  ; v
`;

const TOOLS = `
GitHub ; tokens ; gh[pousr]_ ; n20+ ;  ; g
GitHub ; app token that is a web token ; ghs_ ; d1-20 _ w40+ ;  ; s
GitHub ; fine-grained token ; github_pat_ ; u20+ ; digit ; g
GitLab ; access, deploy, feed, runner's, job, SCIM, mail, workspace token ; gl(pat|dt|ft|rt|cbt|soat|imt|wt)- ; w20+ ;  ; g
GitLab ; pipeline trigger, cluster agent, OAuth secret, feature flags ; gl(ptt|agent|oas|ffct)- ; u20+ ;  ; g
GitLab ; runner's registration ; GR1348941 ; u20+ ;  ; g
GitLab ; session ; _gitlab_session= ; n32 ; after ; g
Bitbucket ; app password ; ATBB ; w24+ ; digit apart ; t
Bitbucket ; access token ; ATCTT3 ; w40+ ; apart ; t
Bitbucket ; server token ; BBDC- ; b40-50 ;  ; t
Atlassian ; API token ; ATATT3 ; w40+ ; apart ; g
Atlassian ; service token ; ATSTT3 ; w40+ ; apart ; v
Trello ; token ; ATTA ; h64+ ; apart ; v
npm ; token ; npm_ ; n30+ ;  ; g
PyPI ; token ; pypi- ; u40+ ; digit ; g
RubyGems ; key ; rubygems_ ; h48 ;  ; g
crates.io ; token ; cio ; n32 ; digit ; v
NuGet ; key ; oy2 ; n43 ; digit ; v
Packagist ; token ; packagist_(ort|out|upt)_ ; h40+ ;  ; v
Clojars ; token ; CLOJARS_ ; n60 ;  ; g
Snyk ; token ; snyk_[us]at. ; w20+ ;  ; v
SonarQube ; tokens ; sq[pua]_ ; h40 ;  ; g
CircleCI ; personal token ; CCIPAT_ ; n22 _ h40 ;  ; t
CircleCI ; project token ; CCIPRJ_ ; n22 _ h40 ;  ; v
Buildkite ; user's token ; bkua_ ; n40 ;  ; t
Buildkite ; agent and cluster token ; bk(at|ct|cj|aj)_ ; n30+ ; digit ; v
Harness ; personal, service token ; [ps]at. ; u22 . n24 . n20 ;  ; g
Octopus ; key ; API- ; A26-32 ; digit ; g
Postman ; key ; PMAK- ; h24 - h34 ;  ; g
Prefect ; key ; pn[ub]_ ; n36 ;  ; g
Sentry ; organisation token ; sntrys_ ; b40+ _ b40+ ;  ; g
Sentry ; organisation token, the short form ; sntrys_eyJ ; e40+ ;  ; t
Sentry ; user's token ; sntryu_ ; h64 ;  ; g
Grafana ; service account ; glsa_ ; n32 _ h8 ;  ; g
Grafana ; cloud token ; glc_ ; b32+ ;  ; g
Grafana ; older key ; eyJrIjoi ; b40+ ; apart ; g
New Relic ; user's key ; NRAK- ; A27 ;  ; g
New Relic ; insert, query, browser key ; NR(II|IQ|JS|BR|RA|AA)- ; u19+ ; digit ; g
New Relic ; licence key ; FFFFNRAL ; n0 ; <h32 ; t
PostHog ; personal, project, feature key ; ph[xcs]_ ; u30+ ; digit ; t
Dynatrace ; token ; dt0[cs][01][0-9]. ; A8-24 . A64 ;  ; g
Honeycomb ; key ; hc[abglx][im]k_ ; n30+ ; digit ; v
Axiom ; token ; xa[ap]t- ; h8 - h4 - h4 - h4 - h12 ;  ; v
Linear ; key ; lin_api_ ; u32+ ;  ; g
Linear ; OAuth token ; lin_oauth_ ; h64 ;  ; v
Notion ; token ; ntn_ ; n40+ ;  ; g
Notion ; older token ; secret_ ; n43 ; digit ; t
Figma ; token ; fig[dpoua]_ ; u40+ ;  ; s
Asana ; token ; 1/[0-9] ; d12-18 : h32 ;  ; v
Asana ; newer token ; 2/[0-9] ; d12-18 / d12-18 : h32 ;  ; v
ClickUp ; token ; pk_ ; d7-9 _ A32 ;  ; t
Statsig ; server secret ; secret- ; n40+ ; digit ; p
Stytch ; secret ; secret-(live|test)- ; u30+ ; digit ; p
Okta ; token ; SSWS 00 ; u40+ ;  ; g
42 ; client secret ; s-s4t2(ud|af)- ; h64 ;  ; g
Airtable ; token ; pat ; n14 . h64 ;  ; g
Contentful ; token ; CFPAT- ; u40+ ;  ; t
Typeform ; token ; tfp_ ; w40+ ;  ; g
ReadMe ; key ; rdme_ ; n60+ ;  ; g
LaunchDarkly ; key, token ; (sdk|api)- ; h8 - h4 - h4 - h4 - h12 ;  ; t
JetBrains ; permanent token ; perm[-:] ; b8+ . b8+ . b20+ ;  ; v
MaxMind ; licence key ; _mmk ; n0 ; <u36 ; g
Adobe ; client secret ; p8e- ; u32 ;  ; g
Frame.io ; token ; fio-u- ; u60+ ;  ; g
Apify ; token ; apify_api_ ; n30+ ;  ; t
Rootly ; token ; rootly_ ; h64 ;  ; t
Socket ; key ; sktsec_ ; u30+ ;  ; v
Ory ; key, access and refresh token ; ory_(pat|at|rt)_ ; u30+ ; digit ; v
Kong ; access token ; kpat_ ; n30+ ;  ; v
Unkey ; root key ; unkey_ ; n20+ ; digit ; v
JumpCloud ; key ; jca_ ; n36 ;  ; v
Checkly ; user's key ; cu_ ; h32 ;  ; v
Val Town ; key ; vtwn_ ; u25+ ;  ; v
Adafruit ; IO key ; aio_ ; n28 ; digit ; t
`;

const MESSAGES_AND_MONEY = `
Slack ; tokens ; xox[abceoprs]- ; u10+ ; digit ; g
Slack ; session cookie ; xoxd- ; e20+ ; digit ; p
Slack ; rotating token ; xoxe.xox[bp]- ; u20+ ; digit ; g
Slack ; app token ; xapp- ; u10+ ; digit ; g
Slack ; workflow token ; xwfp- ; u10+ ; digit ; v
Slack ; webhook ; hooks.slack.com/(services|triggers)/ ; n8+ / n8+ / n16+ ; after ; g
Slack ; workflow webhook ; hooks.slack.com/workflows/ ; n8+ / n8+ / d8+ / n16+ ; after ; t
Discord ; webhook ; (discord|discordapp).com/api/webhooks/ ; d15-20 / u60+ ; after ; t
Discord ; bot token ; [MNO][DTjz][AEIMQUYcgk][w-z0-5] ; n18-26 . u5-8 . u25+ ;  ; v
Teams ; webhook ; .webhook.office.com/webhookb2/ ; u36 @ u36 /IncomingWebhook/ n32 / u36 ; after ; g
Zapier ; webhook ; hooks.zapier.com/hooks/catch/ ; d4+ / n5+ ; after ; t
Telegram ; bot token ; (:|%3A)A[A-H] ; u32-33 ; <d8-12 ; g
Twilio ; key ; SK[0-9a-f] ; h31 ;  ; g
Twilio ; account ; AC[0-9a-f] ; h31 ; digit ; t
SendGrid ; key ; SG. ; u16+ . u16+ ; digit ; g
Mailgun ; key ; key- ; h32 ;  ; g
Mailchimp ; key ; -us[0-9] ; d0-1 ; <h32 ; g
Brevo ; key ; xkeysib- ; u60+ ;  ; g
Brevo ; mail password ; xsmtpsib- ; u60+ ;  ; v
Resend ; key ; re_ ; n8 _ n20+ ; digit ; v
Stripe ; secret, restricted key ; [rs]k_(live|test|prod)_ ; n16+ ;  ; g
Stripe ; organisation key ; sk_org_ ; w20+ ; digit ; v
Stripe ; webhook secret ; whsec_ ; b24+ ;  ; v
Polar ; tokens ; polar_(oat|pat)_ ; n30+ ; digit ; p
Paddle ; key ; pdl_(live|sdbx)_apikey_ ; n26 _ n22 _ n3 ;  ; p
Square ; access token, client secret ; sq0(atp|csp|idp)- ; u22+ ;  ; g
Square ; newer access token ; EAAA ; u60 ; apart ; g
PayPal ; access token ; access_token$ ; n8+ $ n16 $ h32 ;  ; v
Razorpay ; key ; rzp_live_ ; n14 ;  ; t
Flutterwave ; secret key ; FLWSECK ; u12+ ; digit ; g
Shopify ; tokens ; shp(at|ca|pa|ss|tka)_ ; n32-64 ;  ; s
Plaid ; access token ; access-(production|sandbox|development)- ; h8 - h4 - h4 - h4 - h12 ;  ; g
EasyPost ; key ; EZ[AT]K ; n54 ;  ; g
Shippo ; token ; shippo_(live|test)_ ; h40 ;  ; g
Duffel ; token ; duffel_(live|test)_ ; u40+ ;  ; g
Facebook ; access token ; EAA ; n90+ ; digit apart ; g
HubSpot ; private app ; pat-(eu|na)[0-9]- ; h8 - h4 - h4 - h4 - h12 ;  ; t
Salesforce ; session ; 00D ; n12-15 ! w60+ ;  ; t
Dropbox ; short token ; sl. ; u100+ ; digit ; g
Dropbox ; short token of today ; sl.u. ; u100+ ; digit ; t
Twitch ; chat token ; oauth: ; n30 ; digit ; v
Alchemy ; key ; alcht_ ; n30 ;  ; t
Twitter ; bearer token ; AAAAAAAAAAAAAAAAAAAAAA ; e80-100 ; digit apart ; g
Mapbox ; secret token ; sk.eyJ ; u20+ . u20+ ;  ; g
Riot ; key ; RGAPI- ; h8 - h4 - h4 - h4 - h12 ;  ; v
Contributed Systems ; licence ; BUNDLE_ENTERPRISE__CONTRIBSYS__COM= ; h8 : h8 ; after ; g
JSON Web Token ; token ; eyJ ; u8+ . u8+ . u0+ ;  ; g
JSON Web Token ; in base64 once more ; ZXlK ; b60+ ; apart ; g
Mollie ; live key ; live_ ; n30+ ; digit ; v
Lob ; key ; (live|test)_ ; h35 ; digit ; t
Klaviyo ; private key ; pk_ ; h34 ; digit ; t
Intercom ; access token ; dG9rO ; b50+ ; apart ; t
Nylas ; key ; nyk_v0_ ; n40+ ;  ; v
Webflow ; site token ; ws- ; h64 ;  ; v
Liveblocks ; secret key ; sk_(prod|dev)_ ; u40+ ;  ; v
Svix ; key ; (testsk|sk)_ ; u30+ . n2 ; digit ; v
Samsara ; token ; samsara_api_ ; n30 ;  ; v
`;

export const VENDOR_TABLE: readonly string[] = [MODELS, CLOUDS, TOOLS, MESSAGES_AND_MONEY];
