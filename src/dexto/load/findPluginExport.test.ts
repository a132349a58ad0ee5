import { describe, expect, it } from 'vitest';
import { findPluginExport } from './findPluginExport.ts';

class Guard {
  beforeToolCall(): unknown {
    return { ok: true };
  }
}
class Other {
  beforeResponse(): unknown {
    return { ok: true };
  }
}
const factory = { create: () => new Guard() };

function find(module: unknown, name = 'guard'): unknown {
  const exported = findPluginExport(module, name);
  return exported.ok
    ? [exported.found.kind, exported.found.make]
    : `${String(exported.check)} ${exported.problem}`;
}

describe('findPluginExport', () => {
  it('takes the default export, however often it is wrapped, before anything that has a name', () => {
    expect(find({ default: Guard, Other })).toEqual(['class', Guard]);
    expect(find({ default: { default: { default: Guard } } })).toEqual(['class', Guard]);
    expect(find(Guard)).toEqual(['class', Guard]);
  });

  it('takes a class without methods of its own, whose fields hold arrow functions', () => {
    const Arrows = class {
      beforeToolCall = (): unknown => ({ ok: true });
    };
    expect(find({ default: Arrows })).toEqual(['class', Arrows]);
  });

  it('takes any other function for one that gives the plugin', () => {
    const make = (): unknown => new Guard();
    expect(find({ default: make })).toEqual(['function', make]);
  });

  it('takes factories by any name, before the class that they make', () => {
    expect(find({ factory, Guard })).toEqual(['factory', factory]);
    expect(find({ default: factory })).toEqual(['factory', factory]);
    expect(find({ guardProvider: { ...factory, type: 'x' } }, 'x')).toMatchObject(['factory', { type: 'x' }]);
  });

  it('takes a named class that has an extension point, or is called a plugin', () => {
    const QuietPlugin = class {
      beforeToolCall = (): unknown => ({ ok: true });
    };
    expect(find({ limit: 3, helper: () => 1, Guard })).toEqual(['class', Guard]);
    expect(find({ QuietPlugin })).toEqual(['class', QuietPlugin]);
  });

  it('of several it takes the one that the agent file names', () => {
    expect(find({ GuardPlugin: Guard, OtherPlugin: Other }, 'other')).toEqual(['class', Other]);
    const map = { default: { hooks: { guard: factory, other: { create: () => new Other() } } } };
    expect(find(map, 'guard')).toEqual(['factory', factory]);
  });

  it('of several that it can’t tell apart it takes none, and names them', () => {
    expect(find({ Guard, Other }, 'audit')).toBe(
      '1 it has no default export and offers several plugins: Guard, Other',
    );
  });

  it('check 1: there is nothing to take', () => {
    expect(find({})).toBe('1 it has no default export');
    expect(find({ helper: () => 1 })).toBe('1 it has no default export');
    expect(find(undefined)).toBe('1 it has no default export');
    expect(find({ default: null })).toBe('1 it has no default export');
  });

  it('check 2: what is there is no class', () => {
    expect(find({ default: 'Guard' })).toBe('2 its default export must be a class, and is a string');
    expect(find({ default: [] })).toBe('2 its default export must be a class, and is a list');
    expect(find({ default: new Guard() })).toBe('2 its default export must be a class, and is an object');
  });

  it('tells who exports an instance to export the class', () => {
    expect(findPluginExport({ default: new Guard() }, 'guard')).toMatchObject({
      hint: 'Export the class itself, not an instance of it.',
    });
  });
});
