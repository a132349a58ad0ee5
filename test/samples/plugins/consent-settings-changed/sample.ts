import { expect } from 'vitest';
import type { PluginsConfig } from '../../../../src/plugins/pluginTypes.ts';
import { sample } from '../pluginSample.ts';

const saying = (command: string): Pick<PluginsConfig, 'workspace'> => ({
  workspace: {
    enabled: true,
    allow: [],
    deny: [],
    named: ['runner'],
    entries: { runner: { config: { command } } },
  },
});

export default sample({
  rule: 'settings that a workspace changes are asked about like changed files; your own are not',
  async check({ marks, plugin, load, manager }) {
    await load({ config: saying('evil') });
    expect(plugin('runner')).toMatchObject({
      needsConsent: { why: 'files-changed', changedFiles: ['(settings)'] },
    });
    expect(marks).toEqual(['none']);
    await manager.grantConsent('runner');
    await load({ config: saying('worse') });
    expect(plugin('runner').needsConsent?.changedFiles).toEqual(['(settings)']);
    await load({ config: saying('evil') });
    expect(plugin('runner')).toMatchObject({ status: 'loaded', reason: 'enabled by you' });
    await load({ config: { workspace: { ...saying('').workspace!, entries: {} } } });
    expect(plugin('runner').needsConsent?.changedFiles).toEqual(['(settings)']);
    await manager.grantConsent('runner');
    // What a workspace says does not count where you have said something.
    await load({ config: { ...saying('mine'), entries: { runner: { config: { command: 'mine' } } } } });
    expect(plugin('runner').needsConsent).toBeUndefined();
    expect(marks).toEqual(['none', 'evil', 'none', 'mine']);
  },
});
