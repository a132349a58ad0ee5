import { removedKey } from '../../base/secrets/redactKeys.ts';

/** Shorter texts stand for too much else; taking them out would only show where they are. */
const minLength = 6;

/** A function that takes these secrets out of a text, also as JSON and URLs have them. */
export function createConfigRedactor(secrets: readonly string[]): (text: string) => string {
  const forms = secrets
    .filter((secret) => secret.length >= minLength)
    .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1), urlForm(secret)]);
  // A secret that contains another one goes first.
  const all = [...new Set(forms)].sort((a, b) => b.length - a.length);
  return all.length === 0
    ? same
    : (text) => all.reduce((rest, form) => rest.replaceAll(form, removedKey), text);
}

function urlForm(secret: string): string {
  const isBroken = /\p{Surrogate}/u.test(secret);
  return isBroken ? secret : encodeURIComponent(secret);
}

function same(text: string): string {
  return text;
}
