import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AgentMessage, AssistantMessage } from '../contracts/message.ts';
import { createInMemoryLog } from '../../test/builders/inMemoryLog.ts';
import { createManualClock } from '../../test/builders/manualClock.ts';
import { createNodeFileSystem } from '../host/node/nodeFileSystem.ts';
import type { FileSystem } from '../host/ports.ts';
import { isSaid } from './isSaid.ts';
import type { Session } from './session.ts';
import { createSessionStore, type SessionStore } from './sessionStore.ts';

/** What may happen to a session; numbers choose a place in it. */
type Step =
  | {
      readonly do:
        'user' | 'name' | 'settings' | 'fork' | 'reopen' | 'started' | 'completed' | 'cancelled' | 'end';
    }
  | { readonly do: 'answer'; readonly calls: readonly string[] }
  | { readonly do: 'result'; readonly call: string }
  | { readonly do: 'compact'; readonly keep: number }
  | { readonly do: 'forkAt'; readonly entry: number }
  /** The process dies while it writes: so much of the line reaches the disk. */
  | { readonly do: 'crash'; readonly bytes: number };

const callId = fc.constantFrom('c1', 'c2', 'c3');
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constantFrom(
      'user',
      'name',
      'settings',
      'fork',
      'reopen',
      'started',
      'completed',
      'cancelled',
      'end',
    ),
  }),
  fc.record({ do: fc.constant('answer' as const), calls: fc.uniqueArray(callId, { maxLength: 3 }) }),
  fc.record({ do: fc.constant('result' as const), call: callId }),
  fc.record({ do: fc.constant('compact' as const), keep: fc.nat(30) }),
  fc.record({ do: fc.constant('forkAt' as const), entry: fc.nat(30) }),
  fc.record({ do: fc.constant('crash' as const), bytes: fc.nat(200) }),
);

const answer = (calls: readonly string[]): AssistantMessage => ({
  ...{ role: 'assistant', provider: 'p', model: 'm', timestamp: 1 },
  content: [
    { type: 'text', text: 'ä “answer”' },
    ...calls.map((id) => ({ type: 'toolCall' as const, id, name: 'read', arguments: { path: 'a\n' } })),
  ],
  stopReason: calls.length === 0 ? 'stop' : 'toolUse',
});
const result = (toolCallId: string): AgentMessage => ({
  ...{ role: 'toolResult', toolCallId, toolName: 'read', isError: false, timestamp: 1 },
  content: [{ type: 'text', text: 'found\u2028it' }],
});

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'pincer-sequences-'));
});
afterAll(() => rm(root, { recursive: true }));

/** The disk without waiting for it: no power fails here. */
function quickDisk(): FileSystem {
  const fs = createNodeFileSystem();
  return { ...fs, appendDurably: (path, text, access) => fs.append(path, text, access) };
}
const openStore = (folder: string): SessionStore =>
  createSessionStore({
    ...{ fs: quickDisk(), clock: createManualClock(9), log: createInMemoryLog(), folder, channel: 'cli' },
  });

async function reopen(
  session: Session,
): Promise<{ readonly store: SessionStore; readonly session: Session }> {
  const store = openStore(join(session.file, '..'));
  const again = await store.open(session.id);
  if (again === undefined) throw new Error(`The session ${session.id} is gone.`);
  return { store, session: again };
}

/** Every call has its one result before anything else is said, and no result is without its call. */
function expectAccepted(messages: readonly AgentMessage[]): void {
  const open = new Set<string>();
  for (const message of messages) {
    if (message.role === 'toolResult') {
      expect(open.delete(message.toolCallId), 'a result belongs to an open call').toBe(true);
      continue;
    }
    expect([...open], 'all calls have results').toEqual([]);
    if (message.role !== 'assistant') continue;
    for (const part of message.content) if (part.type === 'toolCall') open.add(part.id);
  }
  expect([...open], 'all calls have results').toEqual([]);
}

async function take(store: SessionStore, session: Session, given: Step): Promise<Session | undefined> {
  switch (given.do) {
    case 'user':
      await session.append({ role: 'user', content: [{ type: 'text', text: 'say' }], timestamp: 1 });
      return undefined;
    case 'answer':
      await session.append(answer(given.calls));
      return undefined;
    case 'result':
      await session.append(result(given.call));
      return undefined;
    case 'name':
      await session.rename('A name');
      return undefined;
    case 'settings':
      await session.setSettings({ temperature: 1 });
      return undefined;
    case 'started':
    case 'completed':
    case 'cancelled':
      await session.markTurn('r', given.do);
      return undefined;
    case 'end':
      await session.markEnd('idle');
      return undefined;
    case 'compact': {
      const messages = session.entries().filter((entry) => entry.type === 'message');
      const firstKeptId = messages[given.keep]?.id ?? null;
      await session.compact({
        ...{ summary: 'Short.', firstKeptId, by: 'auto', model: { provider: 'p', model: 'm' } },
        ...{ tokensBefore: 2, tokensAfter: 1, compactedCount: messages.length, timestamp: 3 },
      });
      return undefined;
    }
    case 'fork':
      return await store.fork(session, undefined, []);
    case 'forkAt': {
      const id = session.entries()[given.entry]?.id;
      return id === undefined ? undefined : await store.fork(session, { throughEntryId: id }, []);
    }
    case 'crash': {
      const line = Buffer.from(
        `\n${JSON.stringify({ type: 'message', id: 'cut', message: answer(['c1']) })}`,
      );
      // A session of which nothing is stored yet has no file to be cut.
      if (!session.isNew)
        await appendFile(session.file, line.subarray(0, Math.min(given.bytes, line.length - 1)));
      return undefined;
    }
    case 'reopen':
      return undefined;
  }
}

it('whatever happens to a session, it loads, holds all that was acknowledged, and any model accepts it', async () => {
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      let store = openStore(join(root, String((run += 1))));
      let session = store.create(['/w']);
      await session.markTurn('r', 'started');
      for (const each of steps) {
        session = (await take(store, session, each)) ?? session;
        expectAccepted(session.messages());
        if (each.do !== 'crash' && each.do !== 'reopen') continue;
        const acknowledged = session.entries();
        ({ store, session } = await reopen(session));
        expect(session.entries()).toEqual(acknowledged);
      }
      const last = await reopen(session);
      expect(last.session.entries()).toEqual(session.entries());
      expect(last.session.messages()).toEqual(session.messages());
      const ids = session.entries().map((entry) => entry.id);
      expect(session.entries().map((entry) => entry.parentId)).toEqual([null, ...ids.slice(0, -1)]);
      const [summary] = (await last.store.summaries()).filter(({ id }) => id === session.id);
      const messages = session.entries().filter((entry) => entry.type === 'message' && isSaid(entry.message));
      expect(summary).toMatchObject({ messageCount: messages.length });
    }),
    { numRuns: 150 },
  );
});
