import { expect, it } from 'vitest';
import { openTestRuntime } from '../../builders/openTestRuntime.ts';

const done = [{ text: 'done' }];
const listener = (name: string): string =>
  `module.exports = (api) => api.registerHook('message:received', () => mark('${name}'), { name: '${name}' });`;
const plugins = { global: { mine: listener('mine') }, plugins: { theirs: listener('theirs') } };

async function heard(user: boolean | undefined, workspace: boolean | undefined): Promise<object> {
  const said = (enabled: boolean | undefined) =>
    enabled === undefined ? {} : { hooks: { internal: { enabled } } };
  await using test = await openTestRuntime({
    ...plugins,
    config: said(user),
    files: { '.pincer/config.jsonc': JSON.stringify(said(workspace)) },
  });
  await test.say('hi', done);
  const off = test.runtime.workspace
    .diagnostics()
    .filter(({ code }) => code === 'plugin_hook_off')
    .map(({ level, pluginId, message }) => `${level} ${String(pluginId)}: ${message}`);
  return { heard: [...test.marks].sort(), off };
}

it('stops internal hooks of plugins where hooks.internal.enabled is false; a workspace only those of its own', async () => {
  const off = (name: string): string =>
    `info ${name}: hook "${name}" does not run: hooks.internal.enabled is false`;
  expect(await heard(undefined, undefined)).toEqual({ heard: ['mine', 'theirs'], off: [] });
  expect(await heard(false, undefined)).toEqual({ heard: [], off: [off('theirs'), off('mine')] });
  expect(await heard(undefined, false)).toEqual({ heard: ['mine'], off: [off('theirs')] });
});
