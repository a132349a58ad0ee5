import { expect, it } from 'vitest';
import { openTestRuntime } from '../../builders/openTestRuntime.ts';

const done = [{ text: 'done' }];
const listener = (name: string): string =>
  `module.exports = (api) => api.registerHook('message:received', () => mark('${name}'), { name: '${name}' });`;
const plugins = { global: { mine: listener('mine') }, plugins: { theirs: listener('theirs') } };

async function heard(user: boolean | undefined, workspace: boolean | undefined): Promise<readonly string[]> {
  const said = (enabled: boolean | undefined) =>
    enabled === undefined ? {} : { hooks: { internal: { enabled } } };
  await using test = await openTestRuntime({
    ...plugins,
    config: said(user),
    files: { '.pincer/config.jsonc': JSON.stringify(said(workspace)) },
  });
  await test.say('hi', done);
  return [...test.marks].sort();
}

it('stops internal hooks of plugins where hooks.internal.enabled is false; a workspace only those of its own', async () => {
  expect(await heard(undefined, undefined)).toEqual(['mine', 'theirs']);
  expect(await heard(false, undefined)).toEqual([]);
  expect(await heard(undefined, false)).toEqual(['mine']);
});
