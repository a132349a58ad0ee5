import { describe, expect, it } from 'vitest';
import { findProtocolFault } from './findProtocolFault.ts';

const object = (properties: unknown, more: object = {}): object => ({ type: 'object', properties, ...more });

function nested(levels: number): unknown {
  return levels === 0 ? { type: 'string' } : object({ a: nested(levels - 1) });
}

const circular: Record<string, unknown> = object({}) as Record<string, unknown>;
circular['properties'] = { self: circular };

describe('findProtocolFault', () => {
  it.each([
    ['no object', 'x', 'no JSON Schema object'],
    ['a choice at the root', object({}, { anyOf: [{ required: [] }] }), '"anyOf" at the root'],
    ['a required parameter that is not there', object({ a: {} }, { required: ['a', 'b'] }), 'require "b"'],
    ['a name with a space', object({ 'a b': {} }), '"a b"'],
    ['a name with a line break, deep inside', object({ a: { items: object({ 'b\n': {} }) } }), '(a)'],
    ['a name of 65 characters', object({ ['a'.repeat(65)]: {} }), 'a name that models refuse'],
    ['a schema that is its own part', circular, 'nested too deep'],
    ['too many levels', nested(25), 'nested too deep'],
    [
      'too many parts',
      object(Object.fromEntries(Array.from({ length: 6000 }, (_, i) => [`p${i}`, {}]))),
      'large',
    ],
    ['a very long text', object({ a: { description: 'x'.repeat(200_000) } }), 'too large'],
    ['a function', object({ a: { default: () => 1 } }), 'a function'],
    ['a reference to the root', object({ a: { $ref: '#' } }), 'refer to themselves (#)'],
    [
      'references in a circle',
      object(
        { a: { $ref: '#/$defs/a' } },
        { $defs: { a: object({ b: { $ref: '#/$defs/b' } }), b: { items: { $ref: '#/$defs/a' } } } },
      ),
      'refer to themselves (#/$defs/a)',
    ],
    ['a dynamic reference', object({ a: { $dynamicRef: '#x' } }), '$dynamicRef (a)'],
    ['an enum without values', object({ a: { enum: [] } }), 'without values (a)'],
    ['an enum of objects', object({ a: { enum: [{}] } }), 'objects or lists'],
    [
      'an enum that its type excludes',
      object({ a: { type: 'number', enum: ['1'] } }),
      '"1" that is not of type number',
    ],
  ])('refuses %s', (_what, schema, expected) => {
    expect(findProtocolFault(schema)).toContain(expected);
  });

  it.each([
    ['none', object({})],
    ['parameters without properties', { type: 'object' }],
    ['ten levels', nested(10)],
    ['a choice below the root', object({ a: { anyOf: [{ type: 'string' }, { type: 'null' }] } })],
    ['an enum of words and null', object({ a: { type: ['string', 'null'], enum: ['x', null] } })],
    [
      'one definition used twice',
      object(
        { a: { $ref: '#/$defs/x' }, b: { $ref: '#/$defs/x' } },
        { $defs: { x: { type: 'string' } }, required: ['a'] },
      ),
    ],
    ['names with dots and dashes', object({ 'a.b-c_1': {} })],
  ])('takes %s', (_what, schema) => {
    expect(findProtocolFault(schema)).toBeUndefined();
  });

  it('follows references to references without multiplying them', () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 60 }, (_, i) => [
        `d${i}`,
        object({ a: { $ref: `#/$defs/d${i + 1}` }, b: { $ref: `#/$defs/d${i + 1}` } }),
      ]),
    );
    expect(findProtocolFault(object({ a: { $ref: '#/$defs/d0' } }, { $defs }))).toBeUndefined();
  });
});
