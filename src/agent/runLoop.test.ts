import { describe, expect, it } from 'vitest';
import { PincerError } from '../base/errors.ts';
import type { AssistantMessage, ToolCallPart } from '../contracts/message.ts';
import type { WaitingMessage } from '../sessions/createInbox.ts';
import type { LimitReached } from './createTurnMeter.ts';
import { runLoop, type LoopOutcome, type LoopPorts } from './runLoop.ts';

// What the loop does, one word an action: `model`, `call 1`, `skip 2 steered`, `enter a+b (2)`, `revise`, `deliver`, `room`, `room!`.

type Part = ToolCallPart | { readonly type: 'text'; readonly text: string };
const call = (id: string): Part => ({ type: 'toolCall', id, name: 'read', arguments: {} });
const text = (value: string): Part => ({ type: 'text', text: value });
const steer = (words: string): WaitingMessage => ({ id: words, kind: 'steer', text: words, createdAt: 0 });
const queued = (words: string): WaitingMessage => ({ ...steer(words), kind: 'followUp' });

const roundLimit: LimitReached = { code: 'round_limit', message: 'Stopped.', hint: 'Go on.' };
const overflow = new PincerError('model_context_overflow', 'Too long.');

interface World {
  /** What each model call answers; an error after nothing. The last is a plain answer. */
  readonly answers?: readonly (readonly Part[] | PincerError)[];
  /** What the user has said before the turn begins. */
  readonly said?: readonly WaitingMessage[];
  /** What happens while a word is done for the first time, such as `call 1`. */
  readonly on?: Readonly<Record<string, (world: Happening) => void>>;
  readonly revisions?: number;
  readonly limit?: (next: 'model' | ToolCallPart, log: readonly string[]) => LimitReached | undefined;
  readonly makesRoom?: boolean;
}

/** What a test can make happen. */
interface Happening {
  readonly said: WaitingMessage[];
  readonly queue: WaitingMessage[];
  cancel(): void;
  yieldNow(): void;
}

async function run(world: World): Promise<{ outcome: LoopOutcome; log: string[] }> {
  const log: string[] = [];
  let cancelled = false;
  let yields = false;
  let asked = 0;
  let revised = 0;
  const happening: Happening = {
    said: [...(world.said ?? [])],
    queue: [],
    cancel: () => (cancelled = true),
    yieldNow: () => (yields = true),
  };
  const does = (word: string): void => {
    if (!log.includes(word)) world.on?.[word]?.(happening);
    log.push(word);
  };
  const messageOf = (content: readonly Part[], error?: PincerError): AssistantMessage => ({
    role: 'assistant',
    content,
    provider: 'p',
    model: 'm',
    stopReason: error === undefined ? 'stop' : 'error',
    timestamp: 0,
  });
  const ports: LoopPorts = {
    isCancelled: () => cancelled,
    shouldYield: () => yields,
    findLimit: (next) => world.limit?.(next, log),
    async makeRoom(force) {
      if (force) does('room!');
      return force && world.makesRoom === true;
    },
    async ask() {
      const answer = world.answers?.[asked] ?? [text('done')];
      asked += 1;
      does('model');
      const info = {
        provider: 'p',
        model: 'm',
        name: 'M',
        contextWindow: 1,
        maxOutputTokens: 1,
        toolCalling: true,
      };
      if (answer instanceof Error) return { message: messageOf([], answer), model: info, error: answer };
      return { message: messageOf(answer), model: info };
    },
    store: () => Promise.resolve(),
    async callTool({ id }) {
      does(`call ${id}`);
      if (cancelled) throw new PincerError('cancelled', 'Cancelled.');
    },
    async skipCall({ id }, why) {
      does(`skip ${id} ${why}`);
    },
    takeSteering: () => happening.said.splice(0),
    takeFollowUp: () => happening.queue.shift(),
    async enter(messages, skipped) {
      does(`enter ${messages.map((each) => each.text).join('+')} (${String(skipped)})`);
    },
    async revise() {
      revised += 1;
      if (revised > (world.revisions ?? 0)) return false;
      does('revise');
      return true;
    },
    async deliver() {
      does('deliver');
    },
  };
  return { outcome: await runLoop(ports), log };
}

describe('the inner loop', () => {
  it('carries out the calls of each answer in order, until one has none', async () => {
    const { outcome, log } = await run({ answers: [[call('1'), call('2')], [call('3')]] });
    expect(log).toEqual(['model', 'call 1', 'call 2', 'model', 'call 3', 'model']);
    expect(outcome).toMatchObject({ status: 'completed', final: { content: [{ text: 'done' }] } });
  });

  it('ends with the error of a model and what had come of its answer', async () => {
    const gone = new PincerError('model_unavailable', 'Gone.');
    const { outcome, log } = await run({ answers: [gone] });
    expect(outcome).toEqual({ status: 'failed', error: gone, partial: undefined });
    expect(log).toEqual(['model']);
  });

  it('shortens a conversation that is refused as too long, and asks once more', async () => {
    const { outcome, log } = await run({ answers: [overflow, [text('ok')]], makesRoom: true });
    expect(log).toEqual(['model', 'room!', 'model']);
    expect(outcome.status).toBe('completed');
  });

  it('gives up where it can not be shortened, or is refused again', async () => {
    const nothing = await run({ answers: [overflow] });
    expect(nothing.log).toEqual(['model', 'room!']);
    expect(nothing.outcome).toMatchObject({ status: 'failed', error: { code: 'model_context_overflow' } });
    const again = await run({ answers: [overflow, overflow], makesRoom: true });
    expect(again.log).toEqual(['model', 'room!', 'model']);
    expect(again.outcome.status).toBe('failed');
  });

  it('starts no further call and no model after a cancel', async () => {
    const { outcome, log } = await run({
      answers: [[call('1'), call('2')]],
      on: { 'call 1': (world) => world.cancel() },
    });
    expect(log).toEqual(['model', 'call 1']);
    expect(outcome).toEqual({ status: 'cancelled', partial: undefined });
  });

  it('skips what is left of an answer at a limit, and says which', async () => {
    const { outcome, log } = await run({
      answers: [[call('1'), call('2'), call('3')]],
      limit: (next, seen) => (next !== 'model' && seen.includes('call 1') ? roundLimit : undefined),
    });
    expect(log).toEqual(['model', 'call 1', 'skip 2 round_limit', 'skip 3 round_limit']);
    expect(outcome).toEqual({ status: 'limit', limit: roundLimit });
  });
});

