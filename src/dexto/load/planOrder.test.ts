import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dextoEntry } from '../../../test/builders/openDextoLoader.ts';
import type { PluginEntry } from '../agentFile/agentFile.ts';
import { planOrder } from './planOrder.ts';

const agentFile = '/a/agent.yml';

function entry(name: string, priority: number, dependsOn: readonly string[] = [], line = 1): PluginEntry {
  return dextoEntry(name, { priority, dependsOn, line });
}

function names(...entries: readonly PluginEntry[]): readonly string[] {
  const planned = planOrder(entries, agentFile);
  if (!planned.ok) throw new Error(planned.failures.map(({ message }) => message).join('\n'));
  return planned.order.map(({ name }) => name);
}

function problems(...entries: readonly PluginEntry[]): readonly string[] {
  const planned = planOrder(entries, agentFile);
  return planned.ok ? [] : planned.failures.map(({ message }) => message);
}

describe('planOrder', () => {
  it('lower priority goes first, negative ones included, wherever they stand in the file', () => {
    expect(names(entry('late', 900), entry('early', -5), entry('middle', 0))).toEqual([
      'early',
      'middle',
      'late',
    ]);
  });

  it('what a plugin depends on goes before it, whatever their priorities; the others keep theirs', () => {
    expect(names(entry('a', 1, ['z']), entry('b', 2), entry('z', 9))).toEqual(['b', 'z', 'a']);
  });

  it('two plugins of one name fail, with both lines', () => {
    expect(problems(entry('audit', 1, [], 3), entry('audit', 2, [], 8))).toEqual([
      "two plugins are named 'audit', in lines 3 and 8",
    ]);
  });

  it('two plugins of one priority fail, with both names; one that is off does not count', () => {
    expect(problems(entry('a', 10), entry('b', 10))).toEqual(["plugins 'a' and 'b' both have priority 10"]);
    expect(names(entry('a', 10), { ...entry('b', 10), enabled: false })).toEqual(['a']);
  });

  it('a dependency that is not there, or is off, fails with both names', () => {
    expect(problems(entry('a', 1, ['gone']))).toEqual([
      "plugin 'a' needs plugin 'gone', which the agent file does not have",
    ]);
    expect(problems(entry('a', 1, ['b']), { ...entry('b', 2), enabled: false })).toEqual([
      "plugin 'a' needs plugin 'b', which is switched off",
    ]);
  });

  it('a circle fails with its members in order, and not with those that only wait for it', () => {
    const waiting = entry('waiting', 0, ['a']);
    expect(problems(waiting, entry('a', 1, ['b']), entry('b', 2, ['c']), entry('c', 3, ['a']))).toEqual([
      "plugins depend on each other in a circle: 'a' -> 'b' -> 'c' -> 'a'",
    ]);
    expect(problems(entry('self', 1, ['self']))).toEqual([
      "plugins depend on each other in a circle: 'self' -> 'self'",
    ]);
  });

  it('every problem is told at once, at its line of the agent file, with a retry', () => {
    const planned = planOrder([entry('a', 1, ['x'], 4), entry('b', 1, [], 6)], agentFile);
    expect(
      planned.ok ? [] : planned.failures.map(({ phase, diagnostic }) => ({ phase, ...diagnostic })),
    ).toEqual([
      expect.objectContaining({
        phase: 'validation',
        code: 'plugin_duplicate_priority',
        line: 6,
        source: agentFile,
      }),
      expect.objectContaining({
        code: 'plugin_configuration_invalid',
        line: 4,
        pluginId: 'dexto:a',
        fixes: [{ kind: 'reload-plugin', pluginId: 'dexto:a' }],
      }),
    ]);
  });

  it('names such as __proto__ are names like any other', () => {
    expect(names(entry('constructor', 1, ['__proto__']), entry('__proto__', 2))).toEqual([
      '__proto__',
      'constructor',
    ]);
  });

  it('for any graph without circles: nobody before what it needs, and of all that could come next the lowest priority', () => {
    const graphs = fc
      .uniqueArray(fc.integer(), { maxLength: 8 })
      .chain((priorities) =>
        fc.tuple(
          fc.constant(priorities),
          fc.array(fc.array(fc.nat({ max: 7 })), { minLength: 8, maxLength: 8 }),
        ),
      );
    fc.assert(
      fc.property(graphs, ([priorities, edges]) => {
        const entries = priorities.map((priority, at) =>
          entry(
            `p${String(at)}`,
            priority,
            (edges[at] ?? []).filter((to) => to < at).map((to) => `p${String(to)}`),
          ),
        );
        const planned = planOrder(entries, agentFile);
        if (!planned.ok) return false;
        return planned.order.every(({ priority }, at) => {
          const before = new Set(planned.order.slice(0, at).map(({ name }) => name));
          const free = planned.order
            .slice(at)
            .filter(({ dependsOn }) => dependsOn.every((name) => before.has(name)));
          return priority === Math.min(...free.map((each) => each.priority));
        });
      }),
    );
  });
});
