import { describe, expect, it } from 'vitest';
import { PincerError } from '../base/errors.ts';
import { createMessageJournal, type InboundMessage } from './createMessageJournal.ts';

const day = 24 * 60 * 60_000;

/** A file in memory, and a clock that stands still. */
function open() {
  const disk = { text: '' };
  const clock = { at: 10 * day };
  const journal = createMessageJournal({
    fs: {
      readText(_path, maxBytes = Infinity) {
        if (disk.text.length > maxBytes) throw new PincerError('io_too_large', 'too large');
        return Promise.resolve(disk.text);
      },
      appendDurably(_path, text) {
        disk.text += text;
        return Promise.resolve();
      },
      writeFile(_path, text) {
        disk.text = String(text);
        return Promise.resolve();
      },
    },
    clock: { now: () => clock.at },
    file: '/messages.jsonl',
  });
  return { disk, clock, journal };
}

const message = (id: number, text = 'hi'): InboundMessage => ({
  ...{ channel: 'post', accountId: 'default', kind: 'direct', peerId: '42', to: '42', senderId: '42' },
  ...{ messageId: String(id), title: '42', text, media: [] },
});

async function finish(journal: ReturnType<typeof open>['journal'], each: InboundMessage, isTurn = false) {
  const key = (await journal.take(each)) ?? '';
  if (isTurn) await journal.begin(key, { all: Infinity });
  await journal.mark(key, 'done');
}

describe('the journal of messages', () => {
  it('counts the turns of a day however many messages come after them', async () => {
    const { journal, clock, disk } = open();
    await journal.open();
    for (let id = 0; id < 3; id += 1) await finish(journal, message(id), true);
    for (let id = 3; id < 5_100; id += 1) await finish(journal, message(id));
    const next = (await journal.take(message(5_100))) ?? '';
    expect(await journal.begin(next, { all: 3 })).toBe(false);
    clock.at += day + 1;
    for (let id = 6_000; id < 6_003; id += 1) await finish(journal, message(id));
    expect(await journal.begin(next, { all: 1 })).toBe(true);
    expect(disk.text.split('\n').length).toBeLessThan(25_000);
  });

  it('does not grow with what was said in messages that are over', async () => {
    const { journal, disk } = open();
    await journal.open();
    const long = '\u0001'.repeat(16_000);
    for (let id = 0; id < 400; id += 1) await finish(journal, message(id, long));
    expect(disk.text.length).toBeLessThan(10_000_000);
    await journal.open();
    expect(await journal.take(message(399, long))).toBeUndefined();
  });
});
