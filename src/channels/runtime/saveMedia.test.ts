import { expect, it } from 'vitest';
import { saveMedia, type MediaPorts } from './saveMedia.ts';

it('keeps 200 MB of media at most: the oldest goes', async () => {
  const files = new Map<string, { readonly size: number; readonly mtimeMs: number }>();
  let at = 0;
  const fs: MediaPorts['fs'] = {
    writeFile(path, content) {
      files.set(path, { size: content.length, mtimeMs: (at += 1) });
      return Promise.resolve();
    },
    readDirectory: () =>
      Promise.resolve(
        [...files.keys()].map((path) => ({ name: path.slice('/media/'.length), kind: 'file' })),
      ),
    stat: (path) =>
      Promise.resolve({
        kind: 'file',
        links: 1,
        mode: 0o600,
        uid: 0,
        ...(files.get(path) ?? { size: 0, mtimeMs: 0 }),
      }),
    remove(path) {
      files.delete(path);
      return Promise.resolve();
    },
    readFile: () => Promise.reject(new Error('nothing is read')),
  };
  const buffer = new Uint8Array(8_000_000);
  for (let count = 0; count < 30; count += 1)
    await saveMedia(
      { fs, folder: '/media' },
      { buffer, type: 'image/png', maxBytes: undefined, name: undefined },
    );
  expect([...files.values()].map(({ mtimeMs }) => mtimeMs)).toEqual(
    Array.from({ length: 25 }, (_, each) => each + 6),
  );
});
