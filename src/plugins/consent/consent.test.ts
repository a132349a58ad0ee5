import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createNodeFileSystem } from '../../host/node/nodeFileSystem.ts';
import { createConsentStore } from './consentStore.ts';
import type { Consent } from './consentRecords.ts';
import { judgeConsent } from './judgeConsent.ts';
import { fileHashes, readPluginFiles } from './readPluginFiles.ts';

const fs = createNodeFileSystem();
let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'pincer-consent-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const consent: Consent = {
  id: 'p',
  hash: 'h1',
  rootDir: '/w/p',
  files: { 'a.ts': '1', 'b.ts': '1' },
  grantedAt: 5,
};

describe('judgeConsent', () => {
  const question = { id: 'p', rootDir: '/w/p', hash: 'h1', files: { 'a.ts': '1', 'b.ts': '1' } };

  it('is content with the files that were agreed to, wherever they lie', () => {
    expect(judgeConsent(question, [consent])).toBeUndefined();
    expect(judgeConsent({ ...question, rootDir: '/elsewhere' }, [consent])).toBeUndefined();
  });

  it('names what was changed, added and removed', () => {
    const changed = { ...question, hash: 'h2', files: { 'a.ts': '2', 'c.ts': '1' } };
    expect(judgeConsent(changed, [consent])).toEqual({
      why: 'files-changed',
      hash: 'h2',
      changedFiles: ['a.ts', 'b.ts', 'c.ts'],
    });
  });

  it('does not take the consent for one plugin for another', () => {
    expect(judgeConsent({ ...question, id: 'q' }, [consent])?.why).toBe('never-enabled');
  });
});

describe('createConsentStore', () => {
  it('keeps consents over processes, one for each plugin and folder', async () => {
    const store = createConsentStore(fs, root);
    await Promise.all([store.grant(consent), store.grant({ ...consent, id: 'q' })]);
    await store.grant({ ...consent, hash: 'h2' });
    const later = createConsentStore(fs, root);
    expect((await later.consents()).map(({ id, hash }) => `${id} ${hash}`).sort()).toEqual(['p h2', 'q h1']);
    await later.revoke('p');
    expect(await store.consents()).toMatchObject([{ id: 'q' }]);
  });

  it('keeps that a plugin is developed until it is enabled, and forgets it with the plugin', async () => {
    const store = createConsentStore(fs, root);
    await store.setDeveloping('p', '/w/p', true);
    await store.setDeveloping('q', '/w/q', true);
    expect(await store.consents()).toEqual([]);
    await store.revoke('q');
    await store.grant({ ...consent, id: 'q', rootDir: '/w/q' });
    await createConsentStore(fs, root).grant(consent);
    const marks = (await store.consents()).map(({ id, developing }) => [id, developing]);
    expect(marks).toEqual([
      ['q', undefined],
      ['p', true],
    ]);
    await store.setDeveloping('p', '/w/p', false);
    await store.grant({ ...consent, hash: 'h2' });
    expect((await store.consents()).map(({ developing }) => developing)).toEqual([undefined, undefined]);
  });

  it('announces a plugin once', async () => {
    const store = createConsentStore(fs, root);
    expect([await store.announceOnce('p', '/a'), await store.announceOnce('p', '/a')]).toEqual([true, false]);
  });

  it.each(['', '{', '[]', '{ "consents": "all" }'])(
    'takes a file with %j for unknown, not for none',
    async (text) => {
      const file = join(root, 'consents.json');
      await writeFile(file, text);
      const store = createConsentStore(fs, root);
      const unreadable = { code: 'consents_unreadable' };
      await expect(store.consents()).rejects.toMatchObject(unreadable);
      await expect(store.grant(consent)).rejects.toMatchObject(unreadable);
      expect(await readFile(file, 'utf8')).toBe(text);
      await store.reset();
      expect(await readFile(`${file}.damaged`, 'utf8')).toBe(text);
      await store.grant(consent);
      expect(await store.consents()).toHaveLength(1);
    },
  );

  it.each([
    ['a guard of a workspace', { guards: true, workspaceDir: '/w' }, true],
    ["a guard of the user's own", { guards: true }, false],
    ['what is no guard', { guards: false, workspaceDir: '/w' }, false],
  ])('takes a file that is gone for unknown where %s ran: %o', async (_, ran, isMissed) => {
    const store = createConsentStore(fs, root);
    await store.grant(consent);
    await store.note([{ id: 'p', rootDir: '/w/p', ...ran }]);
    await rm(join(root, 'consents.json'));
    if (!isMissed) {
      expect(await store.consents()).toEqual([]);
      return;
    }
    const unreadable = { code: 'consents_unreadable', message: expect.stringContaining('p ran') as unknown };
    await expect(store.consents()).rejects.toMatchObject(unreadable);
    await expect(store.grant(consent)).rejects.toMatchObject(unreadable);
    await store.reset();
    // The user decides about a guard that ran, and is not passed over.
    expect(await store.agreed()).toMatchObject({ consents: [], seen: [{ id: 'p', guards: true }] });
    await store.forget('p', '/w/p');
    await rm(join(root, 'consents.json'));
    expect(await store.consents()).toEqual([]);
  });

  it.each(['', '{', '[]'])(
    'makes a record of guards with %j anew, and trusts it with nothing',
    async (text) => {
      await writeFile(join(root, 'guards.json'), text);
      const store = createConsentStore(fs, root);
      await expect(store.grant(consent)).rejects.toMatchObject({ code: 'consents_unreadable' });
      await store.reset();
      await store.grant(consent);
      expect(await store.consents()).toHaveLength(1);
      expect(JSON.parse(await readFile(join(root, 'guards.json'), 'utf8'))).toEqual({
        version: 1,
        guards: [],
      });
    },
  );

  it('remembers what guards, and forgets one plugin of one folder', async () => {
    const store = createConsentStore(fs, root);
    const guard = { id: 'p', rootDir: '/w/p', guards: true };
    await store.grant(consent);
    await store.note([guard, { id: 'tool', rootDir: '/home', guards: false }]);
    await store.note([{ ...guard, rootDir: '/other' }]);
    expect((await store.agreed()).seen).toEqual([
      { ...guard, hash: 'h1' },
      { ...guard, rootDir: '/other' },
    ]);
    // What a workspace says beside the files takes nothing from it; other files that were agreed to may.
    await store.note([{ ...guard, guards: false }]);
    expect((await store.agreed()).seen[0]).toMatchObject({ guards: true });
    await store.grant({ ...consent, hash: 'h2' });
    await store.note([{ ...guard, guards: false }]);
    expect((await store.agreed()).seen).toContainEqual({ ...guard, guards: false, hash: 'h2' });
    await store.forget('p', '/w/p');
    expect(await store.consents()).toEqual([]);
    expect((await store.agreed()).seen).toEqual([{ ...guard, rootDir: '/other' }]);
    await store.note([{ ...guard, rootDir: '/other', guards: false }]);
    expect((await store.agreed()).seen).toEqual([{ ...guard, rootDir: '/other', guards: false }]);
  });
});

