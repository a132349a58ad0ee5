import { expect } from 'vitest';
import { sample } from '../pointSample.ts';

export default sample({
  rule: 'plugins are asked one after the other by priority, each with what those before it have made of the payload',
  async check({ say, marks, trace }) {
    const turn = await say('go', [{ text: 'Done.' }]);
    expect(marks).toEqual(['first: go', 'second: go first', 'third: go first']);
    expect(turn.asked[0]?.messages.at(-1)).toMatchObject({ content: [{ text: 'go first third' }] });
    const told = (await trace()).lines.flatMap((line) =>
      line.kind === 'point' ? [`${line.pluginId} ${line.outcome}`] : [],
    );
    expect(told).toEqual(['first changed', 'second nothing', 'third changed']);
  },
});
