import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { mergeConfig } from '../../config/mergeConfig.ts';
import { createNodeFileSystem } from '../../host/node/nodeFileSystem.ts';
import { pluginFolderName } from '../pluginFolderName.ts';
import type { PluginRecord } from '../pluginTypes.ts';
import type { DoctorFacts } from './checkPlugins.ts';
import { findLeftovers, findLostConsents } from './findLeftovers.ts';
import { commandFor, isSafeFix, planDoctorReport } from './planDoctorReport.ts';

const plugin = (id: string, more: Partial<PluginRecord> = {}): PluginRecord =>
  ({ id, source: `/p/${id}/index.js`, diagnostics: [], toolNames: [], ...more }) as unknown as PluginRecord;

function report(facts: Partial<DoctorFacts>): ReturnType<typeof planDoctorReport> {
  return planDoctorReport({
    plugins: [],
    diagnostics: [],
    config: mergeConfig({}, []).config.plugins,
    lostConsents: [],
    leftovers: [],
    hiddenTools: [],
    ...facts,
  });
}

const codes = (facts: Partial<DoctorFacts>): readonly string[] =>
  report(facts).groups.flatMap(({ problems }) => problems.map(({ code }) => code));

describe('planDoctorReport', () => {
  it('says nothing where nothing is wrong, and keeps news out', () => {
    const news = { level: 'info', code: 'plugin_first_run', message: 'm', hint: 'h', pluginId: 'a' } as const;
    const state = { level: 'info', code: 'any', message: 'm' } as const;
    const facts = { plugins: [plugin('a', { diagnostics: [news] })], diagnostics: [news, state] };
    expect(report(facts)).toEqual({ groups: [], errors: 0, warnings: 0 });
  });

  it('groups by plugin in the order of the list, the worst first, each thing once, with the command line', () => {
    const warning = { level: 'warn', code: 'w', message: 'w', pluginId: 'b' } as const;
    const fixes = [{ kind: 'allow-conversation-access', pluginId: 'b' }] as const;
    const error = { level: 'error', code: 'e', message: 'e', pluginId: 'b', fixes } as const;
    const result = report({
      plugins: [plugin('a'), plugin('b', { diagnostics: [warning, error] })],
      diagnostics: [
        warning,
        error,
        { ...warning, pluginId: 'a' },
        { level: 'error', code: 'x', message: 'x' },
      ],
    });
    expect(result).toMatchObject({ errors: 2, warnings: 2 });
    expect(
      result.groups.map(({ pluginId, problems }) => [pluginId, problems.map(({ code }) => code)]),
    ).toEqual([
      [undefined, ['x']],
      ['a', ['w']],
      ['b', ['e', 'w']],
    ]);
    expect(result.groups[2]?.problems[0]?.commands).toEqual(['pincer plugins enable b --allow-conversation']);
  });

  it('finds names in the config that no plugin has, with the nearest one', () => {
    const { config } = mergeConfig(
      {
        plugins: {
          entries: { 'word-cuont': {}, 'word-count': {} },
          allow: ['gone'],
          deny: ['word-count'],
          slots: { memory: 'none', other: 'gone' },
        },
      },
      [],
    );
    const { groups } = report({ plugins: [plugin('word-count')], config: config.plugins });
    expect(groups[0]?.problems.map(({ message }) => message)).toEqual([
      'Your config names a plugin "word-cuont" in plugins.entries that is not here.',
      'Your config names a plugin "gone" in plugins.allow that is not here.',
      'Your config names a plugin "gone" in plugins.slots.other that is not here.',
    ]);
    expect(groups[0]?.problems[0]?.hint).toContain('"word-count"');
  });

  it('names slow loads, hidden tools, lost consents and leftovers', () => {
    const timings = { loadMs: 150, registerMs: 60 };
    expect(codes({ plugins: [plugin('a', { timings })] })).toEqual(['plugin_slow']);
    expect(codes({ plugins: [plugin('a', { timings: { ...timings, registerMs: 50 } })] })).toEqual([]);
    expect(codes({ hiddenTools: [{ name: 't', pluginId: 'a', reason: 'denied' }] })).toEqual(['tool_hidden']);
    expect(codes({ lostConsents: [{ id: 'a', rootDir: '/gone' }] })).toEqual(['consent_lost']);
    expect(codes({ leftovers: ['/home/.install-1'] })).toEqual(['plugin_leftover']);
  });
});

describe('commandFor', () => {
  it('stays one argument for whatever id', () => {
    expect(commandFor({ kind: 'enable-plugin', pluginId: "a'; rm -rf ~" })).toBe(
      String.raw`pincer plugins enable 'a'\''; rm -rf ~'`,
    );
    expect(commandFor({ kind: 'choose-slot', slot: 'memory', pluginId: '@x/y' })).toBe(
      'pincer plugins enable @x/y --slot memory',
    );
  });

  it('does nothing unasked that gives rights', () => {
    const kinds = [
      'allow-conversation-access',
      'allow-prompt-injection',
      'enable-plugin',
      'disable-plugin',
    ] as const;
    expect(kinds.filter((kind) => isSafeFix({ kind, pluginId: 'a' }))).toEqual([]);
    expect(isSafeFix({ kind: 'reload-plugin', pluginId: 'a' })).toBe(true);
  });
});

describe('findLeftovers', () => {
  it('finds installs that were cut short and snapshots of plugins that are gone', async () => {
    const root = await mkdtemp(join(tmpdir(), 'pincer-doctor-'));
    try {
      const snapshots = join(root, 'state', 'plugin-snapshots');
      await mkdir(join(root, '.install-1'));
      await mkdir(join(root, 'plugins'));
      await mkdir(join(snapshots, pluginFolderName('here')), { recursive: true });
      await mkdir(join(snapshots, pluginFolderName('gone')));
      await mkdir(join(root, 'state', 'plugin-state', pluginFolderName('gone')), { recursive: true });
      const fs = createNodeFileSystem();
      const places = { home: root, stateFolder: join(root, 'state') };
      expect(await findLeftovers(fs, places, [{ id: 'here' }])).toEqual([
        join(root, '.install-1'),
        join(snapshots, pluginFolderName('gone')),
      ]);
      expect(await findLeftovers(fs, { home: join(root, 'nothing') }, [])).toEqual([]);
      const consent = { id: 'a', hash: 'h', files: {}, grantedAt: 0 };
      const lost = { ...consent, rootDir: join(root, 'nothing') };
      expect(await findLostConsents(fs, [lost, { ...consent, id: 'b', rootDir: root }], [])).toEqual([lost]);
      expect(await findLostConsents(fs, [lost, { ...consent, rootDir: root }], [])).toEqual([]);
      expect(await findLostConsents(fs, [lost], [{ id: 'a' }])).toEqual([]);
    } finally {
      await rm(root, { recursive: true });
    }
  });
});
