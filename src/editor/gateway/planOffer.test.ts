import { expect, it } from 'vitest';
import type { PluginRecord } from '../../plugins/pluginTypes.ts';
import { planOffer } from './planOffer.ts';

const plugin = (
  id: string,
  registrations: PluginRecord['registrations'],
  origin: PluginRecord['origin'] = 'workspace',
): PluginRecord => ({ id, name: id, origin, registrations }) satisfies Partial<PluginRecord> as PluginRecord;

it('offers the gateway for routes, handlers and methods, once for a plugin, and for no bundled one', () => {
  const plugins = [
    plugin('routes', { 'http route': ['/a'] }),
    plugin('handler', { 'http handler': ['*'] }),
    plugin('methods', { 'gateway method': ['a.b'] }),
    plugin('asked', { 'http route': ['/b'] }),
    plugin('tools', { tool: ['t'] }),
    plugin('ours', { 'http route': ['/c'] }, 'bundled'),
  ];
  expect(planOffer(plugins, new Set(['asked'])).map(({ id }) => id)).toEqual([
    'routes',
    'handler',
    'methods',
  ]);
});
