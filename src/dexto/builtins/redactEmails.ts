// Threat: addresses of people go to models, logs and screens. The text may be hostile: each @ looks at no more than what
// lies between its neighbours, so that the time grows with the length alone.
import { replaceSpans, type Redacted, type Span } from '../../base/secrets/replaceSpans.ts';

const emailMark = '[EMAIL]';

const local = /[\w.%+-]/u;
const domain = /[A-Za-z0-9.-]+\.[A-Za-z]{2,}/uy;

/** Versions of packages, sizes of pictures and units of systemd: `lib@1.2.3-beta.rc`, `icon@2x.png`, `getty@tty1.service`. */
const noDomain = /^\d+\.\d|\.(?:png|jpe?g|gif|webp|svg|service|socket|timer)$/iu;

/**
 * Takes out email addresses (Dexto plugin specification, Content Policy Plugin). Not `strict`, what has the form of one and is something else stays:
 * remotes of git, users in URLs, versions. Linear in the length of the text. Pure.
 */
export function redactEmails(text: string, { strict = false } = {}): Redacted {
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