describe('steering', () => {
  it('before the first model call: it is read together with the first words', async () => {
    const { log } = await run({ said: [steer('also')] });
    expect(log).toEqual(['enter also (0)', 'model']);
  });

  it('while the model writes: none of its calls is carried out', async () => {
    const { log } = await run({
      answers: [[call('1'), call('2')]],
      on: { model: ({ said }) => void said.push(steer('stop')) },
    });
    expect(log).toEqual(['model', 'skip 1 steered', 'skip 2 steered', 'enter stop (2)', 'model']);
  });

  it('between two calls: the second is skipped, and the model reads the words next', async () => {
    const { log } = await run({
      answers: [[call('1'), call('2')]],
      on: { 'call 1': ({ said }) => void said.push(steer('no')) },
    });
    expect(log).toEqual(['model', 'call 1', 'skip 2 steered', 'enter no (1)', 'model']);
  });

  it('after the last call: nothing is skipped', async () => {
    const { log } = await run({
      answers: [[call('1')]],
      on: { 'call 1': ({ said }) => void said.push(steer('also')) },
    });
    expect(log).toEqual(['model', 'call 1', 'enter also (0)', 'model']);
  });

  it('two at once are entered together', async () => {
    const { log } = await run({
      answers: [[call('1'), call('2')]],
      on: { 'call 1': ({ said }) => void said.push(steer('a'), steer('b')) },
    });
    expect(log).toContain('enter a+b (1)');
  });

  it('while a final answer comes: it is delivered, and the loop goes on from there', async () => {
    const { log, outcome } = await run({
      answers: [[text('first')], [text('second')]],
      on: { model: ({ said }) => void said.push(steer('wait')) },
    });
    expect(log).toEqual(['model', 'deliver', 'enter wait (0)', 'model']);
    expect(outcome).toMatchObject({ status: 'completed', final: { content: [{ text: 'second' }] } });
  });

  it('counts before a limit: the words are in the transcript when the turn stops', async () => {
    const { log, outcome } = await run({
      answers: [[call('1')]],
      on: { 'call 1': ({ said }) => void said.push(steer('late')) },
      limit: (_next, seen) => (seen.includes('call 1') ? roundLimit : undefined),
    });
    expect(log).toEqual(['model', 'call 1', 'enter late (0)']);
    expect(outcome.status).toBe('limit');
  });
});

describe('follow-ups', () => {
  it('begin one after the other where the turn would end; each answer but the last is delivered first', async () => {
    const { log, outcome } = await run({
      answers: [[text('1')], [text('2')], [text('3')]],
      on: { model: ({ queue }) => void queue.push(queued('a'), queued('b')) },
    });
    expect(log).toEqual(['model', 'deliver', 'enter a (0)', 'model', 'deliver', 'enter b (0)', 'model']);
    expect(outcome).toMatchObject({ status: 'completed', final: { content: [{ text: '3' }] } });
  });

  it('wait for what plugins want revised, and for what the user says', async () => {
    const { log, outcome } = await run({
      revisions: 1,
      on: {
        model: ({ queue }) => void queue.push(queued('later')),
        revise: ({ said }) => void said.push(steer('now')),
      },
    });
    expect(log).toEqual(['model', 'revise', 'enter now (0)', 'model', 'deliver', 'enter later (0)', 'model']);
    expect(outcome.status).toBe('completed');
  });

  it('stay where they are when the turn is cancelled or fails', async () => {
    const gone = new PincerError('model_offline', 'Offline.');
    const { log } = await run({
      answers: [gone],
      on: { model: ({ queue }) => void queue.push(queued('x')) },
    });
    expect(log).toEqual(['model']);
  });
});

describe('yielding', () => {
  it('skips the calls that are left and ends the turn', async () => {
    const { outcome, log } = await run({
      answers: [[call('1'), call('2')]],
      on: { 'call 1': (world) => world.yieldNow() },
    });
    expect(log).toEqual(['model', 'call 1', 'skip 2 yielded']);
    expect(outcome).toEqual({ status: 'yielded' });
  });

  it('leaves a final answer as it is, and queued messages to the next turn', async () => {
    const { outcome, log } = await run({
      on: {
        model(world) {
          world.queue.push(queued('x'));
          world.yieldNow();
        },
      },
    });
    expect(log).toEqual(['model']);
    expect(outcome.status).toBe('completed');
  });
});
