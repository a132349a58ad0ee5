import { describe, expect, it } from 'vitest';
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import type { OperatorHookRecord } from '../../plugins/operatorHooks/operatorHookTypes.ts';
import type { DisabledBy, PluginRecord } from '../../plugins/pluginTypes.ts';
import { hookContext } from './hookContext.ts';
import { shownName } from './pluginIs.ts';
import {
  describeHook,
  planChildRows,
  planRootRows,
  pluginContext,
  pluginRowKey,
  pluginRowLook,
  problemContext,
  type PluginRow,
} from './pluginRows.ts';
import { createRowCache } from '../trees/createRowCache.ts';

const record = (id: string, more: Partial<PluginRecord> = {}): PluginRecord => ({
  id,
  name: id,
  kind: [],
  origin: 'workspace',
  rootDir: `/w/${id}`,
  source: `/w/${id}/index.ts`,
  manifestPath: `/w/${id}/openclaw.plugin.json`,
  enabled: true,
  status: 'loaded',
  reason: 'enabled',
  toolNames: [],
  hookNames: [],
  hooks: [],
  commands: [],
  services: [],
  unused: [],
  heldBack: [],
  registrations: {},
  diagnostics: [],
  ...more,
});
const problem = (more: Partial<Diagnostic> = {}): Diagnostic => ({
  level: 'warn',
  code: 'x',
  message: 'odd',
  ...more,
});
const operatorHook = (more: Partial<OperatorHookRecord> = {}): OperatorHookRecord => ({
  name: 'greet',
  key: 'greet',
  description: '',
  events: ['command:new'],
  origin: 'workspace',
  rootDir: '/w/greet',
  source: '/w/greet/handler.js',
  hookFile: '/w/greet/HOOK.md',
  status: 'disabled',
  reason: 'workspace hook (disabled by default)',
  diagnostics: [],
  ...more,
});

describe('planRootRows', () => {
  it("groups by origin, the user's own first, and names problems of no plugin before", () => {
    const own = problem({ message: 'of a' });
    const general = problem({ message: 'of the config' });
    const rows = planRootRows(
      [
        record('b', { origin: 'bundled' }),
        record('a', { diagnostics: [own] }),
        record('g', { origin: 'global' }),
      ],
      [general, own],
    );
    expect(rows.map((row) => (row.kind === 'origin' ? row.origin : row.kind))).toEqual([
      'problem',
      'workspace',
      'global',
      'bundled',
    ]);
  });

  it('offers a first plugin where the user has none, and is empty where there is nothing', () => {
    expect(planRootRows([record('b', { origin: 'bundled' })], []).map(({ kind }) => kind)).toEqual([
      'start',
      'origin',
    ]);
    expect(planRootRows([], [])).toEqual([]);
  });

  it('has operator hooks in a group of their own, and their problems there alone', () => {
    const own = problem({ message: 'of the hook' });
    const hook = operatorHook({ diagnostics: [own] });
    const rows = planRootRows([record('a')], [own], [hook]);
    expect(rows.map(({ kind }) => kind)).toEqual(['origin', 'operator hooks']);
    const [row] = planChildRows(rows[1]!);
    expect(row).toMatchObject({ kind: 'operator hook', hookFile: hook.hookFile });
    expect(planChildRows(row!)).toMatchObject([
      { kind: 'problem', diagnostic: own },
      { kind: 'entry', entry: { name: 'command:new' } },
    ]);
  });
});

describe('planChildRows', () => {
  it('shows problems first, then what the plugin brought, its settings and its load time', () => {
    const plugin = record('a', {
      diagnostics: [problem()],
      registrations: { tool: ['t'], hook: ['agent_end'], 'tool policy': ['/x'] },
      unused: ['tool policy /x'],
      hooks: [{ hook: 'agent_end', priority: 5, timeoutMs: 15_000, position: 2, of: 3 }],
      configJsonSchema: { properties: { a: {} } },
      timings: { loadMs: 1, registerMs: 1 },
    });
    const rows = planChildRows({ kind: 'plugin', pluginId: 'a', source: plugin.source, plugin });
    expect(rows.map((row) => (row.kind === 'group' ? row.group : row.kind))).toEqual([
      'problem',
      'tools',
      'hooks',
      'other',
      'config',
      'timings',
    ]);
    const other = rows.find((row) => row.kind === 'group' && row.group === 'other');
    expect(planChildRows(other!)).toMatchObject([
      { entry: { name: '/x', kind: 'tool policy', isUnused: true } },
    ]);
  });
});

