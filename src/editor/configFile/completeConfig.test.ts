import { expect, it } from 'vitest';
import { completeConfig, describeConfigKey } from './completeConfig.ts';

const schema = {
  properties: {
    model: { type: 'string', description: 'Which model answers.' },
    approvals: {
      properties: { mode: { enum: ['ask', 'deny'], default: 'ask' }, quiet: { type: 'boolean' } },
    },
    folders: { items: { enum: ['src', 'docs'] } },
  },
};

/** The labels and inserted texts where `|` stands, and what they take the place of. */
function at(marked: string): { readonly texts: readonly string[]; readonly replaced: string } {
  const offset = marked.indexOf('|');
  const text = marked.replace('|', '');
  const { replaces, suggestions } = completeConfig(schema, text, offset);
  return { texts: suggestions.map((each) => each.text), replaced: text.slice(...replaces) };
}

it('completes keys with their colon, without those that stand there, in quotes that are open or not', () => {
  expect(at('{ | }')).toEqual({ texts: ['"model": ', '"approvals": ', '"folders": '], replaced: '' });
  expect(at('{ "model": "a", "|" }')).toEqual({ texts: ['"approvals": ', '"folders": '], replaced: '""' });
  expect(at('{ "mod|": "a" }')).toEqual({
    texts: ['"model"', '"approvals"', '"folders"'],
    replaced: '"mod"',
  });
});

it('completes values as JSON, of lists too', () => {
  expect(at('{ "approvals": { "mode": | } }')).toEqual({ texts: ['"ask"', '"deny"'], replaced: '' });
  expect(at('{ "approvals": { "mode": "d|" } }')).toEqual({ texts: ['"ask"', '"deny"'], replaced: '"d"' });
  expect(at('{ "approvals": { "quiet": | } }')).toEqual({ texts: ['true', 'false'], replaced: '' });
  expect(at('{ "folders": ["src", "|"] }')).toEqual({ texts: ['"src"', '"docs"'], replaced: '""' });
});

it('says nothing in a comment, and explains a key', () => {
  expect(at('{\n  // mod|\n}').texts).toEqual([]);
  expect(describeConfigKey(schema, '{ "model": "a" }', 5)).toEqual({
    text: 'Which model answers.',
    range: [2, 9],
  });
  expect(describeConfigKey(schema, '{ "model": "a" }', 12)).toBeUndefined();
});
