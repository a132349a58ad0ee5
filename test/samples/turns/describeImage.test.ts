import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openTestRuntime } from '../../builders/openTestRuntime.ts';
import { addModel } from '../agents/agentWorld.ts';

const plugin = `module.exports = (api) => api.registerCommand({
  name: 'see', description: 'Looks.', acceptsArgs: true,
  handler: async ({ args }) => {
    const params = { filePath: args, prompt: 'What is it?', cfg: api.config };
    return JSON.stringify(await api.runtime.mediaUnderstanding.describeImageFile(params).catch(({ code }) => code));
  },
});`;

it('a plugin has the model for images describe a file, and nothing but an image is sent', async () => {
  await using test = await openTestRuntime({
    global: { viewer: plugin },
    config: { agent: { imageModel: 'replay/eyes' } },
  });
  addModel(test, 'eyes', [{ text: 'A cat.', expect: { userText: 'What is it?' } }]);
  const see = async (path: string): Promise<unknown> =>
    JSON.parse((await test.runtime.plugins.findCommand(`/see ${path}`)?.run(test.session))?.text ?? '');
  const image = join(test.workspace, 'cat.png');
  await writeFile(image, Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'));
  await writeFile(join(test.workspace, 'key.png'), 'secret');
  expect(await see(join(test.workspace, 'key.png'))).toBe('image_unknown');
  // It has no size and no end.
  if (process.platform !== 'win32') expect(await see('/dev/zero')).toBe('image_unknown');
  expect(await see(image)).toEqual({ text: 'A cat.', provider: 'replay', model: 'eyes' });
});
