import { describe, expect, it } from 'vitest';
import { toolCallOf } from '../../test/builders/callContexts.ts';
import type { RunHandle } from '../agent/turn.ts';
import type { RunOutcome } from '../contracts/agentEvent.ts';
import type { Model } from '../contracts/model.ts';
import { createManualClock } from '../../test/builders/manualClock.ts';
import type { Session } from '../sessions/session.ts';
import type { SendAnswer, SessionRow } from '../tools/core/sessions/agentSessions.ts';
import type { AgentTurnRequest, CurrentTurn } from './agentTurn.ts';
import { createSessionSends } from './createSessionSends.ts';

const trace = { traceId: 't', spanId: 's', callDepth: 0 };

/** Sessions by name, and turns that end when the test says so. */
function open(running: readonly string[] = []) {
  const clock = createManualClock();
  const started: AgentTurnRequest[] = [];
  const ends = new Map<string, (outcome: RunOutcome) => void>();
  const queued: string[] = [];
  const tainted: string[] = [];
  const turnEnds = new AbortController();
  let isHeld = false;
  const session = (id: string): Session => ({ id, agentId: 'main', name: () => id }) as unknown as Session;
  const sends = createSessionSends({
    clock,
    inbox: {
      add(sessionId, kind, text) {
        queued.push(`${kind} in ${sessionId}: ${text}`);
        return Promise.resolve({ id: '1', kind, text, createdAt: 0 });
      },
    },
    openSession: (id) => Promise.resolve(session(id)),
    currentTurn: (id): CurrentTurn | undefined =>
      running.includes(id)
        ? {
            ...{ trace, model: {} as Model, emit: () => undefined, ended: turnEnds.signal },
            root: { runId: 'r', sessionId: id },
          }
        : undefined,
    startTurn(request) {
      started.push(request);
      if (isHeld) return new Promise(() => undefined);
      const outcome = new Promise<RunOutcome>((resolve) => ends.set(request.session.id, resolve));
      request.signal.addEventListener('abort', () => ends.get(request.session.id)?.({ status: 'cancelled' }));
      return Promise.resolve({
        runId: 'r',
        trace,
        outcome,
        settled: outcome.then(() => undefined),
      } as RunHandle);
    },
    modelFor: () => ({}) as Model,
    carryTaint: (from, to) => void tainted.push(`${from.id} to ${to.id}`),
    signal: () => new AbortController().signal,
  });
  const plan = async (from: string, to: string, waitMs = 1_000, isOwn = false) =>
    await sends.plan(
      toolCallOf({ sessionId: from, sessionKey: from }).turn,
      { session: session(to), row: { title: to } as SessionRow, isOwn },
      { message: 'hello', waitMs },
    );
  const send = async (from: string, to: string, signal = new AbortController().signal): Promise<SendAnswer> =>
    await (await plan(from, to)).send(signal);
  const end = (id: string, outcome: RunOutcome): void => ends.get(id)?.(outcome);
  return {
    clock,
    started,
    queued,
    tainted,
    plan,
    send,
    end,
    endTurns: () => turnEnds.abort(),
    hold: () => void (isHeld = true),
  };
}

const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
};

describe('sessions_send', () => {
  it('runs a turn in a session that is idle, and gives its answer; both now hold what the other one held', async () => {
    const world = open();
    const answer = world.send('a', 'b');
    await settled();
    expect(world.started[0]).toMatchObject({ session: { id: 'b' }, askedBy: 'session "b"' });
    expect(world.started[0]?.prompt).toBe(
      'Message from another agent (main, session a), not from the user:\n\nhello',
    );
    world.end('b', { status: 'completed', text: 'hi' });
    expect(await answer).toEqual({ status: 'ok', reply: 'hi' });
    expect(world.tainted).toEqual(['a to b', 'b to a']);
  });

  it('ends with the turn of the sender where that has started the session, and outlives it where a user did', async () => {
    const world = open(['a']);
    const waiting = (): unknown => world.started.at(-1)?.waitingSession?.();
    for (const [to, isOwn] of [
      ['own', true],
      ['chat', false],
    ] as const) {
      const planned = await world.plan('a', to, 0, isOwn);
      const answer = planned.send(new AbortController().signal);
      await settled();
      expect(waiting()).toBe('a');
      world.clock.advance(0);
      expect(await answer).toEqual({ status: 'running' });
      expect(waiting()).toBeUndefined();
    }
    world.endTurns();
    expect(world.started.map(({ signal }) => signal.aborted)).toEqual([true, false]);
  });

  it('waits in the inbox of a session whose turn runs', async () => {
    const world = open(['b']);
    expect(await world.send('a', 'b')).toEqual({ status: 'queued' });
    expect(world.queued).toEqual([expect.stringMatching(/^followUp in b: Message from another agent/u)]);
    expect(world.started).toEqual([]);
  });

  it('begins no second turn beside one that it has just begun', async () => {
    const world = open();
    void world.send('a', 'b');
    await settled();
    expect(await world.send('c', 'b')).toEqual({ status: 'queued' });
  });

  it('goes to nobody who waits for its answer, and not to itself', async () => {
    const world = open();
    void world.send('a', 'b');
    await settled();
    await expect(world.plan('b', 'a')).rejects.toThrow('waits for what you answer');
    await expect(world.plan('a', 'a')).rejects.toThrow('this very session');
    void world.send('b', 'c');
    await settled();
    await expect(world.plan('c', 'a')).rejects.toThrow('waits for what you answer');
  });

  it('ends in a chain of three, however many sessions there are', async () => {
    const world = open();
    for (const [from, to] of [
      ['a', 'b'],
      ['b', 'c'],
      ['c', 'd'],
    ] as const) {
      void world.send(from, to);
      await settled();
    }
    await expect(world.plan('d', 'e')).rejects.toMatchObject({ code: 'session_send_loop' });
  });

  it('stops waiting after its time, and the turn goes on', async () => {
    const world = open();
    const answer = world.send('a', 'b');
    await settled();
    world.clock.advance(1_000);
    expect(await answer).toEqual({ status: 'running' });
    expect(world.started[0]?.signal.aborted).toBe(false);
  });

  it('takes the turn that it has begun with it when it is cancelled', async () => {
    const world = open();
    const abort = new AbortController();
    const answer = world.send('a', 'b', abort.signal);
    await settled();
    abort.abort();
    await expect(answer).rejects.toMatchObject({ code: 'cancelled' });
    expect(world.started[0]?.signal.aborted).toBe(true);
    await settled();
    void world.send('c', 'b');
    await settled();
    expect(world.started).toHaveLength(2);
  });

  it('begins nothing any more when it is cancelled while the turn waits to begin', async () => {
    const world = open();
    world.hold();
    const abort = new AbortController();
    const answer = world.send('a', 'b', abort.signal);
    await settled();
    abort.abort();
    await expect(answer).rejects.toMatchObject({ code: 'cancelled' });
    expect(world.started[0]?.signal.aborted).toBe(true);
  });

  it('tells of a turn that failed', async () => {
    const world = open();
    const answer = world.send('a', 'b');
    await settled();
    world.end('b', { status: 'failed', code: 'x', message: 'no key' });
    expect(await answer).toEqual({ status: 'error', error: 'no key' });
  });
});
