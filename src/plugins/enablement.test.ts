import { describe, expect, it } from 'vitest';
import { mergeConfig } from '../config/mergeConfig.ts';
import { decideEnablement, type EnablementFacts, type EnablementSubject } from './enablement.ts';
import type { PluginsConfig } from './pluginTypes.ts';

const config = mergeConfig({}, []).config.plugins;
const plugin: EnablementSubject = { id: 'p', origin: 'workspace', kind: [], enabledByDefault: false };

function decide(
  subject: Partial<EnablementSubject>,
  settings: Partial<PluginsConfig> = {},
  facts: Partial<EnablementFacts> = {},
): string {
  const decision = decideEnablement(
    { ...plugin, ...subject },
    { trusted: true, consent: 'given', ...facts, config: { ...config, ...settings } },
  );
  return `${decision.enabled ? 'on' : 'off'}: ${decision.reason}`;
}

describe('decideEnablement', () => {
  const memory = { kind: ['memory'] };
  const off = { p: { enabled: false } };
  const on = { p: { enabled: true } };

  it.each([
    ['the master switch beats all', {}, { enabled: false, deny: ['p'] }, {}, 'off: plugins disabled'],
    ['the denylist beats the entry', {}, { deny: ['p'], entries: on }, {}, 'off: blocked by denylist'],
    [
      'the entry beats trust and consent',
      {},
      { entries: off },
      { trusted: false },
      'off: disabled in config',
    ],
    [
      'trust comes before consent',
      {},
      {},
      { trusted: false, consent: 'never-enabled' },
      'off: workspace is not trusted',
    ],
    [
      'no consent, no run, whatever the allowlist says',
      {},
      { allow: ['p'], entries: on },
      { consent: 'never-enabled' },
      'off: workspace plugin (disabled by default)',
    ],
    [
      'consent comes before the slot',
      memory,
      { slots: { memory: 'p' } },
      { consent: 'files-changed' },
      'off: workspace plugin (its files or settings have changed since you enabled it)',
    ],
    [
      'the slot beats the allowlist',
      memory,
      { slots: { memory: 'p' }, allow: ['q'] },
      {},
      'on: fills the memory slot',
    ],
    ['the allowlist beats the entry', {}, { allow: ['q'], entries: on }, {}, 'off: not in allowlist'],
    [
      'the entry beats the bundled default',
      { origin: 'bundled' },
      { entries: on },
      {},
      'on: enabled in config',
    ],
    [
      'bundled plugins may be on by default',
      { origin: 'bundled', enabledByDefault: true },
      {},
      {},
      'on: enabled by default',
    ],
    ['other bundled plugins are off', { origin: 'bundled' }, {}, {}, 'off: bundled (disabled by default)'],
    [
      'bundled plugins run untrusted',
      { origin: 'bundled', enabledByDefault: true },
      {},
      { trusted: false },
      'on: enabled by default',
    ],
    ['plugins of the home folder are on', { origin: 'global' }, {}, { consent: 'not-needed' }, 'on: enabled'],
    ['and off untrusted', { origin: 'global' }, {}, { trusted: false }, 'off: workspace is not trusted'],
    [
      'an unreadable config leaves only bundled plugins',
      { origin: 'global' },
      { onlyBundled: true },
      { consent: 'not-needed' },
      'off: your config can not be read',
    ],
    [
      'and those run',
      { origin: 'bundled', enabledByDefault: true },
      { onlyBundled: true },
      {},
      'on: enabled by default',
    ],
    ['no memory slot', memory, { slots: { memory: 'none' } }, {}, 'off: memory slot disabled'],
    [
      'another fills the slot',
      memory,
      {},
      { slotsFilledBy: { memory: 'm' } },
      'off: memory slot already filled by "m"',
    ],
  ] as const)('%s', (_title, subject, settings, facts, expected) => {
    expect(decide(subject, settings as Partial<PluginsConfig>, facts)).toBe(expected);
  });

  it('finds no settings for an id that names an object method', () => {
    expect(decide({ id: 'constructor' })).toBe('on: enabled by you');
  });
});
