// Secrets in free text, found by the form their issuers gave them. The token is masked, not the line around it.

const MASK = "[secret]";

const PATTERNS: readonly RegExp[] = [
  // Anthropic, OpenAI, OpenRouter, DeepSeek, Qwen, Moonshot and others that use sk-, Cerebras (csk-);
  // a key has digits or capitals, a long name such as sk-learn-contrib-preprocessing has none
  /\bc?sk-(?=[a-z_-]*[A-Z0-9])[A-Za-z0-9_-]{20,}/g,
  // Google, xAI, Groq, Hugging Face, Replicate, Perplexity, Fireworks, Together, Vercel, Cursor, Amp
  /\bAIza[0-9A-Za-z_-]{35}/g,
  /\b(?:ya29|AQ)\.[0-9A-Za-z_-]{20,}/g,
  /\b(?:xai|gsk|hf|r8|pplx|fw|tgp_v1|vck|crsr|sgamp_user)[-_][A-Za-z0-9_-]{20,}/g,
  // GitHub, GitLab, npm, PyPI
  /\bgh[pousr]_[A-Za-z0-9]{20,}/g,
  /\bgithub_pat_[A-Za-z0-9_]{20,}/g,
  /\bglpat-[A-Za-z0-9_-]{20,}/g,
  /\bnpm_[A-Za-z0-9]{30,}/g,
  /\bpypi-[A-Za-z0-9_-]{40,}/g,
  // AWS (also Bedrock), Slack, Stripe, SendGrid, Twilio, DigitalOcean
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\bABSK[A-Za-z0-9+/]{40,}={0,2}/g,
  /(?<=(?:secret_?access_?key|session_?token)["'\s:=]{1,5})[A-Za-z0-9/+=]{40,}/gi,
  /\b(?:xox[abeoprs]|xapp)-[A-Za-z0-9-]{10,}/g,
  /\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,}/g,
  /\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}/g,
  /\bSK[0-9a-f]{32}\b/g,
  /\bdop_v1_[0-9a-f]{64}\b/g,
  // JSON Web Token, bearer header, key block, password in a URL
  /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g,
  /(?<=\bBearer\s+)[A-Za-z0-9._~+/=-]{12,}/gi,
  /-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----|$)/g,
  /(?<=\b[a-z][a-z0-9+.-]*:\/\/[^\s:/@]*:)[^\s/]+(?=@)/gi,
];

/** Shorter values would mask ordinary words. */
const SHORTEST_EXACT = 4;

/** Masks known secret forms and the exact values given, longest first. */
export function maskSecrets(text: string, exact: readonly string[] = []): string {
  let masked = text;
  for (const value of [...exact].sort((a, b) => b.length - a.length))
    if (value.length >= SHORTEST_EXACT) masked = masked.replaceAll(value, MASK);
  for (const pattern of PATTERNS) masked = masked.replace(pattern, MASK);
  return masked;
}

/** A parameter or a variable whose name says what it holds. */
export const namesSecret = (name: string): boolean => /(key|token|secret|password)$/i.test(name);

export const secretValues = (env: Readonly<Record<string, string | undefined>>): string[] =>
  Object.entries(env).flatMap(([name, value = ""]) => (namesSecret(name) ? [value] : []));

export const looksSecret = (text: string): boolean => maskSecrets(text) !== text;
