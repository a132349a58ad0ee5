import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a job that a plugin keeps for a session hears once that the session or the plugin ends',
  async check({ manager, load, marks, found }) {
    expect(found('plugin_registration_refused', 'clock').map(({ message }) => message)).toEqual([
      'session scheduler job already registered: there',
      'session scheduler job cleanup must be a function: odd',
      'session scheduler job registration requires unique id, sessionKey, and kind',
    ]);
    const end = (): Promise<void> => manager.endSession({ id: 's1', key: 'agent:main:one' }, 'delete');
    await Promise.all([end(), end()]);
    await end();
    await load({ config: { deny: ['clock'] } });
    expect(marks).toEqual([
      '{"id":"here","pluginId":"clock","sessionKey":"agent:main:one","kind":"reminder"}',
      'here delete agent:main:one',
      'there disable agent:main:two',
    ]);
  },
});
