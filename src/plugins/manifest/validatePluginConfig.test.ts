import { describe, expect, it } from 'vitest';
import { validatePluginConfig } from './validatePluginConfig.ts';

const schema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    mode: { type: 'string', enum: ['a', 'b'] },
    depth: { type: 'object', properties: { max: { type: 'integer', default: 3 } }, default: {} },
  },
};

describe('validatePluginConfig', () => {
  it('fills in defaults, nested ones too, and leaves its input alone', () => {
    const config = { mode: 'a' };
    expect(validatePluginConfig(schema, config)).toEqual({
      ok: true,
      config: { mode: 'a', depth: { max: 3 } },
    });
    expect(config).toEqual({ mode: 'a' });
  });

  it('names every problem with its path', () => {
    const result = validatePluginConfig(schema, { mode: 'c', extra: 1 });
    expect(result).toEqual({
      ok: false,
      problems: [
        '<root>: must NOT have additional properties ("extra")',
        'mode: must be equal to one of the allowed values',
      ],
    });
  });

  it('takes an empty schema for: no settings', () => {
    expect(validatePluginConfig({}, undefined)).toEqual({ ok: true, config: {} });
    expect(validatePluginConfig({}, { a: 1 })).toEqual({
      ok: false,
      problems: ['<root>: config must be empty'],
    });
  });

  it('accepts schemas of another dialect and reports broken ones', () => {
    const other = { $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object' };
    expect(validatePluginConfig(other, {}).ok).toBe(true);
    const broken = validatePluginConfig({ type: 'nonsense' }, {});
    expect(broken.ok ? '' : broken.problems[0]).toContain('configSchema is not a valid JSON Schema');
  });

  const ofReferences = Object.fromEntries(
    Array.from({ length: 40 }, (_, at) => {
      const next = { $ref: `#/definitions/level${String(at + 1)}` };
      return [`level${String(at)}`, { allOf: [next, next] }];
    }),
  );

  const ofDefaults = Array.from({ length: 6 }).reduce<Record<string, unknown>>(
    (inner) => ({
      type: 'object',
      properties: { a: { default: Array.from({ length: 150 }, () => ({})), items: inner } },
    }),
    {},
  );

  it.each([
    ['defaults that multiply', ofDefaults],
    ['a pattern that never ends', { type: 'object', properties: { name: { pattern: '^(a+)+$' } } }],
    [
      'a pattern of names that never ends',
      { type: 'object', patternProperties: { '^(a+)+$': { type: 'string' } } },
    ],
    [
      'references that unfold without end',
      {
        type: 'object',
        properties: { name: { $ref: '#/definitions/level0' } },
        definitions: { ...ofReferences, level40: { type: 'string' } },
      },
    ],
  ])('stops at %s', (_what, hostile) => {
    const word = `${'a'.repeat(40)}!`;
    expect(validatePluginConfig(hostile, { name: word, [word]: 1 })).toMatchObject({
      ok: false,
      isSchemaWrong: true,
      problems: [expect.stringContaining('checking takes more than 2000ms')],
    });
  });
});
