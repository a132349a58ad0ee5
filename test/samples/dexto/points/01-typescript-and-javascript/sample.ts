import { expect } from 'vitest';
import { sample } from '../pointSample.ts';

export default sample({
  rule: 'plugins may be written in TypeScript and in JavaScript, as ES module or CommonJS',
  async check({ say, plugin }) {
    expect((await say('Hello')).sent).toContain('Hello ts js mjs cjs');
    for (const name of ['typed', 'plain', 'module', 'common']) expect(plugin(name).status).toBe('loaded');
  },
});
