import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type EngineWorld, openEngineWorld, wasmFile } from '../../../test/builders/openEngineWorld.ts';
import { createNodeFileSystem } from '../../host/node/nodeFileSystem.ts';
import { systemClock } from '../../host/node/systemClock.ts';
import type { FileSystem } from '../../host/ports.ts';
import type { ReadResult } from '../files/readMemoryFile.ts';
import { createApplyToIndex } from './createIndexWork.ts';
import type { LiveIndex } from './createLiveIndex.ts';
import { createProblems, createYielder } from './engineState.ts';
import { openIndexFile } from './openEngine.ts';

describe('createIndexWork', () => {
  const never = new AbortController().signal;
  const withWait = { waitMs: 10_000 };
  let world: EngineWorld;

  afterEach(async () => await world.close());

  function notes(count: number, word: string): Record<string, string> {
    return Object.fromEntries(
      Array.from({ length: count }, (_, at) => [
        `d${String(at % 40)}/n${String(at)}.md`,
        `# Note ${String(at)}\n\n${word} in number${String(at)}`,
      ]),
    );
  }

  /** The real file system; `onRead` is called before each file that is read, with how many were before it. */
  function watchedFiles(onRead: (nth: number, path: string) => Promise<void> | void): FileSystem {
    const fs = createNodeFileSystem();
    let reads = 0;
    return {
      ...fs,
      async readFile(path, maxBytes) {
        if (path.endsWith('.md')) await onRead(reads++, path);
        return await fs.readFile(path, maxBytes);
      },
    };
  }

  describe('a checkout of thousands of files', () => {
    it('is read in one pass, and each of them is found by its new text', async () => {
      world = await openEngineWorld(notes(2_000, 'spruce'));
      const engine = await world.open();
      expect((await engine.status()).files).toBe(2_000);
      for (const [label, text] of Object.entries(notes(2_000, 'larch'))) await world.write(label, text);
      await engine.changedBroadly();
      expect(await engine.sync({}, never)).toMatchObject({ changed: 0, unchanged: 2_000 });
      expect(await engine.labels('spruce')).toEqual([]);
      for (const at of [0, 777, 1_999])
        expect(await engine.labels(`number${String(at)}`)).toEqual([`d${String(at % 40)}/n${String(at)}.md`]);
    });

    it('may be told file by file', async () => {
      world = await openEngineWorld(notes(300, 'spruce'));
      const engine = await world.open();
      const next = notes(300, 'larch');
      for (const [label, text] of Object.entries(next)) await world.write(label, text);
      await engine.changed(Object.keys(next).map(world.path));
      await engine.until(async () => (await engine.labels('spruce')).length === 0);
      expect(await engine.labels('larch', { maxResults: 50 })).toHaveLength(50);
    });
  });

  describe('a pass that is cancelled', () => {
    it('leaves a whole index, and the next one goes on from there', async () => {
      world = await openEngineWorld(notes(200, 'cedar'));
      const controller = new AbortController();
      const fs = watchedFiles((nth) => (nth === 50 ? controller.abort() : undefined));
      const engine = world.create({ fs });
      await engine.configure(world.settings);
      await expect(engine.sync({}, controller.signal)).rejects.toMatchObject({ code: 'cancelled' });

      await engine.until(async () => (await engine.status()).progress === undefined);
      const { files, passages, lastSync, stale } = await engine.status();
      expect(lastSync).toBeUndefined();
      expect(stale).toBe(200 - files);
      expect(files).toBeGreaterThan(20);
      expect(files).toBeLessThan(60);
      expect(passages).toBe(files);
      expect((await engine.ask('cedar', { maxResults: 50 })).hits).toHaveLength(Math.min(50, files));
      expect(await engine.sync({}, never)).toMatchObject({ added: 200 - files, unchanged: files });
    });
  });

  describe('a rebuild', () => {
    it('answers each search in between from the old index or from the new one', async () => {
      world = await openEngineWorld(notes(80, 'maple'));
      const engine = await world.open();
      const before = await engine.labels('maple', { maxResults: 50 });
      expect(before).toHaveLength(50);
      const progress = { isDone: false };
      const rebuilt = engine.sync({ rebuild: true }, never).finally(() => (progress.isDone = true));
      let searches = 0;
      while (!progress.isDone) {
        expect(await engine.labels('maple', { maxResults: 50 })).toEqual(before);
        searches += 1;
        await setImmediate();
      }
      expect(await rebuilt).toMatchObject({ added: 80 });
      expect(searches).toBeGreaterThan(3);
      expect(await engine.labels('maple', { maxResults: 50 })).toEqual(before);
    });

    it('comes by itself where passages are cut in another way', async () => {
      const long = Array.from({ length: 60 }, (_, at) => `Line ${String(at)} about the maple tree.`).join(
        '\n',
      );
      world = await openEngineWorld({ 'a.md': long });
      const engine = await world.open();
      expect((await engine.status()).passages).toBe(2);
      const chunking = { tokens: 60, overlap: 0 };
      await engine.configure({ ...world.settings, chunking });
      await engine.until(async () => (await engine.status()).passages > 5);
      const { passages } = await engine.status();
      await engine.close();
      const again = world.create();
      await again.configure({ ...world.settings, chunking });
      expect((await again.status()).passages).toBe(passages);
    });

    it('loses no change that comes while it runs', async () => {
      world = await openEngineWorld(notes(100, 'willow'));
      let isRebuilding = false;
      let isTold = false;
      const fs = watchedFiles(async (_nth, path) => {
        // The file was read into the new index already.
        if (!isRebuilding || isTold || !path.endsWith('n90.md')) return;
        isTold = true;
        await world.write('d0/n0.md', 'poplar instead');
        await engine.changed([world.path('d0/n0.md')]);
        // It is in the old index before the new one takes its place.
        await engine.until(async () => (await engine.labels('poplar')).length > 0);
      });
      const engine = await world.open({}, { fs });
      isRebuilding = true;
      await engine.sync({ rebuild: true }, never);
      expect(isTold).toBe(true);
      expect(await engine.labels('poplar', withWait)).toEqual(['d0/n0.md']);
      expect(await engine.labels('number0')).toEqual([]);
    });

    it('is the generation after the one that it replaces', async () => {
      world = await openEngineWorld({ 'a.md': 'rowan' });
      await (await world.open()).close();
      const engine = await world.open();
      const { generation } = await engine.status();
      await engine.sync({ rebuild: true }, never);
      await engine.until(async () => (await engine.status()).generation > generation);
      expect((await engine.status()).generation).toBe(generation + 1);
    });

    it('that is cancelled leaves the old index', async () => {
      world = await openEngineWorld(notes(100, 'ash'));
      const controller = new AbortController();
      const fs = watchedFiles((nth) => (nth === 150 ? controller.abort() : undefined));
      const engine = await world.open({}, { fs });
      await expect(engine.sync({ rebuild: true }, controller.signal)).rejects.toMatchObject({
        code: 'cancelled',
      });
      expect(await engine.status()).toMatchObject({ files: 100, passages: 100 });
      expect(await engine.labels('number99')).toEqual(['d19/n99.md']);
    });
  });

  describe('a long pass', () => {
    it('lets a saved file through before it ends', async () => {
      world = await openEngineWorld(notes(300, 'birch'));
      let release = (): void => undefined;
      const held = new Promise<void>((resolve) => (release = resolve));
      const fs = watchedFiles((_nth, path) => (path.endsWith('n200.md') ? held : undefined));
      const engine = world.create({ fs });
      await engine.configure(world.settings);
      await world.write('now.md', 'alder');
      await engine.changed([world.path('now.md')]);
      await engine.until(async () => (await engine.labels('alder')).length > 0);
      expect(await engine.labels('alder')).toEqual(['now.md']);
      expect((await engine.ask('alder')).indexing?.phase).toBe('index');
      release();
      await engine.sync({}, never);
      expect(await engine.labels('alder')).toEqual(['now.md']);
    });

    it('reads a file that changes under its hands as it is in the end', async () => {
      world = await openEngineWorld({ 'a.md': 'yew' });
      const fs = watchedFiles(async (nth) => {
        if (nth === 0) await world.write('a.md', 'hornbeam, which is longer');
      });
      const engine = await world.open({}, { fs });
      expect(await engine.labels('hornbeam')).toEqual(['a.md']);
      expect(await engine.labels('yew')).toEqual([]);
    });
  });
});

