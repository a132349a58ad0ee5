import { expect, it } from 'vitest';
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import type { PluginRecord } from '../../plugins/pluginTypes.ts';
import { planFixes } from './planFixes.ts';

const problem = (more: Partial<Diagnostic> = {}): Diagnostic => ({
  level: 'error',
  code: 'c',
  message: 'm',
  ...more,
});
const plugin = (failurePhase?: PluginRecord['failurePhase']): PluginRecord =>
  ({ id: 'a', ...(failurePhase === undefined ? {} : { failurePhase }) }) as PluginRecord;
const kinds = (diagnostic: Diagnostic, of?: PluginRecord) =>
  planFixes(diagnostic, of).map(({ kind }) => kind);

it('offers what a problem names itself first, and nothing twice', () => {
  const fixes = [{ kind: 'disable-plugin', pluginId: 'a' }] as const;
  expect(kinds(problem({ fixes }), plugin('load'))).toEqual(['disable-plugin', 'reload-plugin']);
});

it('offers the settings where they are what is wrong', () => {
  expect(kinds(problem(), plugin('validation'))).toEqual([
    'configure-plugin',
    'reload-plugin',
    'disable-plugin',
  ]);
});

it('offers nothing of its own for a warning, or for a plugin that runs', () => {
  expect(kinds(problem({ level: 'warn' }), plugin('load'))).toEqual([]);
  expect(kinds(problem(), plugin())).toEqual([]);
  expect(kinds(problem())).toEqual([]);
});
