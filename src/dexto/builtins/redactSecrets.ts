// Threat: keys that people or models write reach models, screens and files. This knows shapes, not secrets; and what is recognisably none
// must stay, or answers about code become wrong.
import { redactKnownKeys } from '../../base/redactKeys.ts';
import { redactAssignments } from './redactAssignments.ts';
import { redactBareTokens } from './redactBareTokens.ts';
import type { Redacted } from './redacted.ts';
import { redactEmails } from './redactEmails.ts';
import type { RedactionOptions } from './redactionOptions.ts';

export const keyMark = '[REDACTED]';

/** What was taken out. */
export interface RedactedSecrets {
  readonly text: string;
  readonly emails: number;
  readonly keys: number;
}

/**
 * Takes out what the options name (seed 003, Built-In Plugins; rulings D5). Git hashes, UUIDs, names, paths and prose stay, but for
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
  const known = redactKnownKeys(text, keyMark);
  const named = redactAssignments(known, keyMark);
  const bare = strict ? redactBareTokens(named.text, keyMark) : { text: named.text, count: 0 };
  const found = occurrences(known) - occurrences(text);
  return { text: bare.text, count: Math.max(0, found) + named.count + bare.count };
}

function occurrences(text: string): number {
  return text.split(keyMark).length - 1;
}
