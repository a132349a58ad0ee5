import { expect } from 'vitest';
import { sample } from '../pointSample.ts';

export default sample({
  rule: '@dexto/core has the types under the names of all versions, and errors with their codes to use; a manager it does not have',
  async check({ say, marks }) {
    const { results } = await say('Hello', [{ toolCalls: [{ name: 'ls', arguments: {} }] }, { text: 'Hi.' }]);
    expect(marks).toEqual(['PLUGIN_EXECUTION_FAILED true function function']);
    expect(results[0]).toContain('not at this hour');
  },
});
