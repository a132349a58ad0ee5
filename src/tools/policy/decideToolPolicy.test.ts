import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decideToolPolicy, type PolicyLayer } from './decideToolPolicy.ts';
import type { PolicyTool } from './entryMatches.ts';
import { toolGroups } from './toolGroups.ts';

const tool: PolicyTool = { name: 'deploy', owner: { kind: 'plugin', pluginId: 'p' }, optional: true };
const core = (name: string): PolicyTool => ({ name, owner: { kind: 'core' }, optional: false });
const isOffered = (each: PolicyTool, layers: readonly PolicyLayer[]): boolean =>
  decideToolPolicy(each, layers) === undefined;

describe('decideToolPolicy', () => {
  it.each(['*', 'deploy', 'p', 'group:plugins'])(
    'shows an optional tool where the user allows "%s", and only there',
    (entry) => {
      const user = { label: 'user', isUser: true };
      const workspace = { label: 'workspace', allow: [entry] };
      expect(decideToolPolicy(tool, [user, workspace])?.reason).toContain('optional');
      expect(isOffered(tool, [{ ...user, allow: [entry] }, workspace])).toBe(true);
      expect(isOffered(tool, [{ ...user, reveals: [entry] }, workspace])).toBe(true);
      expect(isOffered(tool, [user, { ...workspace, reveals: [entry] }])).toBe(false);
      expect(isOffered(tool, [user, { ...workspace, isUser: false }])).toBe(false);
      expect(isOffered({ ...tool, optional: false }, [user, workspace])).toBe(true);
    },
  );

  it('names the first layer that hides the tool', () => {
    const layers = [{ label: 'a' }, { label: 'b', allow: ['read'] }, { label: 'c', deny: ['p'] }];
    expect(decideToolPolicy(tool, layers)).toEqual({ reason: 'not in the allow list of b', layer: 'b' });
    expect(decideToolPolicy(tool, layers.slice(2))).toEqual({ reason: 'denied by "p" in c', layer: 'c' });
  });

  it.each([
    ['write', [], true],
    ['wr*', [], true],
    ['write', ['apply_patch'], false],
    ['exec', [], false],
  ])('allows apply_patch where the allow list has "%s" and %j is denied: %s', (allow, deny, expected) => {
    expect(isOffered(core('apply_patch'), [{ label: 'a', allow: [allow], deny }])).toBe(expected);
  });

  it.each([
    ['Bash', 'exec'],
    [' apply-patch ', 'apply_patch'],
    ['group:fs', 'diagnostics'],
    ['group:openclaw', 'web_fetch'],
    ['GROUP:RUNTIME', 'process'],
    ['*', 'read'],
    ['mem*_get', 'memory_get'],
  ])('takes "%s" for %s', (entry, name) => {
    expect(isOffered(core(name), [{ label: 'a', deny: [entry] }])).toBe(false);
  });

  it.each(['constructor', '__proto__', 'toString', '', ' '])('takes "%s" for no tool of ours', (entry) => {
    expect(isOffered(core('read'), [{ label: 'a', deny: [entry] }])).toBe(true);
  });
});

describe('properties', () => {
  const names = ['read', 'write', 'apply_patch', 'exec', 'deploy', 'web_fetch'];
  const entries = fc.array(
    fc.constantFrom(...names, ...Object.keys(toolGroups), 'group:plugins', '*', 'w*', 'p', 'Bash'),
    { maxLength: 4 },
  );
  const anyTool = fc.record({
    name: fc.constantFrom(...names),
    owner: fc.constantFrom({ kind: 'core' } as const, { kind: 'plugin', pluginId: 'p' } as const),
    optional: fc.boolean(),
  });
  const layer = fc.record({
    label: fc.constant('layer'),
    allow: entries,
    deny: entries,
    reveals: entries,
    isUser: fc.boolean(),
  });
  const layers = fc.array(layer, { maxLength: 5 });

  it('a further layer never gives back a tool; only one of the user shows an optional one', () => {
    fc.assert(
      fc.property(anyTool, layers, layer, fc.nat(5), (each, some, more, at) => {
        const all = some.toSpliced(at, 0, more);
        const mayReveal = each.optional && more.isUser;
        expect(mayReveal || isOffered(each, some) || !isOffered(each, all)).toBe(true);
      }),
    );
  });

  it('what one layer denies is denied whatever else is allowed, there and elsewhere', () => {
    fc.assert(
      fc.property(anyTool, layers, layer, fc.nat(5), (each, some, more, at) => {
        const denying = {
          ...more,
          allow: ['*', each.name],
          reveals: [each.name],
          deny: [...more.deny, each.name],
        };
        expect(isOffered(each, some.toSpliced(at, 0, denying))).toBe(false);
      }),
    );
  });

  it('the order of layers changes nothing', () => {
    fc.assert(
      fc.property(anyTool, layers, (each, some) => {
        expect(isOffered(each, some.toReversed())).toBe(isOffered(each, some));
      }),
    );
  });
});
