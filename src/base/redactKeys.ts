// Threat: people paste keys into chats, and what is written is stored for long, found by searches and shown to models. Obvious
// keys go before that. This knows shapes, not secrets: a password in a sentence stays. The text may be hostile,
// so every repetition has a limit or can't be split in two ways.

/** What stands for a key. */
const removedKey = '[key removed]';

/** Keys that show what they are, wherever they stand. `$1`, where a shape has a group, is what stays in front. */
const shapes: readonly RegExp[] = [
  // Private keys in PEM, also one that was cut short.
  /()-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----(?:[^-]|-(?!----)){0,16384}(?:-----END [A-Z ]{0,30}PRIVATE KEY-----)?/gu,
  // AWS
  /()\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/gu,
  /(\baws_?secret_?access_?key["']?\s{0,8}[=:]\s{0,8}["']?)[A-Za-z0-9/+=]{40}/giu,
  // GitHub, GitLab, npm, Hugging Face, Slack, Stripe
  /()\bgh[pousr]_[A-Za-z0-9]{36,255}/gu,
  /()\bgithub_pat_\w{22,255}/gu,
  /()\bglpat-[\w-]{20,255}/gu,
  /()\bnpm_[A-Za-z0-9]{36}/gu,
  /()\bhf_[A-Za-z0-9]{30,255}/gu,
  /()\bxox[abeoprs]-[A-Za-z0-9-]{10,255}/gu,
  /()\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,255}/gu,
  // OpenAI, Anthropic and those who copy them; Google; Voyage. A run of such characters is looked at once, from its start.
  /()\bsk-(?=[\w-]{0,100}\d)[\w-]{20,512}/gu,
  /()\bAIza[\w-]{35}/gu,
  /()(?<![\w-])pa-(?=[\w-]{0,100}\d)[\w-]{40,255}/gu,
  // Many more who put a name in front: Google, GitLab, Stripe, Groq, xAI, Perplexity, Replicate, Linear, Notion, Grafana, …
  /()(?<![\w-])(?:ya29\.|GOCSPX-|gl(?:dt|ptt|rt|oas|soat)-|whsec_|gsk_|xai-|pplx-|r8_|lin_api_|ntn_|glsa_|glc_|figd_|PMAK-|NRAK-|HRKU-|sntrys_|pypi-AgE|ATATT3x|hvs\.|dop_v1_|shp(?:at|ca|pa|ss)_|sq0(?:atp|csp)-|key-(?=[0-9a-f]{32})|dapi(?=[0-9a-f]{32})|AGE-SECRET-KEY-1)(?=[\w-]{0,100}\d)[\w-]{20,512}/gu,
  /()\bSG\.[\w-]{22}\.[\w-]{43}/gu,
  /()\b\d{8,10}:AA[\w-]{33}/gu,
  /(\bhooks\.slack\.com\/services\/)T[\w/]{20,100}/gu,
  /(\bAccountKey=)[A-Za-z0-9+/]{40,100}={0,2}/gu,
  // JSON web tokens
  /()(?<![\w-])eyJ[\w-]{10,2000}\.eyJ[\w-]{10,4000}\.[\w-]{10,2000}/gu,
  // Headers
  /(\bAuthorization["']?\s{0,8}:\s{0,8}["']?(?:Basic|Token)\s{1,8})[\w.~+/=-]{8,4096}/giu,
  /(\bAuthorization["']?\s{0,8}:\s{0,8}["']?Bearer\s{1,8})(?=[\w.~+/=-]{0,200}\d)[\w.~+/=-]{8,4096}/giu,
  /(\bBearer\s{1,8})(?=[\w.~+/=-]{0,200}\d)[\w.~+/=-]{16,4096}/gu,
  /(\bx-api-key["']?\s{0,8}:\s{0,8}["']?)[\w.~+/=-]{16,4096}/giu,
  // A password in an address, not a variable that stands for one
  /(:\/\/[^\s/:@]{1,100}:)(?![$<{%])[^\s/:@]{3,200}(?=@)/gu,
];

/** Environment variables. */
const variable =
  /(\b[A-Z][A-Z0-9_]{0,60}(?:PASSWORD|SECRET|TOKEN|API_KEY|APIKEY|ACCESS_KEY)\s{0,8}=\s{0,8}["']?)[^\s"'$<>{}]{8,4096}/gu;

/** The text without the keys whose shapes are known, and without what is assigned to variables whose names say that it is one. Pure. */
export function redactKeys(text: string): string {
  return redactKnownKeys(text, removedKey).replace(variable, `$1${removedKey}`);
}

/** The text with `mark` in place of the keys whose shapes are known; linear in its length. Pure. */
export function redactKnownKeys(text: string, mark: string): string {
  return shapes.reduce((rest, shape) => rest.replace(shape, (_, kept: string) => `${kept}${mark}`), text);
}
