import { expect, it } from 'vitest';
import { placeAt, type YamlCursor } from './placeAt.ts';
import { describeKey, planSuggestions } from './planSuggestions.ts';
import type { SchemaNode } from './schemaAt.ts';

/** The place of `|` in a text. */
function at(text: string): YamlCursor | undefined {
  const lines = text.split('\n');
  const line = lines.findIndex((each) => each.includes('|'));
  const column = (lines[line] ?? '').indexOf('|');
  lines[line] = (lines[line] ?? '').replace('|', '');
  return placeAt(lines, line, column);
}

const schema: SchemaNode = {
  type: 'object',
  properties: {
    llm: {
      type: 'object',
      description: 'The model.',
      properties: { provider: { type: 'string' }, model: { type: 'string', description: 'Its name.' } },
    },
    toolConfirmation: { properties: { mode: { enum: ['manual', 'auto-deny'], default: 'manual' } } },
    systemPrompt: {
      anyOf: [
        { type: 'string' },
        { type: 'object', properties: { contributors: { type: 'array', items: { $ref: '#/$defs/part' } } } },
      ],
    },
    plugins: {
      type: 'object',
      properties: {
        contentPolicy: { type: 'object', properties: { redactEmails: { type: 'boolean' } } },
        custom: {
          type: 'array',
          items: { type: 'object', properties: { name: { type: 'string' }, blocking: { type: 'boolean' } } },
        },
      },
    },
    mcpServers: {
      additionalProperties: { type: 'object', properties: { type: { enum: ['stdio', 'http'] } } },
    },
  },
  $defs: { part: { type: 'object', properties: { id: { type: 'string' }, content: { type: 'string' } } } },
};

const labels = (text: string): readonly string[] => {
  const place = at(text);
  return place === undefined ? ['nowhere'] : planSuggestions(schema, place).map(({ label }) => label);
};

it('a key is suggested where a key is due, without those that stand there', () => {
  expect(labels('|')).toEqual(['llm', 'toolConfirmation', 'systemPrompt', 'plugins', 'mcpServers']);
  expect(labels('llm:\n  provider: x\n|\nplugins:\n')).toEqual([
    'toolConfirmation',
    'systemPrompt',
    'mcpServers',
  ]);
  expect(labels('llm:\n  provider: openai\n  |')).toEqual(['model']);
  expect(labels('# first\nllm:\n\n  |\n  model: x')).toEqual(['provider']);
});

it('items of lists are known by their dash, wherever that stands', () => {
  expect(labels('plugins:\n  custom:\n    - name: a\n      |')).toEqual(['blocking']);
  expect(labels('plugins:\n  custom:\n    - |')).toEqual(['name', 'blocking']);
  expect(labels('plugins:\n  custom:\n  - name: a\n    |\n  - blocking: true\n')).toEqual(['blocking']);
  expect(
    labels('plugins:\n  custom:\n    - name: a\n      config:\n        x: 1\n  contentPolicy:\n    |'),
  ).toEqual(['redactEmails']);
  expect(labels('systemPrompt:\n  contributors:\n    - id: a\n      |')).toEqual(['content']);
});

it('a value is suggested behind its key: what may stand there, and which is the default', () => {
  expect(labels('toolConfirmation:\n  mode: |')).toEqual(['manual', 'auto-deny']);
  expect(labels('plugins:\n  contentPolicy:\n    redactEmails: |')).toEqual(['true', 'false']);
  expect(labels('mcpServers:\n  files:\n    type: |')).toEqual(['stdio', 'http']);
  const place = at('toolConfirmation:\n  mode: |');
  expect(place && planSuggestions(schema, place)[0]).toMatchObject({ kind: 'value', detail: 'default' });
});

it('nothing is suggested in a comment, in flow style, or below a key that nobody knows', () => {
  expect(labels('llm: # |')).toEqual(['nowhere']);
  expect(labels('llm: { |')).toEqual(['nowhere']);
  expect(labels('other:\n  |')).toEqual([]);
});

it('a key with more below it opens a block, any other one a value', () => {
  const place = at('|');
  const texts = (place === undefined ? [] : planSuggestions(schema, place)).map(({ text }) => text);
  expect(texts).toContain('plugins:');
  const inner = at('llm:\n  |');
  expect(inner && planSuggestions(schema, inner).map(({ text }) => text)).toEqual(['provider: ', 'model: ']);
});

it('a key is explained in the words of the schema', () => {
  expect(describeKey(schema, ['llm', 'model'])).toBe('Its name.');
  expect(describeKey(schema, ['llm', 'nothing'])).toBeUndefined();
});
