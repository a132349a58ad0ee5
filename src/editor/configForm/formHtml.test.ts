import { describe, expect, it } from 'vitest';
import { formHtml, type FormTexts } from './formHtml.ts';
import { fieldsOf, planForm } from './formModel.ts';
import { toRawValues } from './formValues.ts';

const texts: FormTexts = {
  save: 'Save',
  reset: 'Reset',
  openConfig: 'Open',
  advanced: 'Advanced',
  required: 'required',
  defaultIs: (value) => `Default: ${value}`,
  noChoice: 'Not set',
  onePerLine: 'One per line.',
  asJson: 'As JSON.',
  clear: 'Forget',
  noSettings: 'No settings.',
};

function pageOf(
  schema: Record<string, unknown>,
  config: unknown = {},
  hints: Record<string, unknown> = {},
): string {
  const nodes = planForm(schema, hints);
  const values = toRawValues(fieldsOf(nodes), config);
  const page = { title: 'T', about: '', nodes, values, secrets: {}, texts };
  return formHtml({ ...page, nonce: 'abc', scriptUri: 'https://x/f.js', language: 'en' });
}

const evil = '</textarea><script>alert(1)</script>"\' onfocus=x';

describe('formHtml', () => {
  it('escapes whatever a plugin or its settings say, wherever it stands', () => {
    const page = pageOf(
      {
        properties: {
          [evil]: { type: 'string', description: evil, default: evil },
          list: { type: 'array', items: { type: 'string' } },
          mode: { enum: [evil] },
          group: { type: 'object', title: evil, properties: { inner: { type: 'string' } } },
        },
      },
      { [evil]: evil, list: [evil], mode: evil, group: { inner: evil } },
      { list: { placeholder: evil } },
    );
    expect(page.match(/<script/gu)).toHaveLength(1);
    expect(page.match(/<\/textarea/gu)).toHaveLength(1);
    expect(page).not.toContain('" onfocus');
    expect(page).not.toContain('"\'');
  });

  it('lets nothing run or load but its own script and style', () => {
    const page = pageOf({ properties: { a: { type: 'string' } } });
    expect(page.replaceAll('&#39;', "'")).toContain(
      "default-src 'none'; style-src 'nonce-abc'; script-src 'nonce-abc'; form-action 'none'",
    );
    expect(page).not.toMatch(/ style=| on\w+=/u);
  });

  it('ties every label and message to its control', () => {
    const page = pageOf({ properties: { a: { type: 'string' }, b: { type: 'boolean' } }, required: ['a'] });
    for (const [, id] of page.matchAll(/data-field="([^"]+)"/gu)) {
      expect(page).toContain(`<label for="${id!}"`);
      expect(page).toContain(`data-message="${id!}"`);
      expect(page).toContain(`aria-describedby="${id!}-help ${id!}-message"`);
    }
    expect(page).toContain('aria-required="true"');
  });

  it('folds advanced settings away', () => {
    const page = pageOf(
      { properties: { a: { type: 'string' }, b: { type: 'string' } } },
      {},
      { a: { advanced: true } },
    );
    expect(page.indexOf('<details>')).toBeGreaterThan(page.indexOf('>b<'));
    expect(page.indexOf('>a<')).toBeGreaterThan(page.indexOf('<details>'));
  });
});