describe('readPluginFiles', () => {
  it('hashes names and contents, whatever the order, and folders below', async () => {
    await mkdir(join(root, 'lib'));
    await writeFile(join(root, 'a.ts'), '1');
    await writeFile(join(root, 'lib/b.ts'), '2');
    const first = await readPluginFiles(fs, { rootDir: root });
    expect(first.files.map(({ path }) => path)).toEqual(['a.ts', 'lib/b.ts']);
    expect((await readPluginFiles(fs, { rootDir: root })).hash).toBe(first.hash);
    await writeFile(join(root, 'lib/b.ts'), '3');
    expect((await readPluginFiles(fs, { rootDir: root })).hash).not.toBe(first.hash);
  });

  it('can not be fooled by moving text from one file to the next', async () => {
    await writeFile(join(root, 'a'), 'xy');
    await writeFile(join(root, 'b'), 'z');
    const { hash } = await readPluginFiles(fs, { rootDir: root });
    await writeFile(join(root, 'a'), 'x');
    await writeFile(join(root, 'b'), 'yz');
    expect((await readPluginFiles(fs, { rootDir: root })).hash).not.toBe(hash);
  });

  it('keeps links inside the folder and refuses those that lead out', async () => {
    await writeFile(join(root, 'a.ts'), '1');
    await symlink('a.ts', join(root, 'inside.ts'));
    expect((await readPluginFiles(fs, { rootDir: root })).files).toContainEqual({
      path: 'inside.ts',
      kind: 'link',
      target: 'a.ts',
    });
    await symlink(tmpdir(), join(root, 'outside'));
    await expect(readPluginFiles(fs, { rootDir: root })).rejects.toMatchObject({
      code: 'plugin_link_escapes',
    });
  });

  it('counts all packages as one file when changes are named', async () => {
    await mkdir(join(root, 'node_modules/x'), { recursive: true });
    await writeFile(join(root, 'node_modules/x/index.js'), '1');
    await writeFile(join(root, 'a.ts'), '1');
    const { files } = await readPluginFiles(fs, { rootDir: root });
    expect(Object.keys(fileHashes(files)).sort()).toEqual(['a.ts', 'node_modules']);
  });
});
