// Threat: a secret without a shape of its own, known by its name alone: `password=…`, `"apiKey": "…"`. The text may be hostile:
// every repetition has a limit, and no value is looked at by more than the names that stand right before it.
import { isSecretValue, type SecretKind } from './isSecretValue.ts';
import { replaceSpans, type Redacted, type Span } from './redacted.ts';

/** The end of a name, and what stands between it and its value; both may be marked in Markdown or escaped in JSON. */
const assignment =
  /(?:(password|passwd|passphrase|pwd)|secret|token|credentials?|(?:api|access|private|secret|auth|signing|encryption|account|master)[_-]?key)\*{0,2}\\?["'`]?\]?\s{0,8}(?:=>|:=|!?={1,3}|:)\*{0,2}\s{0,8}/giu;

const quoted = /(\\?["'`])((?:(?!\1)[^\n\r\\]){1,4096})\1/uy;

/** Characters of a word that decide whether it is a secret; then the whole word goes. */
const maxJudged = 64;
const unquoted = /[^\s"'`,;&<>(){}[\]|\\]{1,64}/uy;
const rest = /[^\s"'`,;&<>(){}[\]|\\]*/uy;

/**
 * Takes out values that are assigned to names of secrets and look like one: in configuration, code, JSON, headers and addresses.
 * Plain words, references to variables, paths and calls stay (rulings D5). Pure.
 */
export function redactAssignments(text: string, mark: string): Redacted {
  const spans: Span[] = [];
  assignment.lastIndex = 0;
  for (let match = assignment.exec(text); match !== null; match = assignment.exec(text)) {
    const kind: SecretKind = match[1] === undefined ? 'key' : 'password';
    const span = secretAt(text, assignment.lastIndex, kind);
    if (span === undefined) continue;
    spans.push(span);
    assignment.lastIndex = span.end;
  }
  return replaceSpans(text, spans, mark);
}

function secretAt(text: string, start: number, kind: SecretKind): Span | undefined {
  quoted.lastIndex = start;
  const [, open, value] = quoted.exec(text) ?? [];
  if (open !== undefined && value !== undefined) {
    const from = start + open.length;
    return isSecretValue(value, { kind, quoted: true })
      ? { start: from, end: from + value.length }
      : undefined;
  }
  unquoted.lastIndex = start;
  const read = unquoted.exec(text)?.[0];
  if (read === undefined) return undefined;
  const word = read.replace(/[.:?]+$/u, '');
  const end = start + word.length;
  const isCall = /^[([]/u.test(text.charAt(end));
  if (isCall || !isSecretValue(word, { kind, quoted: false })) return undefined;
  if (read.length < maxJudged) return { start, end };
  rest.lastIndex = start + read.length;
  return { start, end: start + read.length + (rest.exec(text)?.[0].length ?? 0) };
}
