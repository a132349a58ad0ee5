import { access, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  openTestRuntime,
  type TestRuntime,
  type TestRuntimeOptions,
} from '../../test/builders/openTestRuntime.ts';
import { appendNote } from './appendNote.ts';
import { dayOf, formatNote, markerOf } from './formatNote.ts';
import { addFile, createDraft } from './sessionDraft.ts';

const on = (config: object = {}): object => ({
  plugins: { entries: { 'session-notes': { enabled: true, config } } },
});
const write = (path: string): object => ({
  toolCalls: [{ name: 'write', arguments: { path, content: 'x' } }],
});
const open = (options: TestRuntimeOptions = {}): Promise<TestRuntime> =>
  openTestRuntime({ config: on(), answer: 'allow-once', ...options });

async function notes(test: TestRuntime, folder = 'memory'): Promise<string> {
  return await readFile(join(test.workspace, folder, `${dayOf(new Date())}.md`), 'utf8');
}

describe('session-notes', () => {
  it('is off until the user enables it, and then leaves no note of what was before', async () => {
    await using test = await openTestRuntime({ answer: 'allow-once' });
    await test.say('one', [write('a.md'), { text: 'done' }]);
    await test.runtime.conversations.reset(test.session);
    expect(test.runtime.plugins.plugins().find(({ id }) => id === 'session-notes')).toMatchObject({
      status: 'disabled',
      reason: 'bundled (disabled by default)',
    });
    expect(await readdir(test.workspace)).toEqual(['a.md']);
    await test.runtime.plugins.setEnabled('session-notes', true);
    await test.say('two', [{ text: 'done' }]);
    await test.runtime.conversations.reset(test.session);
    expect(await notes(test)).not.toContain('one');
  });

  it('notes request, outcome, tools and changed files when a session ends', async () => {
    await using test = await open({ files: { 'b.md': 'b' } });
    await test.say('Add a page\nwith details', [
      { toolCalls: [{ name: 'read', arguments: { path: 'b.md' } }] },
      { toolCalls: [{ name: 'read', arguments: { path: 'missing.md' } }] },
      write('docs/a.md'),
      { text: 'done' },
    ]);
    await test.say('And another', [write(join(test.workspace, 'c.md')), { text: 'done' }]);
    await test.runtime.conversations.reset(test.session);
    const [title, , heading, ...rest] = (await notes(test)).split('\n');
    expect(title).toBe(`# ${dayOf(new Date())}`);
    expect(heading).toMatch(/^## \d\d:\d\d Session$/u);
    expect(rest).toEqual([
      markerOf(test.session.id),
      '- Request: `Add a page`',
      '- Outcome: completed, 2 requests, under a minute',
      '- Tools: `read` 2 (1 failed), `write` 2',
      '- Changed:',
      '  - `docs/a.md`',
      '  - `c.md`',
      '',
    ]);
  });

  it('notes a session that ends with the window', async () => {
    const test = await open();
    await test.say('Do it', [{ text: 'done' }]);
    await test.runtime.stop('shutdown');
    expect(await notes(test)).toContain('`Do it`');
    await test[Symbol.asyncDispose]();
  });

  it('notes nothing of a file that was not written, and says that the turn failed', async () => {
    await using test = await open({ answer: 'deny' });
    await test.say('Do it', [write('a.md'), { error: { code: 'model_unavailable', message: 'gone' } }]);
    await test.runtime.conversations.reset(test.session);
    const text = await notes(test);
    expect(text).toContain('- Outcome: failed');
    expect(text).toContain('`write` 1 (1 failed)');
    expect(text).not.toContain('a.md');
  });

  it('writes one note for a session however often it ends, and a new one after new work', async () => {
    await using test = await open();
    await test.say('one', [{ text: 'done' }]);
    await test.runtime.conversations.reset(test.session);
    await test.runtime.conversations.reset(test.session);
    expect((await notes(test)).match(/^## /gmu)).toHaveLength(1);
    await test.say('two', [{ text: 'done' }]);
    await test.runtime.conversations.reset(test.session);
    const text = await notes(test);
    expect(text.match(/^## /gmu)).toHaveLength(2);
    expect(text.match(/`one`/gu)).toHaveLength(1);
  });

  it('never holds what a plugin blocked or the redactor took out', async () => {
    const token = `ghp_${'q7Zk2Xw9Rf4Lm8Tb3Vc6'.repeat(2).slice(0, 36)}`;
    await using test = await open({
      plugins: {
        gate: `export default (api) => api.on('before_agent_run', ({ prompt }) => prompt.includes('private') ? { outcome: 'block', reason: 'no', message: 'Blocked.' } : { outcome: 'pass' });`,
      },
    });
    await test.runtime.plugins.configure(['entries', 'gate', 'hooks', 'allowConversationAccess'], true);
    expect((await test.say('my private words', [{ text: 'never' }])).outcome.status).toBe('blocked');
    await test.runtime.conversations.reset(test.session);
    await expect(access(join(test.workspace, 'memory'))).rejects.toThrow('ENOENT');
    await test.say(`use ${token}`, [{ text: 'done' }]);
    await test.runtime.conversations.reset(test.session);
    expect(await notes(test)).toContain('- Request: `use [redacted: github token]`');
  });

  it('keeps what was named from having an effect in markdown', async () => {
    await using test = await open();
    await test.say('`code` <!-- # [a](http://b) \u202e\u0007 **x**', [
      write('a`b](c) # d.md'),
      { text: 'done' },
    ]);
    await test.runtime.conversations.reset(test.session);
    const text = await notes(test);
    expect(text).toContain("- Request: `'code' <!-- # [a](http://b) **x**`\n");
    expect(text).toContain("  - `a'b](c) # d.md`\n");
  });

  it('takes folder and length from its settings', async () => {
    await using test = await open({ config: on({ folder: 'docs/notes', maxLines: 8 }) });
    const files = Array.from({ length: 9 }, (_, index) => write(`f${String(index)}.md`));
    await test.say('many', [...files, { text: 'done' }]);
    await test.runtime.conversations.reset(test.session);
    const text = await notes(test, 'docs/notes');
    expect(text).toContain('- Changed:\n  - `f0.md`\n  - and 8 more\n');
    expect(text.trim().split('\n').slice(2)).toHaveLength(8);
  });

  it.each(['../out', '/abs', 'a/../b', '.git', 'C:\\x'])('refuses the folder %s', async (folder) => {
    await using test = await open({ config: on({ folder }) });
    expect(test.runtime.plugins.plugins().find(({ id }) => id === 'session-notes')).toMatchObject({
      status: 'error',
    });
  });

  it('writes nothing through a link, and says so', async () => {
    await using test = await open({ files: { 'inner/keep.md': '' } });
    await symlink(join(test.workspace, 'inner'), join(test.workspace, 'memory'));
    const { outcome } = await test.say('go', [{ text: 'done' }]);
    await test.runtime.conversations.reset(test.session);
    expect(outcome.status).toBe('completed');
    expect(await readdir(join(test.workspace, 'inner'))).toEqual(['keep.md']);
    expect(test.log.lines.map(({ message }) => message).join('\n')).toContain(
      'memory is a link, so nothing was written there',
    );
  });
});

describe('appendNote', () => {
  let root: string;
  beforeEach(async () => (root = await mkdtemp(join(tmpdir(), 'pincer-notes-'))));
  afterEach(() => rm(root, { recursive: true }));
  const place = (): { workspaceDir: string; folder: string; fileName: string } => ({
    workspaceDir: root,
    folder: 'memory',
    fileName: 'day.md',
  });

  it('keeps what stands in the file, with or without a newline at its end', async () => {
    await mkdir(join(root, 'memory'));
    await writeFile(join(root, 'memory', 'day.md'), 'mine');
    await appendNote(place(), 'day', 'note 1');
    await appendNote(place(), 'day', 'note 2');
    await appendNote(place(), 'day', 'note 1');
    expect(await readFile(join(root, 'memory', 'day.md'), 'utf8')).toBe('mine\n\nnote 1\n\nnote 2\n');
  });

  it('does not write to a file that is a link', async () => {
    await mkdir(join(root, 'memory'));
    await writeFile(join(root, 'target'), 'a');
    await symlink(join(root, 'target'), join(root, 'memory', 'day.md'));
    await expect(appendNote(place(), 'day', 'note')).rejects.toThrow('day.md is a link');
    expect(await readFile(join(root, 'target'), 'utf8')).toBe('a');
  });
});

describe('formatNote', () => {
  it('never has more lines than it may', () => {
    for (let count = 0; count < 12; count += 1) {
      for (const maxLines of [6, 7, 9, 20]) {
        const draft = { ...createDraft(), request: 'r', tools: new Map([['read', { done: 1, failed: 0 }]]) };
        for (let file = 0; file < count; file += 1) addFile(draft, `f${String(file)}`);
        const note = formatNote(draft, {
          sessionId: 's',
          endedAt: new Date(),
          durationMs: 120_000,
          maxLines,
        });
        expect(note.split('\n').length).toBeLessThanOrEqual(maxLines);
      }
    }
  });
});
