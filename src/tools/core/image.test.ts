import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { testCall, testRun } from '../../../test/builders/callContexts.ts';
import {
  createTestWorkspace,
  textOf,
  type TestWorkspace,
} from '../../../test/samples/tools/createTestWorkspace.ts';
import type { Params } from '../../contracts/jsonTypes.ts';
import { createImageTool, type ImageReader } from './image.ts';

const png = Buffer.concat([Buffer.from('\x89PNG\r\n\x1A\n', 'latin1'), Buffer.alloc(8)]);

let workspace: TestWorkspace;
let asked: Parameters<ImageReader['describe']>[0][];
beforeEach(async () => {
  workspace = await createTestWorkspace();
  asked = [];
  await workspace.put('proj/a.png', png);
  await workspace.put('proj/b.png', png);
});
afterEach(() => workspace.remove());

function tool(unavailable?: string) {
  return createImageTool({
    ...workspace.deps,
    reader: {
      unavailable: () => unavailable,
      describe: async (request) => {
        asked.push(request);
        return { text: 'A cat.', model: 'acme/eyes' };
      },
    },
  });
}

async function call(params: Params) {
  const prepared = await tool().prepare(testCall(), params);
  return { effects: prepared.effects, result: await prepared.run(testRun()) };
}

it('asks a model that reads images about files of the workspace', async () => {
  const { effects, result } = await call({
    prompt: 'What is it?',
    image: 'a.png',
    images: ['b.png', 'a.png'],
  });
  expect(textOf(result)).toBe('A cat.');
  expect(result.details).toEqual({ images: ['a.png', 'b.png'], model: 'acme/eyes' });
  expect(asked[0]).toMatchObject({ prompt: 'What is it?', images: [{ mimeType: 'image/png' }, {}] });
  expect(effects).toEqual([
    { kind: 'read', path: join(workspace.root, 'a.png') },
    { kind: 'read', path: join(workspace.root, 'b.png') },
  ]);
});

it('is not offered where no model reads images, and says why', () => {
  expect(tool('no model reads images').unavailable?.()).toBe('no model reads images');
  expect(tool().unavailable?.()).toBeUndefined();
});

it('refuses what is no image, lies outside or is too many, and asks nobody', async () => {
  await workspace.put('proj/fake.png', 'text');
  await workspace.put('secret.png', png);
  await symlink(join(workspace.folder, 'secret.png'), join(workspace.root, 'link.png'));
  await expect(call({ image: 'fake.png' })).rejects.toMatchObject({ code: 'image_unknown' });
  await expect(call({ image: 'link.png' })).rejects.toThrow(/link|outside/u);
  await expect(call({ image: '../secret.png' })).rejects.toMatchObject({ code: 'path_outside' });
  await expect(call({})).rejects.toMatchObject({ code: 'params_invalid' });
  await expect(call({ image: 'a.png', images: ['b.png', 'c.png', 'd.png', 'e.png'] })).rejects.toMatchObject({
    code: 'params_invalid',
  });
  expect(asked).toEqual([]);
});
