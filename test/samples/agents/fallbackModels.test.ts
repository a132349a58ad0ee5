import { expect, it } from 'vitest';
import { openTestRuntime } from '../../builders/openTestRuntime.ts';
import { addModel, calls, resultsOf, textIn } from './agentWorld.ts';

it('a tool that one of the fallback models may not have is not there in the whole turn', async () => {
  await using test = await openTestRuntime({
    files: { 'a.md': 'text' },
    config: {
      agent: { fallbacks: ['replay/second'] },
      tools: { byProvider: { 'replay/second': { deny: ['read'] } } },
    },
  });
  const script = [calls('read', { path: 'a.md' }), { text: 'done' }];
  const alone = await test.say('read it', script);
  expect(textIn(resultsOf(alone, 'read')[0])).toContain('text');
  addModel(test, 'second', [{ text: 'never asked' }]);
  const [refused] = resultsOf(await test.say('read it', script), 'read');
  expect(refused?.isError).toBe(true);
  expect(textIn(refused)).toContain('byProvider');
});
