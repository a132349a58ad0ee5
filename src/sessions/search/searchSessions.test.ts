import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AgentMessage } from '../../contracts/message.ts';
import { createInMemoryLog } from '../../../test/builders/inMemoryLog.ts';
import { createManualClock } from '../../../test/builders/manualClock.ts';
import { createNodeFileSystem } from '../../host/node/nodeFileSystem.ts';
import { createSessionStore, type SessionStore } from '../sessionStore.ts';
import { foldText, unfoldIndex } from './searchSessions.ts';

const never = new AbortController().signal;
const user = (text: string, timestamp = 1): AgentMessage => ({
  role: 'user',
  content: [
    { type: 'text', text },
    { type: 'text', text: 'attachedword', isContext: true },
  ],
  timestamp,
});

describe('search over sessions', () => {
  let folder: string;
  let store: SessionStore;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pincer-search-'));
    const host = { fs: createNodeFileSystem(), clock: createManualClock(), log: createInMemoryLog() };
    store = createSessionStore({ ...host, folder, channel: 'cli' });
  });
  afterEach(() => rm(folder, { recursive: true }));
  const say = async (...messages: readonly AgentMessage[]): Promise<string> => {
    const session = store.create([]);
    for (const message of messages) await session.append(message);
    return session.id;
  };
  const search = async (query: string): Promise<readonly string[]> =>
    (await store.search(query, never)).map(({ summary }) => summary.id);

  it('finds all words, wherever they stand, without case and accents', async () => {
    const id = await say(user('Das Café ist OFFEN'), user('bis Mitternacht'));
    await say(user('Das Cafe ist zu'));
    expect(await search('cafe OFFEN')).toEqual([id]);
    expect(await search('mitternächt café')).toEqual([id]);
    expect(await search('cafe geschlossen')).toEqual([]);
    expect(await search('  ')).toEqual([]);
  });

  it('puts sessions first in which the words stand together, then those with more places, then newer ones', async () => {
    const apart = await say(user('alpha alpha alpha'), user('beta'));
    const together = await say(user('alpha beta'));
    const more = await say(user('alpha beta alpha', 1));
    const newer = await say(user('alpha beta', 9));
    expect(await search('alpha beta')).toEqual([more, newer, together, apart]);
  });

  it('looks at words, names and summaries, not at what tools returned or what was attached', async () => {
    const session = store.create([]);
    await session.append(user('asked'));
    await session.append({
      ...{ role: 'toolResult', toolCallId: 'c', toolName: 't', isError: false, timestamp: 1 },
      content: [{ type: 'text', text: 'returnedword' }],
    });
    await session.rename('Givenname');
    expect(await search('returnedword')).toEqual([]);
    expect(await search('attachedword')).toEqual([]);
    expect(await search('timestamp')).toEqual([]);
    expect(await search('givenname asked')).toEqual([session.id]);
  });

  it('finds what JSON has to escape', async () => {
    const id = await say(user('a "quoted" back\\slash'));
    expect(await search('"quoted" back\\slash')).toEqual([id]);
  });

  it('shows one line around the first place, and how many there are', async () => {
    await say(user(`${'before '.repeat(40)}the\nNeedle, ${'after '.repeat(60)}needle`));
    const [hit] = await store.search('needle', never);
    expect(hit?.count).toBe(2);
    expect(hit?.snippet).toMatch(/^…before .*the Needle, after /u);
    expect(hit?.snippet.length).toBeLessThanOrEqual(201);
  });

  it('finds what lies across the pieces in which a file is read', async () => {
    const id = await say(user('x'.repeat(300_000)), user('é'.repeat(200_000)), user('the needle'));
    expect(await search('needle')).toEqual([id]);
  });

  it('stops when it is cancelled', async () => {
    await say(user('needle'));
    await expect(store.search('needle', AbortSignal.abort())).rejects.toMatchObject({ code: 'cancelled' });
  });
});

it('every place of the folded text has its place in the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (before, rest) => {
      const at = unfoldIndex(before + rest, foldText(before).length);
      expect(foldText((before + rest).slice(0, at)).length).toBeGreaterThanOrEqual(foldText(before).length);
      expect(at).toBeLessThanOrEqual((before + rest).length);
    }),
  );
});
