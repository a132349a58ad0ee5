import { mkdir, rename, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type EngineWorld, openEngineWorld } from '../../../test/builders/openEngineWorld.ts';
import type { MemorySettings } from '../memorySettings.ts';

describe('the memory’s engine', () => {
  const never = new AbortController().signal;
  let world: EngineWorld;

  afterEach(async () => await world.close());

  const withWait = { waitMs: 10_000 };

  describe('the memory follows the files', () => {
    it('finds what was saved as soon as it is told of it', async () => {
      world = await openEngineWorld({ 'notes.md': '# Fruit\n\nThe apple is red.' });
      const engine = await world.open();
      await world.write('notes.md', '# Fruit\n\nThe banana is yellow.');
      await engine.changed([world.path('notes.md')]);
      expect((await engine.ask('banana', withWait)).hits[0]).toMatchObject({
        label: 'notes.md',
        startLine: 1,
        endLine: 3,
        headings: ['Fruit'],
        text: '# Fruit\n\nThe banana is yellow.',
      });
      expect(await engine.labels('apple')).toEqual([]);
    });

    it('reads a change by itself after a short pause', async () => {
      world = await openEngineWorld({ 'notes.md': 'The apple is red.' });
      const engine = await world.open();
      await world.write('notes.md', 'The banana is yellow.');
      await engine.changed([world.path('notes.md')]);
      expect((await engine.status()).stale).toBe(1);
      expect((await engine.files())[0]?.state).toBe('stale');
      expect((await engine.ask('banana')).indexing).toEqual({ phase: 'index', done: 0, total: 1 });
      await engine.until(async () => (await engine.status()).stale === 0);
      expect(await engine.labels('banana')).toEqual(['notes.md']);
    });

    it('sees what changed without a word when a turn begins: another text, a new file beside it, one that went', async () => {
      world = await openEngineWorld({ 'notes.md': 'The apple is red.', 'old.md': 'The date is brown.' });
      const engine = await world.open();
      await world.write('notes.md', 'The banana is yellow.');
      await engine.turnBegins();
      expect(await engine.labels('banana', withWait)).toEqual(['notes.md']);
      expect(await engine.labels('apple')).toEqual([]);
      await world.write('new.md', 'The cherry is red.');
      await world.remove('old.md');
      await engine.turnBegins();
      expect(await engine.labels('cherry', withWait)).toEqual(['new.md']);
      expect(await engine.labels('date')).toEqual([]);
    });

    it('sees a .gitignore above that was changed without a word when a turn begins, and a first note', async () => {
      world = await openEngineWorld({ 'docs/deep/a.md': 'date', 'docs/.gitignore': 'other' });
      const engine = await world.open();
      await world.write('docs/.gitignore', 'deep');
      await engine.turnBegins();
      expect(await engine.labels('date', withWait)).toEqual([]);
      await world.write('first.md', 'elderberry');
      await engine.turnBegins();
      expect(await engine.labels('elderberry', withWait)).toEqual(['first.md']);
    });

    it('reads nothing when a turn begins and nothing has changed', async () => {
      world = await openEngineWorld({ 'notes.md': 'The apple is red.', 'docs/a.md': 'date' });
      const engine = await world.open();
      const before = (await engine.status()).lastSync ?? 0;
      // Nothing in the folders is so young any more that it might have changed unseen.
      await engine.until(() => Date.now() - before > 100);
      await engine.sync({}, never);
      const { lastSync } = await engine.status();
      await engine.turnBegins();
      expect(await engine.labels('apple', withWait)).toEqual(['notes.md']);
      expect(await engine.status()).toMatchObject({ lastSync, stale: 0 });
    });

    it('takes a new file, and leaves out one that does not belong to it', async () => {
      world = await openEngineWorld();
      const engine = await world.open();
      await world.write('docs/new.md', 'cherry');
      await world.write('docs/new.txt', 'cherry');
      await world.write('node_modules/a/readme.md', 'cherry');
      await engine.changed(['docs/new.md', 'docs/new.txt', 'node_modules/a/readme.md'].map(world.path));
      expect(await engine.labels('cherry', withWait)).toEqual(['docs/new.md']);
    });

    it('forgets a file that was removed, and all files of a folder', async () => {
      world = await openEngineWorld({ 'a.md': 'date', 'docs/b.md': 'date', 'docs/deep/c.md': 'date' });
      const engine = await world.open();
      expect(await engine.labels('date')).toHaveLength(3);
      await world.remove('docs');
      await engine.changed([world.path('docs')]);
      expect(await engine.labels('date', withWait)).toEqual(['a.md']);
      await world.remove('a.md');
      await engine.changed([world.path('a.md')]);
      expect(await engine.labels('date', withWait)).toEqual([]);
      expect(await engine.status()).toMatchObject({ files: 0, passages: 0 });
    });

    it('follows a file that was renamed', async () => {
      world = await openEngineWorld({ 'old.md': 'elderberry' });
      const engine = await world.open();
      await rename(world.path('old.md'), world.path('new.md'));
      await engine.changed([world.path('old.md'), world.path('new.md')]);
      expect(await engine.labels('elderberry', withWait)).toEqual(['new.md']);
    });

    it('scans everything when many files changed, and counts what became of them', async () => {
      world = await openEngineWorld({ 'a.md': 'one', 'b.md': 'two', 'c.md': 'three' });
      const engine = await world.open();
      await world.write('a.md', 'changed one');
      await world.remove('b.md');
      await world.write('d.md', 'four');
      expect(await engine.sync({}, never)).toMatchObject({
        added: 1,
        changed: 1,
        removed: 1,
        unchanged: 1,
        leftOut: 0,
        passages: 3,
      });
      expect(await engine.sync({}, never)).toMatchObject({ added: 0, changed: 0, removed: 0, unchanged: 3 });
    });

    it('names a file that can not be read, and why', async () => {
      world = await openEngineWorld({ 'a.md': 'text', 'b.md': 'bin\0ary' });
      const engine = await world.open();
      expect((await engine.files()).map(({ label, state, reason }) => [label, state, reason])).toEqual([
        ['a.md', 'indexed', undefined],
        ['b.md', 'left-out', 'it is not text'],
      ]);
    });
  });

  describe('answers of the memory', () => {
    /** The older a note, the more often it says the word: what the words find first, the age puts last. */
    const many = Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [
        `memory/${new Date(Date.now() - at * 5 * 86_400_000).toISOString().slice(0, 10)}.md`,
        `# Note ${String(at)}\n\n${'fig '.repeat(1 + Math.floor(at / 8))}and grape number${String(at)}`,
      ]),
    );

    it('gives with one result the head of what it gives with twenty', async () => {
      world = await openEngineWorld(many);
      const engine = await world.open();
      for (const query of ['fig', 'grape number7', 'note fig grape']) {
        const twenty = await engine.labels(query, { maxResults: 20 });
        expect(twenty).toHaveLength(20);
        for (const maxResults of [1, 2, 5, 10])
          expect(await engine.labels(query, { maxResults })).toEqual(twenty.slice(0, maxResults));
      }
    });

    it('looks in the named files only, before and after they changed', async () => {
      world = await openEngineWorld({ 'docs/a.md': 'hazelnut', 'memory/b.md': 'hazelnut' });
      const engine = await world.open();
      const files = ['memory/**'];
      expect(await engine.labels('hazelnut', { files })).toEqual(['memory/b.md']);
      await world.write('memory/c.md', 'hazelnut again');
      await engine.changed([world.path('memory/c.md')]);
      expect(await engine.labels('hazelnut', { files, ...withWait })).toEqual(['memory/b.md', 'memory/c.md']);
      expect(await engine.labels('hazelnut', { sources: ['sessions'] })).toEqual([]);
    });

    it('says by which words it found a passage', async () => {
      world = await openEngineWorld({ 'a.md': 'juniper and kale', 'b.md': 'lemon' });
      const engine = await world.open();
      const [hit] = (await engine.ask('juniper kale mango')).hits;
      expect(hit?.why.text?.terms.map(({ term }) => term).sort()).toEqual(['junip', 'kale']);
    });

    it('takes any text for a query, and gives up at once when it is cancelled', async () => {
      world = await openEngineWorld({ 'a.md': 'melon' });
      const engine = await world.open();
      for (const query of ['', '"', 'a AND', '(((', '\0', '*'.repeat(10_000)])
        expect(Array.isArray((await engine.ask(query)).hits)).toBe(true);
      await expect(engine.search('melon', {}, AbortSignal.abort())).rejects.toMatchObject({
        code: 'cancelled',
      });
    });
  });

  describe('a file that the user takes out', () => {
    it('is gone at once, stays out over a rebuild and a restart, and comes back when it is to', async () => {
      world = await openEngineWorld({ 'secret.md': 'nectarine', 'open.md': 'nectarine' });
      let engine = await world.open();
      await engine.forget(world.path('secret.md'));
      expect(await engine.labels('nectarine')).toEqual(['open.md']);
      expect(await engine.find('secret.md')).toMatchObject({ state: 'forgotten', passages: 0 });
      await engine.changed([world.path('secret.md')]);
      expect(await engine.labels('nectarine', withWait)).toEqual(['open.md']);
      await engine.sync({ rebuild: true }, never);
      expect(await engine.labels('nectarine')).toEqual(['open.md']);
      await engine.close();

      engine = await world.open();
      expect(await engine.labels('nectarine')).toEqual(['open.md']);
      expect((await engine.files()).find(({ label }) => label === 'secret.md')?.state).toBe('forgotten');
      await engine.remember(world.path('secret.md'));
      expect(await engine.labels('nectarine', withWait)).toEqual(['open.md', 'secret.md']);
    });
  });

  describe('changed settings', () => {
    const folders = (...paths: readonly string[]): Partial<MemorySettings> => ({
      roots: paths.map((path) => ({ path, name: path.split(/[\\/]/u).at(-1) ?? '', exclude: [] })),
    });

    it('take effect while it runs: a folder comes and goes, an exclude is added', async () => {
      world = await openEngineWorld({ 'one/a.md': 'orange', 'two/b.md': 'orange' });
      const { path, settings } = world;
      const engine = await world.open(folders(path('one')));
      expect(await engine.labels('orange')).toEqual(['a.md']);

      await engine.configure({ ...settings, ...folders(path('one'), path('two')) });
      await engine.sync({}, never);
      expect(await engine.labels('orange')).toEqual(['one/a.md', 'two/b.md']);

      await engine.configure({ ...settings, ...folders(path('one'), path('two')), exclude: ['a.md'] });
      await engine.sync({}, never);
      expect(await engine.labels('orange')).toEqual(['two/b.md']);

      await engine.configure({ ...settings, ...folders(path('two')) });
      await engine.sync({}, never);
      expect(await engine.labels('orange')).toEqual(['b.md']);
    });

    it('make a new scan by themselves', async () => {
      world = await openEngineWorld({ 'a.md': 'papaya', 'b.md': 'papaya' });
      const engine = await world.open();
      await engine.configure({ ...world.settings, exclude: ['a.md'] });
      await engine.until(async () => (await engine.status()).files === 1);
      expect(await engine.labels('papaya')).toEqual(['b.md']);
    });
  });

  describe('finding a file by its name', () => {
    it('takes labels and paths of what is indexed or is to be, and nothing else', async () => {
      world = await openEngineWorld({ 'docs/a.md': 'quince' });
      const engine = await world.open();
      expect(await engine.find('docs/a.md')).toMatchObject({ state: 'indexed', passages: 1 });
      expect((await engine.find(world.path('docs/a.md')))?.label).toBe('docs/a.md');
      await world.write('docs/b.md', 'new');
      expect(await engine.find('docs/b.md')).toMatchObject({ path: world.path('docs/b.md'), state: 'stale' });
      await world.write('docs/c.txt', 'no note');
      for (const file of ['docs/c.txt', 'docs/d.md', '../outside.md', '/etc/passwd', ''])
        expect(await engine.find(file)).toBeUndefined();
    });
  });

  describe('what lies on disk', () => {
    it('is there after the end, and is answered from at the next start', async () => {
      world = await openEngineWorld({ 'a.md': 'raspberry' });
      await (await world.open()).close();
      const { indexPath } = await (async () => {
        const engine = world.create();
        await engine.configure(world.settings);
        expect(await engine.labels('raspberry')).toEqual(['a.md']);
        return await engine.status();
      })();
      expect((await stat(indexPath)).size).toBeGreaterThan(0);
    });

    it('tells a sync at the start what the first scan found, and a later start when that was', async () => {
      world = await openEngineWorld({ 'a.md': 'tulip', 'b.md': 'rose' });
      const first = world.create();
      await first.configure(world.settings);
      expect(await first.sync({}, never)).toMatchObject({ added: 2, unchanged: 0 });
      expect(await first.sync({}, never)).toMatchObject({ added: 0, unchanged: 2 });
      const { lastSync } = await first.status();
      await first.close();
      const second = world.create();
      await second.configure(world.settings);
      expect((await second.status()).lastSync).toBeLessThanOrEqual(lastSync ?? 0);
    });

    it('is not written again where nothing changed', async () => {
      world = await openEngineWorld({ 'a.md': 'raspberry' });
      // A file that was saved just before it was read is read once more at the next scan.
      await utimes(world.path('a.md'), 1_700_000_000, 1_700_000_000);
      await (await world.open()).close();
      const again = await world.open();
      const { generation, indexPath } = await again.status();
      expect(generation).toBe(1);
      const before = (await stat(indexPath)).mtimeMs;
      await again.close();
      expect((await stat(indexPath)).mtimeMs).toBe(before);
    });
  });
});

