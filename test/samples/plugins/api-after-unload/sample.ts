import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'the API of an unloaded plugin throws an error that names it',
  async check({ load }) {
    const { goneApi } = globalThis as unknown as { goneApi: { on: (...args: unknown[]) => void } };
    await load({ config: { deny: ['gone'] } });
    expect(() => goneApi.on('agent_end', () => undefined)).toThrow(
      'api.on was called by plugin gone, which is no longer loaded.',
    );
  },
});
