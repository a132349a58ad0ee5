import { describe, expect, it } from 'vitest';
import { mergeConfig } from '../config/mergeConfig.ts';
import { selectSlot } from './selectSlot.ts';

const config = mergeConfig({}, []).config.plugins;
const plugins = [
  { id: 'a', kind: ['memory'] },
  { id: 'b', kind: ['memory'] },
  { id: 'both', kind: ['memory', 'context-engine'] },
  { id: 'off', kind: ['memory'] },
  { id: 'plain', kind: [] },
];

describe('selectSlot', () => {
  it('sets the slot, disables the others of the kind, and says so in upstream words', () => {
    const before = { ...config, slots: { memory: 'a' }, entries: { off: { enabled: false } } };
    expect(selectSlot('memory', 'b', plugins, before)).toEqual({
      changes: [
        { path: ['slots', 'memory'], value: 'b' },
        { path: ['entries', 'a', 'enabled'], value: false },
      ],
      warnings: [
        'Exclusive slot "memory" switched from "a" to "b".',
        'Disabled other "memory" slot plugins: a.',
      ],
    });
  });

  it('switches the chosen plugin on where it was off', () => {
    const { changes } = selectSlot('memory', 'off', [], { ...config, entries: { off: { enabled: false } } });
    expect(changes).toContainEqual({ path: ['entries', 'off', 'enabled'], value: true });
  });

  it('changes nothing for a choice that stands', () => {
    expect(
      selectSlot('memory', 'a', [{ id: 'a', kind: ['memory'] }], { ...config, slots: { memory: 'a' } }),
    ).toEqual({
      changes: [],
      warnings: [],
    });
  });
});