describe('createApplyToIndex', () => {
  let world: EngineWorld;
  let index: LiveIndex;

  beforeEach(async () => {
    world = await openEngineWorld();
    const place = { folder: world.folder, wasmFile };
    const file = await openIndexFile(
      { fs: createNodeFileSystem(), place },
      createProblems(() => undefined),
    );
    index = await file.openFresh(0);
  });

  afterEach(async () => {
    index.close();
    await world.close();
  });

  const path = '/w/a.md';

  function read(text: string): ReadResult {
    const file = { path, label: 'a.md', source: 'memory' as const, bytes: text.length, modified: 1 };
    return { kind: 'text', text, hash: text, file };
  }

  const apply = (result: ReadResult, isSuperseded = (): boolean => false): Promise<string> =>
    createApplyToIndex(
      () => world.settings,
      createYielder(systemClock, () => Promise.resolve()),
    )(index, path, result, isSuperseded);

  const hits = (query: string): number => index.lexical.search(query, { limit: 9 }).length;

  it('says what became of a file', async () => {
    expect(await apply(read('rose'))).toBe('added');
    expect(await apply(read('rose'))).toBe('unchanged');
    expect(await apply(read('lily'))).toBe('changed');
    expect([hits('rose'), hits('lily')]).toEqual([0, 1]);
    expect(await apply({ kind: 'gone' })).toBe('removed');
    expect(await apply({ kind: 'gone' })).toBe('unchanged');
    expect([hits('lily'), index.files().size]).toEqual([0, 0]);
  });

  it('drops a reading of a file that changed while it was being cut', async () => {
    await apply(read('rose'));
    let looks = 0;
    expect(await apply(read('lily'), () => looks++ > 0)).toBe('superseded');
    expect([hits('rose'), hits('lily')]).toEqual([1, 0]);
  });

  describe('a file of very many passages', () => {
    const long = (word: string): ReadResult =>
      read(Array.from({ length: 300 }, (_, at) => `# ${word} ${at}\n\n${word}\n`).join('\n'));
    const passages = (): number => index.store.counts().passages;

    it('takes the place of what was there, whole in the end', async () => {
      await apply(long('rose'));
      expect(await apply(long('lily'))).toBe('changed');
      expect([hits('rose'), hits('lily'), passages()]).toEqual([0, 9, 300]);
      expect(index.pathOf(index.lexical.search('lily', { limit: 1 })[0]?.passage ?? 0)).toBe(path);
      expect(index.file(path)).toMatchObject({ modified: 1 });
      expect(index.store.files()).toEqual([index.file(path)]);
    });

    it('counts as never read where it changed in the middle', async () => {
      await apply(read('rose'));
      const isHalfIn = (): boolean => passages() >= 100;
      expect(await apply(long('lily'), isHalfIn)).toBe('superseded');
      expect(passages()).toBeLessThan(200);
      expect(index.store.files()).toMatchObject([{ path, hash: '', modified: 0 }]);
      expect(await apply(read('tulip'))).toBe('changed');
      expect([hits('rose'), hits('lily'), hits('tulip'), passages()]).toEqual([0, 0, 1, 1]);
    });
  });
});
