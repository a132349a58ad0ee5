// Threat: keys that people or models write reach models, screens and files. This knows shapes, not secrets; and what is recognisably none
// must stay, or answers about code become wrong.
import { findSecrets } from '../../base/secrets/findSecrets.ts';
import { replaceSpans, type Redacted, type Span } from '../../base/secrets/replaceSpans.ts';
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

const shortest = 32;

/**
 * Takes out every word of 32 or more letters, digits, `_` and `-`, as the bare pattern of Dexto plugin specification does
 * (`\b[A-Za-z0-9_-]{32,}\b`), in linear time. Hits hashes, ids and long names, too. Pure.
 */
function redactBareTokens(text: string, mark: string): Redacted {
  const spans: Span[] = [];
  for (const { 0: run, index } of text.matchAll(/[\w-]{32,}/gu)) {
    // A word begins and ends with a word character: hyphens around it stay.
    const start = index + run.search(/[^-]|$/u);
    const end = index + endOfWord(run);
    if (end - start >= shortest) spans.push({ start, end });
  }
  return replaceSpans(text, spans, mark);
}

function endOfWord(run: string): number {
  let end = run.length;
  while (end > 0 && run.charAt(end - 1) === '-') end -= 1;
  return end;
}

// Threat: addresses of people go to models, logs and screens. The text may be hostile: each @ looks at no more than what
// lies between its neighbours, so that the time grows with the length alone.
const emailMark = '[EMAIL]';

const local = /[\w.%+-]/u;
const domain = /[A-Za-z0-9.-]+\.[A-Za-z]{2,}/uy;

/** Versions of packages, sizes of pictures and units of systemd: `lib@1.2.3-beta.rc`, `icon@2x.png`, `getty@tty1.service`. */
const noDomain = /^\d+\.\d|\.(?:png|jpe?g|gif|webp|svg|service|socket|timer)$/iu;

/**
 * Takes out email addresses (Dexto plugin specification, Content Policy Plugin). Not `strict`, what has the form of one and is something else stays:
 * remotes of git, users in URLs, versions. Linear in the length of the text. Pure.
 */
function redactEmails(text: string, { strict = false } = {}): Redacted {
  const spans: Span[] = [];
  let from = 0;
  for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', at + 1)) {
    const span = emailAround(text, at, from);
    if (span === undefined) continue;
    from = span.end;
    if (strict || !isSomethingElse(text, at, span)) spans.push(span);
  }
  return replaceSpans(text, spans, emailMark);
}

function emailAround(text: string, at: number, from: number): Span | undefined {
  let start = at;
  while (start > from && local.test(text.charAt(start - 1))) start -= 1;
  if (start === at) return undefined;
  domain.lastIndex = at + 1;
  const host = domain.exec(text)?.[0];
  return host === undefined ? undefined : { start, end: at + 1 + host.length };
}

function isSomethingElse(text: string, at: number, { start, end }: Span): boolean {
  const isRemote = text.charAt(end) === ':' && /^[\w/~.-]$/u.test(text.charAt(end + 1));
  const isUserInUrl = text.slice(Math.max(0, start - 3), start) === '://' || inUserInfo(text, start);
  return isRemote || isUserInUrl || noDomain.test(text.slice(at + 1, end));
}

/** `://name:password@`: the password is no business of this; the key patterns take it. */
function inUserInfo(text: string, start: number): boolean {
  return (
    text.charAt(start - 1) === ':' &&
    /:\/\/[^\s/@:]{1,100}:$/u.test(text.slice(Math.max(0, start - 104), start))
  );
}
