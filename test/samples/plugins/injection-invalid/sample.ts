import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'an injection without text, with an unknown placement or too long is refused by name',
  async check({ runTool, sessionKey }) {
    expect(JSON.parse(await runTool('queue', { sessionKey }))).toEqual([
      'next-turn injection: text is required',
      'next-turn injection: placement must be prepend_context or append_context',
      'next-turn injection: text is longer than 32768 bytes',
      'next-turn injection: ttlMs must be a positive number',
      'next-turn injection: idempotencyKey must be a text of at most 512 characters',
    ]);
  },
});
