import { expect, it } from 'vitest';
import { createTestHooks } from '../../test/builders/createTestHooks.ts';

it('tells which handler changed the outcome and how, in the order they ran', async () => {
  const { runner, on } = createTestHooks();
  on('before_prompt_build', 'late', () => ({ appendContext: 'two' }));
  on('before_prompt_build', 'silent', () => undefined, { priority: 1 });
  on('before_prompt_build', 'early', () => ({ appendContext: 'one', systemPrompt: 'mine' }), { priority: 2 });
  const told: unknown[] = [];
  const outcome = await runner.modify(
    'before_prompt_build',
    { prompt: 'hello', messages: [] },
    {},
    undefined,
    { contributed: (pluginId, before, after) => void told.push([pluginId, before, after]) },
  );
  const early = { appendContext: 'one', systemPrompt: 'mine' };
  expect(told).toEqual([
    ['early', {}, early],
    ['late', early, { ...early, appendContext: 'one\n\ntwo' }],
  ]);
  expect(outcome).toEqual({ ...early, appendContext: 'one\n\ntwo' });
});

it('names no handler that failed or returned what the hook refuses', async () => {
  const { runner, on, diagnostics } = createTestHooks();
  on('before_prompt_build', 'throws', () => Promise.reject(new Error('broken')));
  on('before_prompt_build', 'odd', () => ({ appendContext: 7 }) as never);
  const told: string[] = [];
  await runner.modify('before_prompt_build', { prompt: 'hello', messages: [] }, {}, undefined, {
    contributed: (pluginId) => void told.push(pluginId),
  });
  expect(told).toEqual([]);
  expect(diagnostics).toHaveLength(2);
});