describe('what menus go by', () => {
  it('names the state, and whether there are settings', () => {
    expect(pluginContext(record('a', { origin: 'global' }))).toBe('plugin.loaded.mayDevelop');
    expect(pluginContext(record('a', { origin: 'config' }))).toBe('plugin.loaded');
    expect(pluginContext(record('a'))).toBe('plugin.loaded.mayDevelop.mayForget');
    expect(pluginContext(record('a', { developing: true }))).toBe('plugin.loaded.developing.mayForget');
    const needsConsent = { why: 'files-changed', hash: 'h', changedFiles: [] } as const;
    expect(pluginContext(record('a', { needsConsent }))).toBe('plugin.loaded.changed.mayDevelop.mayForget');
    const configurable = { configJsonSchema: { properties: { a: {} } } };
    expect(pluginContext(record('a', { status: 'disabled', disabledBy: 'entry', ...configurable }))).toBe(
      'plugin.disabled.configurable',
    );
    const off = (disabledBy: DisabledBy): string =>
      pluginContext(record('a', { status: 'disabled', disabledBy }));
    expect(off('default')).toBe('plugin.disabled');
    expect(off('denylist')).toBe('plugin.fixed');
    expect(off('agent-file')).toBe('plugin.fixed');
  });

  it('offers to forget a consent only where the user has given one', () => {
    const waiting = { status: 'disabled', reason: 'workspace plugin (disabled by default)' } as const;
    const need = (why: 'never-enabled' | 'files-changed') => ({
      needsConsent: { why, hash: 'h', changedFiles: [] },
    });
    const mayForget = (more: Partial<PluginRecord>): boolean =>
      pluginContext(record('a', more)).includes('.mayForget');
    expect(mayForget({ ...waiting, ...need('files-changed') })).toBe(true);
    expect(mayForget({ status: 'error', failurePhase: 'load' })).toBe(true);
    expect(mayForget({ ...waiting, ...need('never-enabled') })).toBe(false);
    expect(mayForget({ status: 'error', failurePhase: 'manifest' })).toBe(false);
    expect(mayForget({ origin: 'global' })).toBe(false);
  });

  it('offers to uninstall only what was installed', () => {
    expect(pluginContext(record('a', { origin: 'global', isInstalled: true }))).toBe(
      'plugin.loaded.installed',
    );
  });

  it('knows plugins of an agent file, and those of them that have no source to open', () => {
    const dexto = (isBuiltIn: boolean) => ({ dexto: { isBuiltIn } as NonNullable<PluginRecord['dexto']> });
    expect(pluginContext(record('dexto:a', dexto(false)))).toBe('plugin.loaded.mayDevelop.mayForget.dexto');
    expect(pluginContext(record('dexto:b', { origin: 'bundled', ...dexto(true) }))).toBe(
      'plugin.loaded.dexto.builtIn',
    );
    expect(problemContext(problem({ pluginId: 'dexto:a' }))).toBe('problem');
    expect(problemContext(problem({ pluginId: 'a' }))).toBe('problem.plugin');
  });

  it('names the state of an operator hook, and what keeps it off where a switch does not help', () => {
    const needsConsent = { why: 'files-changed', hash: 'h', changedFiles: [] } as const;
    expect(hookContext(operatorHook({ needsConsent }))).toBe('hook.disabled');
    expect(hookContext(operatorHook({ status: 'loaded', needsConsent }))).toBe('hook.loaded.changed');
    expect(hookContext(operatorHook({ disabledBy: 'entry' }))).toBe('hook.disabled');
    expect(hookContext(operatorHook({ disabledBy: 'default' }))).toBe('hook.disabled');
    expect(hookContext(operatorHook({ disabledBy: 'requirements' }))).toBe('hook.fixed');
    expect(hookContext(operatorHook({ disabledBy: 'master-switch' }))).toBe('hook.fixed');
    expect(hookContext(operatorHook({ status: 'error' }))).toBe('hook.error');
  });

  it('names the best remedy apart from the others, each once', () => {
    const fixes = [
      { kind: 'choose-slot', slot: 'memory', pluginId: 'a' },
      { kind: 'choose-slot', slot: 'memory', pluginId: 'b' },
      { kind: 'disable-plugin', pluginId: 'a' },
    ] as const;
    expect(problemContext(problem({ fixes, pluginId: 'a' }))).toBe(
      'problem.plugin.best-choose-slot.also-disable-plugin',
    );
    expect(problemContext(problem())).toBe('problem');
  });
});

it('says where a handler stands and how long it may take', () => {
  const hook = { hook: 'agent_end', priority: 50, timeoutMs: 15_000, position: 2, of: 3 } as const;
  expect(describeHook(hook)).toBe('2 of 3 · priority 50 · 15 s');
  expect(describeHook({ ...hook, of: 1, position: 1, timeoutMs: null })).toBe('priority 50');
});

it('shows a name without marks that turn or hide text, and the id where nothing is left', () => {
  expect(shownName({ id: 'a', name: 'good\u202Eexe\n$(x)' })).toBe('goodexe $(x)');
  expect(shownName({ id: 'a', name: '\u200B' })).toBe('a');
});

describe('what makes the view draw a row anew', () => {
  const stale = (before: readonly PluginRecord[], after: readonly PluginRecord[]): unknown => {
    const rows = createRowCache<PluginRow>({
      keyOf: pluginRowKey,
      childrenOf: planChildRows,
      lookOf: (row) => pluginRowLook(row, () => 0),
    });
    rows.take(planRootRows(before, []));
    const drawn = rows.take(planRootRows(after, []));
    return drawn === 'all' ? drawn : drawn.map((row) => (row.kind === 'plugin' ? row.pluginId : row.kind));
  };

  it('is a change of that plugin alone', () => {
    const off = record('a', { status: 'disabled', reason: 'disabled in config' });
    expect(stale([off, record('b')], [record('a'), record('b')])).toEqual(['a']);
    expect(stale([record('a')], [record('a', { registrations: { tool: ['t'] } })])).toEqual(['a']);
  });

  it('is a plugin or a problem that comes or goes, for the group that counts them', () => {
    expect(stale([record('a')], [record('a'), record('b')])).toEqual(['origin']);
    expect(stale([record('a')], [record('a', { diagnostics: [problem()] })])).toEqual(['origin']);
    const told = record('a', { diagnostics: [problem({ level: 'info' })] });
    expect(stale([record('a'), record('b')], [told, record('b')])).toEqual(['a']);
  });

  it('is nothing where all stays, though it was read again', () => {
    expect(stale([record('a')], [structuredClone(record('a'))])).toEqual([]);
  });
});
