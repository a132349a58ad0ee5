import { expect, it } from 'vitest';
import { readImages, saveMedia, type MediaPorts } from './saveMedia.ts';

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

it('an image is what its bytes are, in a size that models take: what was said of it counts for nothing', async () => {
  const files = new Map<string, Uint8Array>();
  const fs: MediaPorts['fs'] = {
    writeFile(path, content) {
      files.set(path, Buffer.from(content));
      return Promise.resolve();
    },
    readDirectory: () => Promise.resolve([]),
    stat: (path) => {
      const size = files.get(path)?.byteLength;
      const facts = { kind: 'file', links: 1, mode: 0o600, uid: 0, mtimeMs: 0 } as const;
      return Promise.resolve(size === undefined ? undefined : { ...facts, size });
    },
    remove: () => Promise.resolve(),
    readFile: (path) => Promise.resolve(files.get(path) ?? new Uint8Array()),
  };
  const ports = { fs, folder: '/media' };
  const keep = async (buffer: Uint8Array, type: unknown = 'image/png'): Promise<string> =>
    (
      (await saveMedia(ports, { buffer, type, maxBytes: undefined, name: 'a.png' })) as {
        path: string;
      }
    ).path;
  const gif = Buffer.from('GIF89a');
  const paths = [
    await keep(Buffer.from('<html>')),
    await keep(Buffer.concat([gif, new Uint8Array(5_000_000)])),
    await keep(gif),
    await keep(gif, 'application/octet-stream'),
    await keep(gif, null),
    '/media/00000000-0000-0000-0000-000000000000.png',
  ];
  const media = paths.map((path) => ({ path, type: 'image/png' }));
  const shown = { type: 'image', mimeType: 'image/gif', data: gif.toString('base64') };
  expect(await readImages(ports, { media })).toEqual([shown, shown, shown]);
});