describe('sessions in the memory', () => {
  const never = new AbortController().signal;
  let world: EngineWorld;

  afterEach(async () => await world.close());

  const id = '0e8a1c1e-1111-4222-8333-444455556666';
  const label = `sessions/${id}.jsonl`;

  function said(role: 'user' | 'assistant', text: string): string {
    const message = {
      role,
      content: [{ type: 'text', text }],
      timestamp: 1,
      provider: 'p',
      model: 'm',
      stopReason: 'stop',
    };
    return JSON.stringify({ type: 'message', id: 'i', parentId: null, message });
  }

  /** Writes a session that nobody has spoken in for an hour. */
  async function writeSession(...lines: readonly string[]): Promise<string> {
    const { sessionsFolder } = world.settings;
    const path = join(sessionsFolder, `${id}.jsonl`);
    const header = JSON.stringify({ type: 'session', version: 1, id, createdAt: 1, folders: [] });
    await mkdir(sessionsFolder, { recursive: true });
    await writeFile(path, `${[header, ...lines].join('\n')}\n`);
    const hourAgo = Date.now() / 1_000 - 3_600;
    await utimes(path, hourAgo, hourAgo);
    return path;
  }

  it('finds what was said in a session where that is switched on, by the lines that reading it gives', async () => {
    world = await openEngineWorld({ 'a.md': 'tulip' });
    await writeSession(said('user', 'Which flower?'), said('assistant', 'A tulip, of course.'));
    const engine = await world.open();
    expect(await engine.labels('tulip')).toEqual(['a.md']);
    expect(await engine.readSession(label)).toBeUndefined();

    await engine.configure({ ...world.settings, sources: ['memory', 'sessions'] });
    await engine.sync({}, never);
    const { hits } = await engine.ask('tulip', { sources: ['sessions'] });
    expect(hits.map((hit) => [hit.label, hit.source])).toEqual([[label, 'sessions']]);
    const lines = (await engine.readSession(label))?.split('\n') ?? [];
    const { startLine = 0, endLine = 0 } = hits[0] ?? {};
    expect(lines.slice(startLine - 1, endLine).join('\n')).toContain('Assistant: A tulip, of course.');
  });

  it('gives nothing of a session that was forgotten', async () => {
    world = await openEngineWorld();
    const path = await writeSession(said('user', 'Hello'), said('assistant', 'Good day'));
    const engine = await world.open({ sources: ['sessions'] });
    expect(await engine.readSession(label)).toContain('Good day');
    await engine.forget(path);
    expect(await engine.readSession(label)).toBeUndefined();
    expect(await engine.labels('day')).toEqual([]);
  });
});
