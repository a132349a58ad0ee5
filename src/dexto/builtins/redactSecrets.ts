// Threat: keys that people or models write reach models, screens and files. This knows shapes, not secrets; and what is recognisably none
// must stay, or answers about code become wrong.
import { findSecrets } from '../../base/secrets/findSecrets.ts';
import { replaceSpans, type Redacted } from '../../base/secrets/replaceSpans.ts';
import { redactBareTokens } from './redactBareTokens.ts';
import { redactEmails } from './redactEmails.ts';
import type { RedactionOptions } from './redactionOptions.ts';

const keyMark = '[REDACTED]';

/** What was taken out. */
export interface RedactedSecrets {
  readonly text: string;
  readonly emails: number;
  readonly keys: number;
}

/**
 * Takes out what the options name (Dexto plugin specification, Built-In Plugins). Git hashes, UUIDs, names, paths and prose stay, but for
 * what `strict` hits. Linear in the length of the text; doing it twice changes nothing more. Pure.
 */
export function redactSecrets(
  text: string,
  { redactEmails: emails, redactApiKeys: keys, strict = false }: RedactionOptions,
): RedactedSecrets {
  // Keys first: an address may hold a password that looks like the name before an @.
  const withoutKeys = keys === true ? redactApiKeys(text, strict) : { text, count: 0 };
  const result =
    emails === true ? redactEmails(withoutKeys.text, { strict }) : { text: withoutKeys.text, count: 0 };
  return { text: result.text, emails: result.count, keys: withoutKeys.count };
}

function redactApiKeys(text: string, strict: boolean): Redacted {
  const known = replaceSpans(text, findSecrets(text), keyMark);
  const bare = strict ? redactBareTokens(known.text, keyMark) : { text: known.text, count: 0 };
  return { text: bare.text, count: known.count + bare.count };
}
