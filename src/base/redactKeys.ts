// Threat: people paste keys into chats, and what is written is stored for long, found by searches and shown to models. Obvious
// keys go before that. This knows shapes, not secrets: a password in a sentence stays. The text may be hostile,
// so every repetition has a limit or can't be split in two ways.

/** What stands for a key. */
const removedKey = '[key removed]';

/** `$1`, where a shape has a group, is what stays in front. */
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
  // OpenAI, Anthropic and those who copy them; Google; Voyage
  /()\bsk-(?=[\w-]{0,100}\d)[\w-]{20,512}/gu,
  /()\bAIza[\w-]{35}/gu,
  /()\bpa-(?=[\w-]{0,100}\d)[\w-]{40,255}/gu,
  // JSON web tokens
  /()\beyJ[\w-]{10,2000}\.eyJ[\w-]{10,4000}\.[\w-]{10,2000}/gu,
  // Headers
  /(\bAuthorization["']?\s{0,8}:\s{0,8}["']?(?:Basic|Token)\s{1,8})[\w.~+/=-]{8,4096}/giu,
  /(\bBearer\s{1,8})(?=[\w.~+/=-]{0,200}\d)[\w.~+/=-]{16,4096}/gu,
  /(\bx-api-key["']?\s{0,8}:\s{0,8}["']?)[\w.~+/=-]{16,4096}/giu,
  // Environment variables
  /(\b[A-Z][A-Z0-9_]{0,60}(?:PASSWORD|SECRET|TOKEN|API_KEY|APIKEY|ACCESS_KEY)\s{0,8}=\s{0,8}["']?)[^\s"'$<>{}]{8,4096}/gu,
  // A password in an address
  /(:\/\/[^\s/:@]{1,100}:)[^\s/:@]{3,200}(?=@)/gu,
];

/** The text without the keys whose shapes are known. Pure. */
export function redactKeys(text: string): string {
  return shapes.reduce((rest, shape) => rest.replace(shape, `$1${removedKey}`), text);
}
