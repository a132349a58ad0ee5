import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'nothing of a blocked message or of the reason is in transcript, traces, log, diagnostics or a later request',
  mayRead: ['gate'],
  async check({ runtime, log, say, transcript, stored }) {
    await say('pass-phrase', done);
    const { asked } = await say('and now', done);
    await runtime.stop('shutdown');
    const all =
      JSON.stringify([asked, transcript(), log.lines, runtime.workspace.diagnostics()]) + (await stored());
    expect(all).toContain('Stopped.');
    expect(all).not.toContain('pass-phrase');
    expect(all).not.toContain('why-not');
  },
});
