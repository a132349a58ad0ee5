import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SessionEntry } from '../contracts/sessionEntry.ts';
import { createInMemoryLog } from '../../test/builders/inMemoryLog.ts';
import { createManualClock } from '../../test/builders/manualClock.ts';
import { createNodeFileSystem } from '../host/node/nodeFileSystem.ts';
import { createInbox, readInboxIds, type InboxDeps, type Inbox, type WaitingMessage } from './createInbox.ts';

const id = '00000000-0000-4000-8000-000000000001';
let folder = '';
let file = '';
let log = createInMemoryLog();
/** What the transcript holds. */
let read: Set<string>;

/** As a window that has just been opened sees it. */
function open(more: Partial<InboxDeps> = {}): Inbox {
  return createInbox({
    fs: createNodeFileSystem(),
    clock: createManualClock(),
    log,
    folder,
    readIds: () => Promise.resolve(read),
    ...more,
  });
}

const texts = (messages: readonly WaitingMessage[]): string[] => messages.map((each) => each.text);
const stored = async (inbox = open()): Promise<string[]> => texts(await inbox.open(id));

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pincer-inbox-'));
  file = join(folder, `${id}.inbox.json`);
  log = createInMemoryLog();
  read = new Set();
});
afterEach(() => rm(folder, { recursive: true }));

describe('what waits', () => {
  it('is on disk when add resolves, for the user alone, and is there for the next window', async () => {
    await open().add(id, 'followUp', '  later  ');
    expect(await stored()).toEqual(['later']);
    if (process.platform !== 'win32') expect((await stat(file)).mode & 0o77).toBe(0);
  });

  it('is the same in two windows: what one adds, reads or takes away the other knows with its next look', async () => {
    const [here, there] = [open(), open()];
    const first = await here.add(id, 'followUp', 'one');
    expect(await stored(there)).toEqual(['one']);
    const [taken] = here.take(id, 'followUp');
    read.add(first.id);
    await here.settle(id, [taken!.id]);
    expect(await stored(there)).toEqual([]);
    expect(there.take(id, 'followUp')).toEqual([]);
    await there.add(id, 'followUp', 'two');
    await here.add(id, 'followUp', 'three');
    expect(await stored()).toEqual(['two', 'three']);
    expect(await stored(there)).toEqual(['two', 'three']);
  });

  it('is known of all sessions that were looked at, and a look tells where another window changed it', async () => {
    const [here, there] = [open(), open()];
    const heard: string[] = [];
    there.onDidChange((session) => heard.push(session));
    const { id: message } = await here.add(id, 'followUp', 'one');
    expect([here.sessions(), there.sessions()]).toEqual([[id], []]);
    await there.open(id);
    await there.open(id);
    expect([there.sessions(), heard]).toEqual([[id], [id]]);
    here.take(id, 'followUp');
    expect(here.sessions()).toEqual([]);
    here.release(id, [message]);
    expect(here.sessions()).toEqual([id]);
    await here.remove(id, message);
    await there.open(id);
    expect([here.sessions(), there.sessions(), heard]).toEqual([[], [], [id, id]]);
  });

  it('is read in this order: all of steer, then what was queued', async () => {
    const inbox = open();
    for (const [kind, text] of [
      ['followUp', 'c'],
      ['steer', 'a'],
      ['followUp', 'd'],
      ['steer', 'b'],
    ] as const)
      await inbox.add(id, kind, text);
    expect(texts(inbox.list(id))).toEqual(['a', 'b', 'c', 'd']);
    expect(texts(inbox.take(id, 'steer'))).toEqual(['a', 'b']);
    expect(texts(inbox.take(id, 'followUp'))).toEqual(['c']);
    expect(texts(inbox.list(id))).toEqual(['d']);
  });

  it('can be edited, moved, made urgent and removed, and stays so', async () => {
    const inbox = open();
    const [a, b, c] = [
      await inbox.add(id, 'followUp', 'a'),
      await inbox.add(id, 'followUp', 'b'),
      await inbox.add(id, 'followUp', 'c'),
    ];
    expect(await inbox.move(id, c.id, a.id)).toBe(true);
    expect(await stored()).toEqual(['c', 'a', 'b']);
    await inbox.edit(id, a.id, { text: 'A' });
    await inbox.edit(id, b.id, { kind: 'steer' });
    await inbox.remove(id, c.id);
    expect(await stored()).toEqual(['b', 'A']);
    await inbox.move(id, a.id, null);
    expect(await inbox.remove(id, 'no-such')).toBe(false);
  });

  it('can not be changed once it was taken, and does not come back by an edit', async () => {
    const inbox = open();
    const { id: message } = await inbox.add(id, 'steer', 'go');
    inbox.take(id, 'steer');
    expect([
      await inbox.edit(id, message, { text: 'stop' }),
      await inbox.remove(id, message),
      await inbox.move(id, message, null),
    ]).toEqual([false, false, false]);
    expect(inbox.take(id, 'steer')).toEqual([]);
  });

  it('is given out either as it was edited, or the edit is refused', async () => {
    const inbox = open();
    const { id: message } = await inbox.add(id, 'steer', 'old');
    const done = inbox.edit(id, message, { text: 'new' });
    const given = texts(inbox.take(id, 'steer'));
    expect([await done, given]).toEqual([given[0] === 'new', given]);
  });

  it('is at most 50 messages of 32 KB, and never nothing', async () => {
    const inbox = open();
    for (let count = 0; count < 50; count += 1) await inbox.add(id, 'followUp', 'x');
    await expect(inbox.add(id, 'steer', 'one more')).rejects.toMatchObject({ code: 'inbox_full' });
    expect(inbox.list(id)).toHaveLength(50);
    await expect(inbox.add(id, 'steer', ' \n ')).rejects.toMatchObject({ code: 'inbox_empty_text' });
    const long = 'ä'.repeat(16 * 1024 + 1);
    await expect(inbox.add(id, 'steer', long)).rejects.toMatchObject({ code: 'inbox_text_too_long' });
    const first = inbox.list(id)[0]!.id;
    await expect(inbox.edit(id, first, { text: '' })).rejects.toMatchObject({ code: 'inbox_empty_text' });
  });

  it('tells of every change, with the session', async () => {
    const inbox = open();
    const seen: string[] = [];
    inbox.onDidChange((session) => void seen.push(session));
    await inbox.add(id, 'steer', 'a');
    inbox.take(id, 'steer');
    expect(seen).toEqual([id, id]);
  });

  it('of a session that is removed is gone', async () => {
    const inbox = open();
    await inbox.add(id, 'steer', 'a');
    await inbox.removeSession(id);
    expect([inbox.list(id), existsSync(file)]).toEqual([[], false]);
  });

  it('has no file outside its folder', async () => {
    await expect(open().add('../../x', 'steer', 'a')).rejects.toMatchObject({ code: 'session_unknown' });
  });

  it('is not there where it could not be stored', async () => {
    const fs = { ...createNodeFileSystem(), writeFile: () => Promise.reject(new Error('disk full')) };
    const inbox = open({ fs });
    await expect(inbox.add(id, 'steer', 'a')).rejects.toThrow('disk full');
    expect(inbox.list(id)).toEqual([]);
  });

  it('goes to disk without secrets; the turn that runs reads it as it was said', async () => {
    const inbox = open({ redact: (text) => text.replace('hunter2', '[secret]') });
    await inbox.add(id, 'steer', 'use hunter2');
    expect(await readFile(file, 'utf8')).not.toContain('hunter2');
    expect(texts(inbox.take(id, 'steer'))).toEqual(['use hunter2']);
  });

  it('is nothing where the file is damaged, and the log does not quote it', async () => {
    await writeFile(file, '{"version":1,"messages":[{"text":"my words');
    expect(await stored()).toEqual([]);
    expect(JSON.stringify(log.lines)).toContain('is no list of waiting messages');
    expect(JSON.stringify(log.lines)).not.toContain('my words');
  });
});

