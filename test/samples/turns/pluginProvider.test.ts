import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { openTestRuntime } from '../../builders/openTestRuntime.ts';

const fixture = new URL(
  '../plugins/provider-stream-function/fixture/workspace/acme/index.ts',
  import.meta.url,
);

it("a model that a plugin answers for runs a whole turn: it calls the plugin's tool and reads its result", async () => {
  const code = (await readFile(fixture, 'utf8')).replaceAll(': any', '').replaceAll(': string', '');
  await using test = await openTestRuntime({
    plugins: { acme: code.replace('export default', 'module.exports =') },
    answer: 'allow-once',
  });
  const { runtime } = test;
  const model = runtime.models.resolve('acme/one');
  const { outcome, events } = await test.say('count', [], { model });
  expect(outcome).toEqual({
    status: 'completed',
    text: expect.stringContaining('The tool says 2 words') as unknown,
  });
  const messages = events.flatMap((event) => (event.type === 'message' ? [event.message] : []));
  expect(messages.map(({ provider, model, stopReason }) => [provider, model, stopReason])).toEqual([
    ['acme', 'one', 'toolUse'],
    ['acme', 'one', 'stop'],
  ]);
  await runtime.plugins.setEnabled('acme', false);
  expect(runtime.models.list().map(({ info }) => info.provider)).not.toContain('acme');
  expect(messages[1]?.usage).toEqual({ input: 9, output: 3, cacheRead: 2, cacheWrite: 0 });
});
