import { appendFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AgentMessage, ToolResultMessage } from '../contracts/message.ts';
import { createInMemoryLog } from '../../test/builders/inMemoryLog.ts';
import { createManualClock } from '../../test/builders/manualClock.ts';
import { createNodeFileSystem } from '../host/node/nodeFileSystem.ts';
import { closeOpenCalls } from './closeOpenCalls.ts';
import { createSessionStore, type SessionStore } from './sessionStore.ts';

const user = (text: string): AgentMessage => ({
  role: 'user',
  content: [{ type: 'text', text }],
  timestamp: 1,
});
const calling = (id: string): AgentMessage => ({
  role: 'assistant',
  content: [{ type: 'toolCall', id, name: 'read', arguments: { path: 'a' } }],
  provider: 'p',
  model: 'm',
  stopReason: 'toolUse',
  timestamp: 2,
});

const orphan: ToolResultMessage = {
  role: 'toolResult',
  toolCallId: '',
  toolName: 'read',
  content: [],
  isError: false,
  timestamp: 0,
};

describe('session store', () => {
  let folder: string;
  const log = createInMemoryLog();
  const reopen = (): SessionStore =>
    createSessionStore({
      fs: createNodeFileSystem(),
      clock: createManualClock(5),
      log,
      folder,
      channel: 'vscode',
    });
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pincer-sessions-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('finds a session again with all its messages after a restart', async () => {
    const session = reopen().create(['/w']);
    await session.append(user('one'));
    await session.append(user('two'));
    const again = await reopen().open(session.id);
    expect(again?.messages()).toEqual([user('one'), user('two')]);
    expect(again?.key).toBe(session.key);
  });

  it('lists a session with a damaged first line where it was written last, and as it is once it was repaired', async () => {
    const { id } = reopen().create(['/w']);
    const session = reopen().create(['/w']);
    await session.append(user('one'));
    const file = join(folder, `${session.id}.jsonl`);
    await writeFile(file, (await readFile(file, 'utf8')).replace(/^.*\n/u, 'x\n'));
    const store = reopen();
    expect(await store.summaries()).toMatchObject([{ id: session.id, isDamaged: true }]);
    expect((await store.summaries())[0]?.updatedAt).toBeGreaterThan(0);
    await expect(store.repair(id, ['/w'])).rejects.toMatchObject({ code: 'session_unknown' });
    expect(await store.repair(session.id, ['/w'])).toBe(`${file}.damaged`);
    expect(await store.summaries()).toMatchObject([{ id: session.id, title: 'one', messageCount: 1 }]);
    expect((await store.open(session.id))?.messages()).toEqual([user('one')]);
  });

  it('writes nothing for a session in which nothing was said', async () => {
    reopen().create(['/w']);
    expect(await readdir(folder)).toEqual([]);
  });

  it('keeps the order of appends that were not awaited', async () => {
    const session = reopen().create(['/w']);
    await Promise.all(['a', 'b', 'c', 'd'].map((text) => session.append(user(text))));
    const again = await reopen().open(session.id);
    expect(again?.messages()).toEqual(['a', 'b', 'c', 'd'].map(user));
  });

  it('costs only the last line when a crash cut it short, and later lines still count', async () => {
    const session = reopen().create(['/w']);
    await session.append(user('kept'));
    const file = join(folder, `${session.id}.jsonl`);
    await appendFile(file, '\n{"type":"message","id":"x","mess');
    const again = await reopen().open(session.id);
    await again?.append(user('after'));
    expect((await reopen().open(session.id))?.messages()).toEqual([user('kept'), user('after')]);
  });

  it('recognises a turn that started and never ended', async () => {
    const session = reopen().create(['/w']);
    await session.markTurn('run-1', 'started');
    expect((await reopen().open(session.id))?.interruptedTurn()).toEqual({ runId: 'run-1' });
    await session.markTurn('run-1', 'completed');
    expect((await reopen().open(session.id))?.interruptedTurn()).toBeUndefined();
  });

  it('closes a call that has no result with an error result', async () => {
    const session = reopen().create(['/w']);
    await session.append(calling('c1'));
    expect(session.messages()[1]).toMatchObject({ role: 'toolResult', toolCallId: 'c1', isError: true });
  });

  it('closes a call whose id an earlier answer has used too', () => {
    const result = {
      role: 'toolResult',
      toolCallId: 'c1',
      toolName: 'read',
      content: [],
      isError: false,
      timestamp: 0,
    } as const;
    const roles = closeOpenCalls([calling('c1'), result, calling('c1'), user('x')]).map(({ role }) => role);
    expect(roles).toEqual(['assistant', 'toolResult', 'assistant', 'toolResult', 'user']);
  });

  it('turns a result whose call is missing into text', () => {
    const content = [{ type: 'text', text: 'found' } as const];
    const [message] = closeOpenCalls([
      { role: 'toolResult', toolCallId: 'c1', toolName: 'read', content, isError: false, timestamp: 0 },
    ]);
    expect(message?.role).toBe('user');
    expect(JSON.stringify(message)).toContain('found');
  });

  it('puts such a text behind the results of the calls that are open', () => {
    const stray = { ...orphan, toolCallId: 'other' };
    const own = { ...orphan, toolCallId: 'c1' };
    expect(closeOpenCalls([calling('c1'), stray, own]).map(({ role }) => role)).toEqual([
      'assistant',
      'toolResult',
      'user',
    ]);
  });

  it('opens nothing for an id that is no id', async () => {
    await writeFile(join(folder, '..', 'outside.jsonl'), '{}');
    expect(await reopen().open('../outside')).toBeUndefined();
    await rm(join(folder, '..', 'outside.jsonl'));
  });

  it('refuses a transcript without a header and leaves the file alone', async () => {
    const id = crypto.randomUUID();
    await writeFile(join(folder, `${id}.jsonl`), 'not a session\n');
    await expect(reopen().open(id)).rejects.toMatchObject({ code: 'session_unreadable' });
    expect(await readFile(join(folder, `${id}.jsonl`), 'utf8')).toBe('not a session\n');
  });

  it('forks a session before a turn: the new one knows nothing of it, the old one stays as it is', async () => {
    const store = reopen();
    const session = store.create(['/w']);
    for (const [runId, text] of [
      ['r1', 'one'],
      ['r2', 'two'],
      ['r3', 'three'],
    ] as const) {
      await session.markTurn(runId, 'started');
      const attached = { type: 'text', text: 'a file', isContext: true } as const;
      await session.append({ role: 'user', content: [{ type: 'text', text }, attached], timestamp: 1 });
      await session.markTurn(runId, 'completed');
    }
    const before = await readFile(join(folder, `${session.id}.jsonl`), 'utf8');
    const fork = await store.fork(session, { beforeRunId: 'r2' }, ['/w']);
    expect(fork.id).not.toBe(session.id);
    expect(fork.isNew).toBe(false);
    await fork.append(user('instead'));
    const texts = (await reopen().open(fork.id))?.messages().map(({ content }) => content[0]);
    expect(texts).toEqual([
      { type: 'text', text: 'one' },
      { type: 'text', text: 'instead' },
    ]);
    expect(session.messages()).toHaveLength(3);
    expect(await readFile(join(folder, `${session.id}.jsonl`), 'utf8')).toBe(before);
    expect(await store.open(fork.id)).toBe(fork);
  });

  it('reads from the file what was attached, once a compaction stands for it in memory', async () => {
    const store = reopen();
    const session = store.create(['/w']);
    const attached = { type: 'text', text: 'a file', isContext: true } as const;
    await session.markTurn('r1', 'started');
    await session.append({ role: 'user', content: [{ type: 'text', text: 'one' }, attached], timestamp: 1 });
    await session.markTurn('r1', 'completed');
    await session.compact({
      ...{ summary: 'It was said.', firstKeptId: null, by: 'user', model: { provider: 'p', model: 'm' } },
      ...{ tokensBefore: 2, tokensAfter: 1, compactedCount: 1, timestamp: 1 },
    });
    expect(JSON.stringify(session.entries())).not.toContain('a file');
    expect(JSON.stringify(await store.readWhole(session.id))).toContain('a file');
  });

  it('forks to an empty session before the first turn, and refuses a turn that it does not know', async () => {
    const store = reopen();
    const session = store.create(['/w']);
    await session.markTurn('r1', 'started');
    await session.append(user('one'));
    const fork = await store.fork(session, { beforeRunId: 'r1' }, ['/w']);
    expect(fork.messages()).toEqual([]);
    expect((await reopen().open(fork.id))?.messages()).toEqual([]);
    await expect(store.fork(session, { beforeRunId: 'r9' }, ['/w'])).rejects.toMatchObject({
      code: 'session_turn_unknown',
    });
  });

  it('tells what was asked in a turn, and nothing for one in which nothing was', async () => {
    const session = reopen().create(['/w']);
    await session.markTurn('r1', 'started');
    await session.markTurn('r1', 'failed');
    await session.markTurn('r2', 'started');
    await session.append(user('two'));
    expect(['r1', 'r2', 'r3'].map((runId) => session.promptOf(runId))).toEqual([undefined, 'two', undefined]);
  });

  it('lists stored sessions', async () => {
    const store = reopen();
    const session = store.create(['/w']);
    await session.append(user('x'));
    expect(await reopen().list()).toEqual([session.id]);
  });
});
