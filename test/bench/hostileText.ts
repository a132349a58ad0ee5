import { redactKeys } from '../../src/base/secrets/redactKeys.ts';
import { redactSecrets } from '../../src/dexto/builtins/redactSecrets.ts';
import { scanAsks } from '../../src/plugins/consent/scanAsks.ts';
import { cleanHtml } from '../../src/tools/core/web/cleanHtml.ts';
import { htmlToText } from '../../src/tools/core/web/htmlToText.ts';
import { createRedactor } from '../../plugins/secret-redactor/createRedactor.ts';
import { secretRules } from '../../plugins/secret-redactor/secretRules.ts';
import {
  megabyteOf,
  worstForAsks,
  worstForKeys,
  worstForSecretRules,
  worstForSecrets,
  worstPages,
} from '../builders/worstTexts.ts';
import type { Bench, Figure } from './bench.ts';

/** What a megabyte of text costs that is made to be dear, for each that reads what strangers write: the worst of its texts. */
export const bench: Bench = {
  name: 'hostileText',
  needsEditor: false,
  run: () => Promise.resolve(figures()),
};

function figures(): readonly Figure[] {
  const redactor = createRedactor({ rules: secretRules, allow: [] });
  const base = new URL('https://a.example/');
  return [
    worst('keys in logs', 1_000, worstForKeys, (text) => redactKeys(text)),
    worst('secrets of the Dexto dialect', 2_000, worstForSecrets, (text) =>
      redactSecrets(text, { redactEmails: true, redactApiKeys: true, strict: true }),
    ),
    worst('rules of secret-redactor', 2_000, worstForSecretRules, (text) => redactor.text(text, new Map())),
    worst('what a plugin asks for', 2_000, worstForAsks, asksOf),
    worst('a web page', 5_000, pieces, (html) => htmlToText(cleanHtml(html, base).html)),
  ];
}

const pieces = worstPages.map(([, piece]) => piece);

function worst(
  name: string,
  below: number,
  texts: readonly string[],
  read: (text: string) => unknown,
): Figure {
  const samples = texts.map((piece) => {
    const text = megabyteOf(piece);
    const start = performance.now();
    read(text);
    return performance.now() - start;
  });
  return { name: `${name}, 1 MB`, unit: 'ms', value: Math.max(...samples), below, samples };
}

function asksOf(text: string): unknown {
  const file = { path: 'index.js', kind: 'file', content: new TextEncoder().encode(text) } as const;
  return scanAsks([file], { contractTools: [] });
}
