import { describe, expect, it } from 'vitest';
import { fieldsOf, planForm } from './formModel.ts';

const properties = (fields: Record<string, unknown>, more: Record<string, unknown> = {}) => ({
  type: 'object',
  properties: fields,
  ...more,
});

describe('planForm', () => {
  it('gives every kind of setting its control, and JSON to what has none', () => {
    const schema = properties({
      name: { type: 'string' },
      count: { type: 'integer', minimum: 1, maximum: 9 },
      ratio: { type: 'number' },
      isOn: { type: 'boolean', default: true },
      mode: { type: 'string', enum: ['a', 'b'] },
      paths: { type: 'array', items: { type: 'string' } },
      rules: { type: 'array', items: { type: 'object' } },
      either: { oneOf: [{ type: 'string' }, { type: 'number' }] },
      free: {
        type: 'object',
        additionalProperties: { type: 'string' },
        properties: { a: { type: 'string' } },
      },
    });
    const controls = fieldsOf(planForm(schema, {})).map(({ path, control }) => [path.join('.'), control]);
    expect(Object.fromEntries(controls)).toEqual({
      name: 'text',
      count: 'number',
      ratio: 'number',
      isOn: 'checkbox',
      mode: 'choice',
      paths: 'lines',
      rules: 'json',
      either: 'json',
      free: 'json',
    });
  });

  it('takes words from uiHints by dotted path before those of the schema', () => {
    const schema = properties(
      { server: properties({ key: { type: 'string', title: 'Key', description: 'From the schema' } }) },
      { required: ['server'] },
    );
    const hints = {
      server: { label: 'The server' },
      'server.key': {
        label: 'API key',
        help: 'From the hints',
        sensitive: true,
        advanced: true,
        placeholder: 'sk-…',
      },
    };
    expect(planForm(schema, hints)).toMatchObject([
      {
        kind: 'group',
        label: 'The server',
        nodes: [
          {
            control: 'secret',
            label: 'API key',
            help: 'From the hints',
            placeholder: 'sk-…',
            isAdvanced: true,
          },
        ],
      },
    ]);
  });

  it('shows hostile names on one line and leaves dangerous ones out', () => {
    const schema = JSON.parse(
      '{"properties":{"__proto__":{"type":"string"},"a\\u202Eb\\nc":{"type":"string"}}}',
    ) as Record<string, unknown>;
    expect(fieldsOf(planForm(schema, {})).map(({ label }) => label)).toEqual(['ab c']);
  });

  it('is bounded however large or odd the schema is', () => {
    const many = Object.fromEntries(
      Array.from({ length: 5_000 }, (_, n) => [`f${String(n)}`, { type: 'string' }]),
    );
    expect(fieldsOf(planForm(properties(many), {}))).toHaveLength(200);
    let deep: Record<string, unknown> = properties({ leaf: { type: 'string' } });
    for (let n = 0; n < 50; n += 1) deep = properties({ inner: deep });
    expect(fieldsOf(planForm(deep, {})).map(({ control }) => control)).toEqual(['json']);
    expect(planForm({ properties: 'none' }, {})).toEqual([]);
  });
});
