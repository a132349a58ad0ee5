import { describe, expect, it } from 'vitest';
import {
  definePluginEntry,
  emptyPluginConfigSchema,
  jsonResult,
  optionalStringEnum,
  readNumberParam,
  readStringArrayParam,
  readStringParam,
} from './index.ts';

describe('plugin SDK', () => {
  it('reads text parameters, trimmed unless told otherwise', () => {
    expect(readStringParam({ a: ' x ' }, 'a')).toBe('x');
    expect(readStringParam({ a: ' x ' }, 'a', { trim: false })).toBe(' x ');
    expect(readStringParam({ a: ' ' }, 'a')).toBeUndefined();
    expect(readStringParam({ a: '' }, 'a', { allowEmpty: true })).toBe('');
    expect(() => readStringParam({}, 'a', { required: true, label: 'Path' })).toThrow('Path required');
  });

  it('reads numbers, also from text', () => {
    expect(readNumberParam({ a: '1.5' }, 'a')).toBe(1.5);
    expect(readNumberParam({ a: 1.9 }, 'a', { integer: true })).toBe(1);
    expect(readNumberParam({ a: 'x' }, 'a')).toBeUndefined();
    expect(() => readNumberParam({}, 'a', { required: true })).toThrow('a required');
  });

  it('reads lists, also from a single text', () => {
    expect(readStringArrayParam({ a: ['x', ' ', 3, 'y '] }, 'a')).toEqual(['x', 'y']);
    expect(readStringArrayParam({ a: 'x' }, 'a')).toEqual(['x']);
    expect(() => readStringArrayParam({ a: [] }, 'a', { required: true })).toThrow('a required');
  });

  it('shapes results, schemas and entries', () => {
    expect(jsonResult({ a: 1 })).toEqual({
      content: [{ type: 'text', text: '{\n  "a": 1\n}' }],
      details: { a: 1 },
    });
    expect(optionalStringEnum(['a'])).toMatchObject({ type: 'string', enum: ['a'] });
    const entry = { id: 'p' };
    expect(definePluginEntry(entry)).toMatchObject({
      id: 'p',
      configSchema: { jsonSchema: { type: 'object' } },
    });
    expect(emptyPluginConfigSchema().safeParse({ a: 1 }).success).toBe(false);
    expect(emptyPluginConfigSchema().safeParse(undefined).success).toBe(true);
  });
});
