import { Ajv } from 'ajv';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { manifestJsonSchema } from './manifestJsonSchema.ts';
import { parseManifest } from './parseManifest.ts';

const parse = (text: string) => parseManifest(new TextEncoder().encode(text));
const parseFields = (fields: object) => parse(JSON.stringify({ id: 'p', configSchema: {}, ...fields }));

describe('parseManifest', () => {
  it('reads every field, old and new', () => {
    const fields = {
      name: ' Name ',
      description: 'What it does.',
      version: '1.2.3',
      providers: ['x'],
      skills: ['skills'],
      kind: ['memory', 'context-engine'],
      channels: [' a '],
      enabledByDefault: true,
      contracts: { tools: ['t'], services: ['s'], odd: { x: 1 } },
      toolMetadata: { t: { optional: true } },
      activation: { onStartup: true },
      commandAliases: [{ name: 'do' }],
      setup: { providers: [{ id: 'x', envVars: ['X_KEY'] }] },
      uiHints: { key: { sensitive: true } },
    };
    expect(parseFields(fields)).toMatchObject({
      ok: true,
      warnings: [],
      manifest: {
        ...fields,
        name: 'Name',
        channels: ['a'],
        contracts: { tools: ['t'], services: ['s'] },
        contractTools: ['t'],
      },
    });
  });

  it('knows where every field stands, and of one that is missing what would hold it', () => {
    const parsed = parse(
      '{\n  "id": "p",\n\n  "configSchema": {\n    "type": "object"\n  },\n  "kind": "memory"\n}',
    );
    const placeOf = parsed.ok ? parsed.placeOf : undefined;
    expect(placeOf?.(['id'])).toEqual({ line: 2, column: 3 });
    expect(placeOf?.(['configSchema', 'type'])).toEqual({ line: 5, column: 5 });
    expect(placeOf?.(['configSchema', 'properties'])).toEqual({ line: 4, column: 3 });
    expect(placeOf?.(['contracts', 'tools'])).toEqual({ line: 1, column: 1 });
  });

  it('drops what a wrong piece spoils, no more', () => {
    const parsed = parseFields({
      commandAliases: [{ name: 'a' }, {}, { name: 3 }],
      setup: { providers: [{}] },
    });
    expect(parsed).toMatchObject({ manifest: { commandAliases: [{ name: 'a' }], setup: { providers: [] } } });
    expect(parsed.ok && parsed.warnings.map(({ message }) => message).join('\n')).toContain(
      'setup.providers[0].id is ignored',
    );
  });

  it('takes any bytes without a throw', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(parseManifest(bytes)).toHaveProperty('ok');
      }),
    );
  });

  it('takes any JSON without a throw, and what it accepts has the shape it promises', () => {
    const names = [
      'id',
      'configSchema',
      'kind',
      'channels',
      'uiHints',
      'contracts',
      'setup',
      'commandAliases',
      '__proto__',
    ];
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...names), fc.jsonValue()), (value) => {
        const parsed = parseFields(value);
        if (!parsed.ok) return;
        expect(Array.isArray(parsed.manifest.channels)).toBe(true);
        expect(parsed.manifest.kind.every((kind) => typeof kind === 'string')).toBe(true);
        expect(Object.getPrototypeOf(parsed.manifest.uiHints)).toBe(Object.prototype);
      }),
    );
  });
});

it.each([
  ['what is no JSON', '{\n  "id": "p",\n  "kind" 1\n}', { line: 3, column: 10 }],
  ['a field that must not be so', '{\n  "configSchema": {}, "id": ""\n}', { line: 2, column: 23 }],
])('tells the place of %s', (_, text, place) => {
  expect(parseManifest(new TextEncoder().encode(text))).toMatchObject({ ok: false, ...place });
});

describe('manifestJsonSchema', () => {
  const schema = manifestJsonSchema();

  it('describes each field for people', () => {
    const properties = Object.entries(schema['properties'] as Record<string, { description?: string }>);
    const silent = properties.filter(
      ([name, { description }]) => description === undefined && name !== '$schema',
    );
    expect(silent.map(([name]) => name)).toEqual([]);
  });

  it('accepts what the parser accepts and refuses what it names', () => {
    const validate = new Ajv({ strict: false }).compile(schema);
    expect(validate({ id: 'p', configSchema: { type: 'object' }, kind: 'memory', modelSupport: {} })).toBe(
      true,
    );
    expect(validate({ id: 'p' })).toBe(false);
    expect(validate({ id: 'p', configSchema: { type: 'nonsense' } })).toBe(false);
    expect(validate({ id: 'p', configSchema: {}, channels: [1] })).toBe(false);
  });
});