describe('reading exactly once', () => {
  it('a taken message waits again after a crash, unless the transcript holds it', async () => {
    const inbox = open();
    const a = await inbox.add(id, 'steer', 'a');
    await inbox.add(id, 'steer', 'b');
    inbox.take(id, 'steer');
    read.add(a.id);
    expect(await stored()).toEqual(['b']);
    expect(await readFile(file, 'utf8')).not.toContain('"a"');
  });

  it('a settled one is gone from disk; a released one waits where it was', async () => {
    const inbox = open();
    const a = await inbox.add(id, 'steer', 'a');
    const b = await inbox.add(id, 'steer', 'b');
    inbox.take(id, 'steer');
    await inbox.settle(id, [b.id]);
    inbox.release(id, [a.id]);
    expect(texts(inbox.list(id))).toEqual(['a']);
    await inbox.settle(id, [a.id]);
    expect(existsSync(file)).toBe(false);
  });

  it('the transcript names what it holds', () => {
    const message = { role: 'user' as const, content: [], timestamp: 0 };
    const ids = { id: '1', parentId: null };
    const entries: SessionEntry[] = [
      { type: 'message', ...ids, message: { ...message, inboxId: 'm' } },
      { type: 'message', ...ids, message },
      { type: 'name', ...ids, name: 'x' },
    ];
    expect([...readInboxIds(entries)]).toEqual(['m']);
  });

  it('whatever happens in which order: each message is read at most once and none is lost', async () => {
    const action = fc.oneof(
      fc.constantFrom(
        'steer',
        'followUp',
        'takeSteer',
        'takeFollowUp',
        'store',
        'settle',
        'release',
        'crash',
      ),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 25 }), async (actions) => {
        await rm(file, { force: true });
        read = new Set();
        let inbox = open();
        await inbox.open(id);
        const added: string[] = [];
        let held: WaitingMessage[] = [];
        for (const each of actions) {
          if (each === 'steer' || each === 'followUp') added.push((await inbox.add(id, each, 'x')).id);
          if (each === 'takeSteer') held.push(...inbox.take(id, 'steer'));
          if (each === 'takeFollowUp') held.push(...inbox.take(id, 'followUp'));
          const next = held[0];
          if (each === 'store' && next !== undefined) {
            expect(read.has(next.id)).toBe(false);
            read.add(next.id);
            held = held.slice(1);
          }
          if (each === 'settle') await inbox.settle(id, [...read]);
          if (each === 'release') {
            inbox.release(
              id,
              held.map((message) => message.id),
            );
            held = [];
          }
          if (each === 'crash') {
            held = [];
            inbox = open();
            await inbox.open(id);
          }
        }
        const waiting = [...(await open().open(id))].map((message) => message.id);
        expect([...read, ...waiting].sort()).toEqual([...added].sort());
      }),
      { numRuns: 60 },
    );
  });
});
