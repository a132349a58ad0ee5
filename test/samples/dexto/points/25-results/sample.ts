import { expect } from 'vitest';
import { sample } from '../pointSample.ts';

export default sample({
  rule: 'a result is { ok, modify, cancel, message, notices }; what is not ok is not applied, and what is no result counts as an exception',
  async check({ say, trace }) {
    const { sent } = await say('Hello');
    expect(sent).toContain('"Hello."');
    const lines = (await trace()).lines.flatMap((line) => (line.kind === 'point' ? [line] : []));
    expect(lines).toMatchObject([
      {
        ...{ pluginId: 'says', outcome: 'changed', message: 'a dot' },
        notices: [
          { kind: 'allow', code: 'FINE', message: 'one' },
          { kind: 'info', message: 'two' },
        ],
      },
      { pluginId: 'declines', outcome: 'declined' },
      { pluginId: 'empty', outcome: 'failed' },
      { pluginId: 'text', outcome: 'failed' },
    ]);
  },
});
