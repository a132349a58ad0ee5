import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'the small readers of unknown values do as upstream’s',
  async check({ runTool }) {
    expect(JSON.parse(await runTool('ping'))).toMatchObject([
      'default',
      'my-bot',
      'default',
      'e',
      '{"a":1}',
      false,
      '',
      null,
      { provider: 'openai', model: 'gpt-5/mini' },
      { provider: 'x', model: 'gpt' },
      null,
      { type: 'string', enum: ['a'], description: 'd' },
      { type: 'string', enum: ['a'] },
    ]);
  },
});
