import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createChangeCollector } from './createChangeCollector.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function createTarget() {
  const told: (readonly string[] | 'broadly')[] = [];
  return {
    told,
    changed: (paths: readonly string[]): void => void told.push(paths),
    changedBroadly: (): void => void told.push('broadly'),
  };
}

describe('createChangeCollector', () => {
  it('tells what changed together in one go, each file once', () => {
    const target = createTarget();
    const collector = createChangeCollector(target);
    for (const path of ['/a.md', '/b.md', '/a.md']) collector.add(path);
    expect(target.told).toEqual([]);
    vi.runAllTimers();
    expect(target.told).toEqual([['/a.md', '/b.md']]);
    collector.add('/c.md');
    vi.runAllTimers();
    expect(target.told.at(-1)).toEqual(['/c.md']);
  });

  it('tells of 99 files one by one and of 100 as a change of everything', () => {
    const target = createTarget();
    const collector = createChangeCollector(target);
    for (let file = 0; file < 99; file += 1) collector.add(`/${String(file)}.md`);
    vi.runAllTimers();
    expect(target.told[0]).toHaveLength(99);
    for (let file = 0; file < 100; file += 1) collector.add(`/${String(file)}.md`);
    vi.runAllTimers();
    expect(target.told).toHaveLength(2);
    expect(target.told[1]).toBe('broadly');
  });

  it('tells of everything once where a folder or a checkout was seen among files', () => {
    const target = createTarget();
    const collector = createChangeCollector(target);
    collector.add('/a.md');
    collector.addAll();
    collector.addAll();
    vi.runAllTimers();
    expect(target.told).toEqual(['broadly']);
  });

  it('tells nothing after it was disposed of', () => {
    const target = createTarget();
    const collector = createChangeCollector(target);
    collector.add('/a.md');
    collector.dispose();
    vi.runAllTimers();
    expect(target.told).toEqual([]);
  });
});
