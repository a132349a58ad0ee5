import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'what follows a command is cut to 4096 characters and cleaned of control characters',
  async check({ manager }) {
    const [echo] = manager.commands();
    expect((await echo?.run(`a\u0000b${'x'.repeat(5000)}`, { channel: 'cli' }))?.text).toBe('4096 /echo ab');
  },
});
