import { expect, it } from 'vitest';
import { PincerError } from '../../base/errors.ts';
import type { ServedRoute } from '../../gateway/gateway.ts';
import type { PluginRecord } from '../../plugins/pluginTypes.ts';
import { planAddresses, servedNow } from './addressRows.ts';

const route = (path: string, more: Partial<ServedRoute> = {}): ServedRoute => ({
  ...{ pluginId: 'web', kind: 'http route', path, match: 'exact', auth: 'plugin' },
  ...more,
});
const plugin = (registrations: PluginRecord['registrations']): PluginRecord =>
  ({ id: 'web', registrations }) satisfies Partial<PluginRecord> as PluginRecord;
const web = plugin({ 'http route': ['/callback', '/taken', '/files'], 'http handler': ['*'], tool: ['t'] });
const routes = [
  route('/callback'),
  route('/files', { match: 'prefix', auth: 'gateway' }),
  route('*', { kind: 'http handler', match: 'prefix', auth: 'gateway' }),
  route('/taken', { pluginId: 'other' }),
];

it('turns routes and handlers into addresses while the gateway runs, and names those that are not served', () => {
  const base = 'http://127.0.0.1:18789';
  const row = planAddresses(web, servedNow({ state: 'running', port: 18_789, startedAt: 0 }, routes, base));
  expect(
    row?.addresses.map(({ path, stands, address, needsToken }) => [path, stands, address, needsToken]),
  ).toEqual([
    ['/callback', 'on', `${base}/callback`, false],
    ['/taken', 'refused', undefined, true],
    ['/files', 'on', `${base}/files`, true],
    ['*', 'on', `${base}/`, true],
  ]);
});

it('has no address while the gateway is off, starts, failed, or is in a window whose port is not known', () => {
  const stands = (...given: Parameters<typeof servedNow>) =>
    planAddresses(plugin({ 'http route': ['/callback'] }), servedNow(...given))?.addresses[0];
  expect(stands({ state: 'off' }, routes, undefined)).toMatchObject({ stands: 'off' });
  expect(stands({ state: 'starting' }, routes, undefined)).toMatchObject({ stands: 'starting' });
  expect(stands({ state: 'elsewhere', port: undefined }, routes, undefined)).toMatchObject({
    stands: 'starting',
  });
  const error = new PincerError('gateway_failed', 'It failed.');
  const failed = servedNow({ state: 'failed', error }, routes, undefined);
  expect(planAddresses(web, failed)).toMatchObject({ state: 'failed', reason: 'It failed.' });
});

it('has no such row for a plugin that has nothing served', () => {
  expect(planAddresses(plugin({ tool: ['t'] }), servedNow({ state: 'off' }, [], undefined))).toBeUndefined();
});
