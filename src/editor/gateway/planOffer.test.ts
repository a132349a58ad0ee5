import { expect, it } from 'vitest';
import type { PluginRecord } from '../../plugins/pluginTypes.ts';
import { planOffer } from './planOffer.ts';

const plugin = (
  id: string,
  registrations: PluginRecord['registrations'],
  origin: PluginRecord['origin'] = 'workspace',
): PluginRecord => ({ id, name: id, origin, registrations }) satisfies Partial<PluginRecord> as PluginRecord;

it('offers the gateway for routes, handlers and methods, once for a plugin, and for a bundled one whose channel is on', () => {
  const plugins = [
    plugin('routes', { 'http route': ['/a'] }),
    plugin('handler', { 'http handler': ['*'] }),
    plugin('methods', { 'gateway method': ['a.b'] }),
    plugin('asked', { 'http route': ['/b'] }),
    plugin('tools', { tool: ['t'] }),
    plugin('ours', { 'http route': ['/c'], channel: ['quiet'] }, 'bundled'),
    plugin('webhook', { 'http route': ['/w'], channel: ['webhook'] }, 'bundled'),
  ];
  expect(planOffer(plugins, new Set(['asked']), new Set(['webhook'])).map(({ id }) => id)).toEqual([
    'routes',
    'handler',
    'methods',
    'webhook',
  ]);
});
