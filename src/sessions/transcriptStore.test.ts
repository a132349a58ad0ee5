import { appendFile, copyFile, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Diagnostic } from '../contracts/diagnostic.ts';
import type { AgentMessage } from '../contracts/message.ts';
import { createInMemoryLog } from '../../test/builders/inMemoryLog.ts';
import { createManualClock } from '../../test/builders/manualClock.ts';
import { createNodeFileSystem } from '../host/node/nodeFileSystem.ts';
import type { Session } from './session.ts';
import { createSessionStore, type SessionStore, type SessionStoreDeps } from './sessionStore.ts';

const user = (text: string): AgentMessage => ({
  role: 'user',
  content: [{ type: 'text', text }],
  timestamp: 1,
});
const summaryUpTo = (firstKeptId: string | null): Parameters<Session['compact']>[0] => ({
  ...{ summary: 'What happened.', firstKeptId, by: 'auto' as const, model: { provider: 'p', model: 'm' } },
  ...{ tokensBefore: 9, tokensAfter: 1, compactedCount: 1, timestamp: 5 },
});

describe('transcripts on disk', () => {
  let folder: string;
  let reported: Diagnostic[];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pincer-transcripts-'));
    reported = [];
  });
  afterEach(() => rm(folder, { recursive: true }));
  const reopen = (more: Partial<SessionStoreDeps> = {}): SessionStore =>
    createSessionStore({
      ...{ fs: createNodeFileSystem(), clock: createManualClock(5), log: createInMemoryLog() },
      ...{ folder, channel: 'vscode', report: (diagnostic) => void reported.push(diagnostic), ...more },
    });
  const read = async (session: Session): Promise<string> => await readFile(session.file, 'utf8');
  const mustOpen = async (id: string, more?: Partial<SessionStoreDeps>): Promise<Session> => {
    const session = await reopen(more).open(id);
    if (session === undefined) throw new Error('no session');
    return session;
  };

  it('keeps what was acknowledged wherever the file is cut in its last lines, and takes new lines', async () => {
    const session = reopen().create(['/w']);
    const ends: number[] = [];
    for (const text of ['one', 'two ä', 'three']) {
      await session.append(user(text));
      ends.push((await readFile(session.file)).length);
    }
    const whole = await readFile(session.file);
    const copy = `${session.file}.whole`;
    await copyFile(session.file, copy);
    for (let size = ends[0] ?? 0; size <= whole.length; size += 1) {
      await copyFile(copy, session.file);
      await truncate(session.file, size);
      const cut = await mustOpen(session.id);
      const acknowledged = ['one', 'two ä', 'three'].slice(0, ends.filter((end) => end <= size).length);
      const texts = cut.messages().map(({ content }) => (content[0]?.type === 'text' ? content[0].text : ''));
      expect(texts.slice(0, acknowledged.length)).toEqual(acknowledged);
      await cut.append(user('after'));
      expect((await mustOpen(session.id)).messages().at(-1)).toEqual(user('after'));
    }
  });

  it('tells once of a line that a crash has cut off, and closes it', async () => {
    const session = reopen().create(['/w']);
    await session.append(user('kept'));
    await appendFile(session.file, '\n{"type":"message","id":"x","mess');
    const log = createInMemoryLog();
    await mustOpen(session.id, { log });
    expect(reported.map(({ code }) => code)).toEqual(['transcript_cut_off']);
    expect(reported[0]?.message).toContain(session.file);
    await mustOpen(session.id, { log });
    expect(reported).toHaveLength(1);
    expect(log.lines).toEqual([]);
  });

  it('says nothing of a cut that took no more than a line end', async () => {
    const session = reopen().create(['/w']);
    await session.append(user('kept'));
    await truncate(session.file, (await read(session)).length - 1);
    expect((await mustOpen(session.id)).messages()).toEqual([user('kept')]);
    expect(reported).toEqual([]);
  });

  it('leaves an open line alone while another process has the session: it may be writing it just now', async () => {
    const session = reopen().create(['/w']);
    await session.append(user('kept'));
    await appendFile(session.file, '\n{"type":"mess');
    const before = await read(session);
    await mustOpen(session.id, { isOpenElsewhere: async () => true });
    expect(await read(session)).toBe(before);
    expect(reported).toEqual([]);
  });

  it('takes in what another process has added, once and in the order of the file', async () => {
    const here = reopen().create(['/w']);
    await here.append(user('one'));
    const there = await mustOpen(here.id);
    expect(await there.catchUp()).toBe(0);
    await here.append(user('two'));
    await here.setSettings({ thinking: 'high' });
    expect(await there.catchUp()).toBe(1);
    expect(await there.catchUp()).toBe(0);
    await there.append(user('three'));
    await there.rename('Tides');
    expect(await here.catchUp()).toBe(1);
    expect(await here.catchUp()).toBe(0);
    for (const each of [here, there, await mustOpen(here.id)]) {
      expect(each.messages()).toEqual(['one', 'two', 'three'].map(user));
      expect(each.settings()).toEqual({ thinking: 'high' });
      expect(each.name()).toBe('Tides');
    }
  });

  it('a newer version can be read, is never written, and can be forked', async () => {
    const session = reopen().create(['/w']);
    await session.append(user('old'));
    const text = (await read(session)).replace('"version":2', '"version":3');
    const later = '{"type":"mood","id":"z","parentId":null}\n{"type":"torn';
    await writeFile(session.file, text + later);
    const opened = await mustOpen(session.id);
    expect(opened.messages()).toEqual([user('old')]);
    expect(opened.problem).toContain('newer Pincer (format 3)');
    await expect(opened.append(user('new'))).rejects.toMatchObject({ code: 'session_newer' });
    await expect(opened.markTurn('r', 'started')).rejects.toMatchObject({ code: 'session_newer' });
    expect(await read(session)).toBe(text + later);
    const fork = await reopen().fork(opened, undefined, ['/w']);
    await fork.append(user('new'));
    expect((await mustOpen(fork.id)).messages()).toEqual([user('old'), user('new')]);
    expect((await reopen().summaries()).find(({ id }) => id === session.id)?.problem).toContain('format 3');
  });

  it('an older version goes on in its own file: what it held stays byte for byte, what follows is of this one', async () => {
    const id = '0b6c3b1e-52f0-4f0e-9c0f-1f6f0a6f6a01';
    const file = join(folder, `${id}.jsonl`);
    await copyFile(new URL('../../test/samples/transcripts/v1-turns.jsonl', import.meta.url), file);
    const before = await readFile(file, 'utf8');
    const session = await mustOpen(id);
    expect(await readFile(file, 'utf8')).toBe(before);
    await session.setSettings({ thinking: 'high' });
    await session.append(user('more'));
    const after = await readFile(file, 'utf8');
    expect(after.startsWith(before)).toBe(true);
    expect(after.slice(before.length).match(/"type":"session","version":2/gu)).toHaveLength(1);
    const again = await mustOpen(id);
    expect(again.messages().at(-1)).toEqual(user('more'));
    expect(again.entries()).toHaveLength(8);
    expect(again.settings()).toEqual({ thinking: 'high' });
  });

  it('stores and remembers messages without secrets, and results no longer than they may be', async () => {
    const more = {
      redact: (text: string) => text.replaceAll('hunter22', '[secret]'),
      capResult: (result: AgentMessage & { role: 'toolResult' }) => ({ ...result, content: [] }),
    };
    const session = reopen(more).create(['/w']);
    await session.append(user('It is hunter22.'));
    await session.append({
      ...{ role: 'toolResult', toolCallId: 'c', toolName: 't', isError: false, timestamp: 1 },
      content: [{ type: 'text', text: 'long' }],
    });
    expect(await read(session)).not.toContain('hunter22');
    expect(session.messages()[0]).toEqual(user('It is [secret].'));
    expect(session.entries()[1]).toMatchObject({ message: { content: [] } });
  });

  it('a conversation that was compacted keeps in memory only what was said; the file has all of it', async () => {
    const session = reopen().create(['/w']);
    const attached = { type: 'text', text: 'a long file', isContext: true } as const;
    const asked = {
      ...user('one'),
      content: [{ type: 'text', text: 'one' } as const, attached],
    } as AgentMessage;
    await session.markTurn('r1', 'started');
    await session.append(asked);
    const { id: kept } = await session.append(user('two'));
    await session.compact(summaryUpTo(kept));
    expect(JSON.stringify(session.entries())).not.toContain('a long file');
    expect(session.promptOf('r1')).toBe('one');
    expect(session.messages().map(({ timestamp }) => timestamp)).toEqual([5, 1]);
    const fork = await reopen().fork(session, { throughEntryId: kept }, ['/w']);
    expect(fork.messages()).toEqual([asked, user('two')]);
  });

  it('a fork ends with an entry, knows where it comes from, and has no turn to resume', async () => {
    const store = reopen();
    const session = store.create(['/w'], { agentId: 'writer' });
    await session.markTurn('r1', 'started');
    const { id } = await session.append(user('one'));
    await session.append(user('two'));
    const fork = await store.fork(session, { throughEntryId: id }, ['/w']);
    expect(fork.messages()).toEqual([user('one')]);
    expect(fork.interruptedTurn()).toBeUndefined();
    expect(fork.agentId).toBe('writer');
    const again = await mustOpen(fork.id);
    expect(again.header.parent).toEqual({ sessionId: session.id, entryId: again.entries().at(-1)?.id });
    await expect(store.fork(session, { throughEntryId: 'x' }, [])).rejects.toMatchObject({
      code: 'session_turn_unknown',
    });
  });

  it('a deleted session leaves nothing behind and takes nothing more', async () => {
    const store = reopen();
    const session = store.create(['/w']);
    await session.append(user('one'));
    for (const suffix of ['plugins', 'inbox'])
      await writeFile(join(folder, `${session.id}.${suffix}.json`), '{}');
    const removing = store.remove(session.id);
    await removing;
    expect(await readdir(folder)).toEqual([]);
    await expect(session.append(user('two'))).rejects.toMatchObject({ code: 'session_removed' });
    expect(await store.open(session.id)).toBeUndefined();
    expect(await readdir(folder)).toEqual([]);
    await expect(store.remove(session.id)).rejects.toMatchObject({ code: 'session_unknown' });
    await expect(store.remove('../outside')).rejects.toMatchObject({ code: 'session_unknown' });
  });

  it('does not delete what another window has open', async () => {
    const store = reopen({ isOpenElsewhere: async () => true });
    const session = store.create(['/w']);
    await session.append(user('one'));
    await expect(store.remove(session.id)).rejects.toMatchObject({ code: 'session_in_use' });
    expect(await readdir(folder)).toEqual([`${session.id}.jsonl`]);
  });

  it('lists no turn as interrupted that another process runs, and asks only for those without an end', async () => {
    const asked: string[] = [];
    const running = new Set<string>();
    const store = reopen({
      isInTurnElsewhere: async (id) => {
        asked.push(id);
        return running.has(id);
      },
    });
    const open = store.create(['/w']);
    await open.markTurn('r1', 'started');
    await open.append(user('the open one'));
    const done = store.create(['/w']);
    await done.markTurn('r2', 'started');
    await done.append(user('the done one'));
    await done.markTurn('r2', 'completed');
    expect(await store.summary(open.id)).toMatchObject({ isInterrupted: true });
    running.add(open.id);
    const runs = { id: open.id, isInterrupted: false, runsElsewhere: true };
    expect(await store.summary(open.id)).toMatchObject(runs);
    expect((await store.summaries()).find(({ id }) => id === open.id)).toMatchObject(runs);
    const [hit] = await store.search('open one', new AbortController().signal);
    expect(hit?.summary).toMatchObject(runs);
    expect(new Set(asked)).toEqual(new Set([open.id]));
  });

  it('takes a name of one line and refuses none at all', async () => {
    const store = reopen();
    const session = store.create(['/w']);
    await session.append(user('one'));
    await store.rename(session.id, ' My\n\u202Esession ');
    expect((await mustOpen(session.id)).name()).toBe('My session');
    await expect(store.rename(session.id, ' \n')).rejects.toMatchObject({ code: 'session_name_invalid' });
    await expect(store.rename(crypto.randomUUID(), 'x')).rejects.toMatchObject({ code: 'session_unknown' });
  });
});
