import { describe, expect, it } from 'vitest';
import { PincerError } from '../../../src/base/errors.ts';
import { createHeldModel } from '../../builders/createHeldModel.ts';
import { openTestRuntime } from '../../builders/openTestRuntime.ts';
import type { Host } from '../../../src/host/ports.ts';

const done = { type: 'done', stopReason: 'stop' } as const;
const text = (value: string) => ({ type: 'text', text: value }) as const;
const read = { type: 'toolCall', id: 'c1', name: 'read', arguments: { path: 'a.md' } } as const;
const writing = (body: string): string =>
  `module.exports = (api) => api.on('before_message_write', ({ message }) => { ${body} });`;

it('keeps what arrived of a failed answer out of the transcript when a plugin had to see it first', async () => {
  await using test = await openTestRuntime({
    plugins: { vet: "module.exports = (api) => api.on('message_sending', () => undefined);" },
  });
  const { shown } = await test.say('hi', [], { model: createHeldModel([[text('half a secret'), 'fail']]) });
  expect(shown).toBe('');
  expect(test.session.messages().map(({ role }) => role)).toEqual(['user']);
});

it('keeps what arrived of a failed answer when the user has seen it', async () => {
  await using test = await openTestRuntime();
  await test.say('hi', [], { model: createHeldModel([[text('half'), 'fail']]) });
  expect(test.session.messages().map(({ role }) => role)).toEqual(['user', 'assistant']);
});

it('gives the model what before_message_write made of the words of the user and of its own', async () => {
  await using test = await openTestRuntime({
    files: { 'a.md': 'x' },
    plugins: {
      redactor: writing(
        "return { message: JSON.parse(JSON.stringify(message).replaceAll('hunter2', '***')) };",
      ),
    },
  });
  const model = createHeldModel([
    [text('You said hunter2.'), read, { type: 'done', stopReason: 'toolUse' }],
    [text('ok'), done],
  ]);
  await test.say('my password is hunter2', [], { model });
  const asked = JSON.stringify(model.asked);
  expect(asked).not.toContain('hunter2');
  expect(asked).toContain('my password is ***');
  expect(asked).toContain('You said ***');
});

it('gives the model no result without its call when a plugin keeps the call out of the transcript', async () => {
  await using test = await openTestRuntime({
    files: { 'a.md': 'the content' },
    plugins: { keeper: writing("if (message.role === 'assistant') return { block: true };") },
  });
  const model = createHeldModel([
    [read, { type: 'done', stopReason: 'toolUse' }],
    [text('ok'), done],
    [text('fine'), done],
  ]);
  await test.say('read', [], { model });
  await test.say('and now', [], { model });
  for (const messages of model.asked) {
    expect(messages.some(({ role }) => role === 'toolResult')).toBe(false);
  }
  expect(JSON.stringify(model.asked[1])).toContain('the content');
});

describe('while the disk takes its time', () => {
  it('asks the model at once, and shows nothing of its answer before the message is stored', async () => {
    const disk = createSlowDisk();
    await using test = await openTestRuntime({ adjustHost: disk.adjustHost, isRecorded: false });
    const model = createHeldModel([['wait', text('Aye.'), done]]);
    disk.hold();
    const shown: string[] = [];
    const run = await test.runtime.turns.start({
      ...{ session: test.session, prompt: 'hi', attachments: [], model },
      signal: new AbortController().signal,
      emit: (event) => {
        if (event.type === 'text') shown.push(event.text);
      },
    });
    await model.isWaiting;
    model.release();
    // Whatever needs no disk happens.
    await new Promise((resolve) => setImmediate(resolve));
    expect(shown).toEqual([]);
    disk.release();
    expect(await run.outcome).toEqual({ status: 'completed', text: 'Aye.' });
    expect(shown).toEqual(['Aye.']);
  });

  it('fails the turn where the message can not be stored, with nothing shown', async () => {
    const disk = createSlowDisk();
    await using test = await openTestRuntime({ adjustHost: disk.adjustHost, isRecorded: false });
    disk.hold();
    const model = createHeldModel([['wait', text('Aye.'), done]]);
    const said = test.say('hi', [], { model });
    await model.isWaiting;
    disk.release(new PincerError('io_disk_full', 'The disk is full.'));
    const { outcome, shown } = await said;
    expect(outcome).toMatchObject({ status: 'failed', code: 'io_disk_full' });
    expect(shown).toBe('');
  });
});

interface SlowDisk {
  readonly adjustHost: (host: Host) => Host;
  /** From here on what is appended waits. */
  readonly hold: () => void;
  /** What waited is written, or fails. */
  readonly release: (failure?: PincerError) => void;
}

function createSlowDisk(): SlowDisk {
  const held: (() => void)[] = [];
  let isHeld = false;
  let failure: PincerError | undefined;
  return {
    adjustHost: (host) => ({
      ...host,
      fs: {
        ...host.fs,
        async appendDurably(...given) {
          if (isHeld) await new Promise<void>((resolve) => held.push(resolve));
          if (failure !== undefined) throw failure;
          await host.fs.appendDurably(...given);
        },
      },
    }),
    hold: () => {
      isHeld = true;
    },
    release: (because) => {
      isHeld = false;
      failure = because;
      for (const go of held) go();
    },
  };
}
