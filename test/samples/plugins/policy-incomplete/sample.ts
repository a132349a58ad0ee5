import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a trusted tool policy needs id, description and evaluate, and an id of its own',
  check({ manager, found }) {
    expect(manager.policies().map(({ id, pluginId }) => [id, pluginId])).toEqual([['budget', 'rules']]);
    expect(found('plugin_registration_refused', 'rules').map(({ message }) => message)).toEqual([
      'trusted tool policy registration requires id, description, and evaluate()',
      'trusted tool policy already registered: budget (rules)',
    ]);
  },
});
