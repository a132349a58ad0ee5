import { describe, expect, it } from 'vitest';
import { resolveExport } from './resolveExport.ts';

const register = (api: unknown): unknown => ['registered', api];

function call(module: unknown): unknown {
  const resolved = resolveExport(module);
  return resolved.ok ? resolved.register('api') : resolved.message;
}

describe('resolveExport', () => {
  it.each([
    ['a function', register],
    ['an object with register', { register }],
    ['an object with activate', { activate: register }],
    ['a default function', { default: register }],
    ['a default object', { default: { register } }],
    ['a named register', { register, other: 1 }],
    ['a default wrapped twice', { default: { default: { register } } }],
    ['a module field', { module: { default: register } }],
    ['a default that is something else beside a named register', { default: { title: 'x' }, register }],
  ])('finds register in %s', (_title, module) => {
    expect(call(module)).toEqual(['registered', 'api']);
  });

  it('prefers register to activate and keeps this', () => {
    const plugin = {
      text: 'own',
      register(this: { text: string }) {
        return this.text;
      },
      activate: () => 'activated',
    };
    expect(call({ default: plugin })).toBe('own');
  });

  it.each([[undefined], [null], ['text'], [{}], [{ default: {} }], [{ register: 1 }]])(
    'finds nothing in %j',
    (module) => {
      expect(call(module)).toBe('plugin export missing register/activate');
    },
  );

  it('stops at a module that holds itself', () => {
    const cycle: Record<string, unknown> = {};
    cycle['default'] = cycle;
    expect(call(cycle)).toBe('plugin export missing register/activate');
  });

  it('reads what the definition says of itself', () => {
    expect(resolveExport({ default: { id: 'p', name: 'P', version: 2, register } })).toMatchObject({
      id: 'p',
      name: 'P',
    });
    expect(resolveExport({ default: { id: 'p', version: 2, register } })).not.toHaveProperty('version');
  });
});
