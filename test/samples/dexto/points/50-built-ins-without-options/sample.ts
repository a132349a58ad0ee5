import { expect } from 'vitest';
import { sample } from '../pointSample.ts';

export default sample({
  rule: 'a built-in plugin that is only named runs with its defaults: its place in the order, whether it blocks, and nothing that it changes',
  async check({ runtime, say }) {
    const rows = runtime.plugins
      .plugins()
      .flatMap(({ name, dexto, status }) =>
        dexto === undefined ? [] : [[name, status, dexto.priority, dexto.blocking, dexto.timeoutMs]],
      );
    expect(rows).toEqual([
      ['contentPolicy', 'loaded', 10, true, 5_000],
      ['responseSanitizer', 'loaded', 900, false, 5_000],
      ['notifications', 'loaded', 1_000, false, 5_000],
    ]);
    const turn = await say('write to me@example.com', [{ text: 'To me@example.com.' }]);
    expect(turn.sent).toContain('write to me@example.com');
    expect(turn.shown).toBe('To me@example.com.');
  },
});
