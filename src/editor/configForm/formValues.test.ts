import { describe, expect, it } from 'vitest';
import { fieldsOf, planForm } from './formModel.ts';
import { clearSecret, readForm, secretState, toRawValues, type RawValues } from './formValues.ts';

const schema = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string', minLength: 2 },
    count: { type: 'integer', minimum: 1, default: 3 },
    isOn: { type: 'boolean', default: true },
    mode: { type: 'string', enum: ['fast', 'slow'] },
    paths: { type: 'array', items: { type: 'string' } },
    extra: {},
    server: { type: 'object', properties: { key: { type: 'string' }, url: { type: 'string' } } },
  },
};
const fields = fieldsOf(planForm(schema, { 'server.key': { sensitive: true } }));
const idOf = (path: string): string => fields.find((each) => each.path.join('.') === path)!.id;
const raw = (config: unknown, changes: RawValues = {}): RawValues => ({
  ...toRawValues(fields, config),
  ...Object.fromEntries(Object.entries(changes).map(([path, value]) => [idOf(path), value])),
});

describe('readForm', () => {
  it('gives back the config it was made from, unknown keys and the order of keys included', () => {
    const config = {
      paths: ['a', 'b'],
      unknown: { kept: 1 },
      name: 'boat',
      count: 7,
      isOn: false,
      mode: 'slow',
      extra: [1],
      server: { url: 'x', other: true },
    };
    const read = readForm('p', fields, raw(config), config);
    expect(read).toEqual({ config, secrets: [], problems: {} });
    expect(Object.keys(read.config)).toEqual(Object.keys(config));
  });

  it('takes an emptied control out, and the object that is empty without it', () => {
    const config = { name: 'boat', count: 7, server: { url: 'x' } };
    const read = readForm('p', fields, raw(config, { count: '', 'server.url': '' }), config);
    expect(read.config).toEqual({ name: 'boat' });
  });

  it('writes a switch only where it differs from its default or stood there before', () => {
    const before = { name: 'boat' };
    expect(readForm('p', fields, raw(before), before).config).toEqual(before);
    expect(readForm('p', fields, raw(before, { isOn: false }), before).config).toEqual({
      name: 'boat',
      isOn: false,
    });
    const written = { name: 'boat', isOn: false };
    expect(readForm('p', fields, raw(written, { isOn: true }), written).config).toEqual({
      name: 'boat',
      isOn: true,
    });
  });

  it.each([
    ['name', '', 'required'],
    ['name', 'x', 'too-short'],
    ['count', 'many', 'no-number'],
    ['count', '1.5', 'no-integer'],
    ['count', '0', 'too-small'],
    ['extra', '{', 'no-json'],
    ['mode', '9', 'no-choice'],
  ])('finds %s = %j wrong: %s', (path, value, is) => {
    const before = { name: 'boat' };
    expect(readForm('p', fields, raw(before, { [path]: value }), before).problems[idOf(path)]?.is).toBe(is);
  });

  it('puts a typed secret into the store and only its name into the config', () => {
    const before = { name: 'boat' };
    const read = readForm('p', fields, raw(before, { 'server.key': 'sk-1' }), before);
    expect(read.secrets).toEqual([{ name: 'plugin.p.server.key', value: 'sk-1' }]);
    expect(read.config).toEqual({ name: 'boat', server: { key: { secret: 'plugin.p.server.key' } } });
    expect(JSON.stringify(read.config)).not.toContain('sk-1');
  });

  it('leaves a secret alone that nobody touched, and forgets it when asked', () => {
    const before = { name: 'boat', server: { key: { secret: 'plugin.p.server.key' } } };
    expect(readForm('p', fields, raw(before), before)).toMatchObject({ config: before, secrets: [] });
    const cleared = readForm('p', fields, raw(before, { 'server.key': clearSecret }), before);
    expect(cleared.config).toEqual({ name: 'boat' });
    expect(cleared.secrets).toEqual([{ name: 'plugin.p.server.key', value: undefined }]);
  });
});

describe('secrets in the config', () => {
  it('never start with their value in the form', () => {
    expect(JSON.stringify(toRawValues(fields, { server: { key: 'sk-plain' } }))).not.toContain('sk-plain');
  });

  it.each([
    [undefined, 'empty'],
    ['sk-plain', 'plain-text'],
    [{ secret: 'n' }, 'stored'],
    [{ env: 'N' }, 'environment'],
    [{ source: 'env', provider: 'default', id: 'N' }, 'environment'],
  ])('%j is %s', (key, state) => {
    expect(
      secretState(
        { server: { key } },
        fields.find((each) => each.control === 'secret')!,
      ),
    ).toBe(state);
  });
});
