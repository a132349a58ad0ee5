import { describe, expect, it } from 'vitest';
import { createTestHooks } from '../../test/builders/createTestHooks.ts';
import { isShutdown, shutdown } from '../base/abort.ts';
import type { RunHandle } from '../agent/turn.ts';
import { agentSection } from '../config/sections/agentSection.ts';
import { agentsSection } from '../config/sections/agentsSection.ts';
import type { RunOutcome } from '../contracts/agentEvent.ts';
import type { Model } from '../contracts/model.ts';
import { createInMemoryLog } from '../../test/builders/inMemoryLog.ts';
import type { Session } from '../sessions/session.ts';
import type { AgentTurnRequest } from './agentTurn.ts';
import { createSubagentHooks } from './createSubagentHooks.ts';
import { createSubagents } from './createSubagents.ts';

const trace = { traceId: 't', spanId: 's', callDepth: 0 };
const model = {} as Model;

/** Turns end when the test says so, or when they are cancelled. */
function open(header: object = {}, turnTenant?: { readonly tenantId: string; readonly userId: string }) {
  const { runner, on, clock } = createTestHooks();
  const log = createInMemoryLog();
  const sessions = new Map<string, Session>();
  const turns: AgentTurnRequest[] = [];
  const ends = new Map<string, (outcome: RunOutcome) => void>();
  const tainted: string[] = [];
  let isHeld = false;
  const add = (id: string, given: object): Session => {
    const session = {
      id,
      key: `key:${id}`,
      agentId: 'main',
      header: given,
      messages: () => [],
    } as unknown as Session;
    sessions.set(id, session);
    return session;
  };
  add('chat', { kind: 'chat', agentId: 'main', ...header });
  const subagents = createSubagents({
    clock,
    log,
    hooks: createSubagentHooks({
      hooks: runner,
      log,
      surface: 'vscode',
      conversations: {
        originOf: () => Promise.resolve(undefined),
        keyOf: () => Promise.resolve(undefined),
      },
    }),
    config: () => ({
      agents: agentsSection.resolve({ agents: { main: { subagents: { maxDepth: 2 } } } }),
      agent: agentSection.resolve({ thinking: 'low' }),
    }),
    openSession: (id) => Promise.resolve(sessions.get(id)),
    createSession: (origin) => add(`child${sessions.size}`, { ...origin }),
    removeSession: () => Promise.reject(new Error('in use')),
    sessionOfKey: () => Promise.resolve(undefined),
    inbox: { add: () => Promise.reject(new Error('full')), open: () => Promise.resolve([]) },
    findModel: () => undefined,
    currentTurn: () => ({
      ...{ trace, model, emit: () => undefined, ended: new AbortController().signal },
      root: { runId: 'run', sessionId: 'chat' },
      ...(turnTenant === undefined ? {} : { tenant: turnTenant }),
    }),
    carryTaint: (from, to) => void tainted.push(`${from.id} to ${to.id}`),
    startTurn(request) {
      turns.push(request);
      if (isHeld) return new Promise(() => undefined);
      const outcome = new Promise<RunOutcome>((resolve) => {
        ends.set(request.session.id, resolve);
        request.signal.addEventListener('abort', () => resolve({ status: 'cancelled' }));
      });
      return Promise.resolve({ runId: `run-${request.session.id}`, trace, outcome } as RunHandle);
    },
  });
  const spawn = async (more: object = {}, signal = new AbortController().signal) =>
    await subagents.spawn({ sessionId: 'chat', runId: 'r', task: 'Look around.', signal, ...more });
  return {
    subagents,
    log,
    on,
    turns,
    tainted,
    spawn,
    end: (id: string, text: string) => ends.get(id)?.({ status: 'completed', text }),
    hold: () => void (isHeld = true),
  };
}

describe('createSubagents', () => {
  it('carries what came from outside down to the started agent, and back up with its answer', async () => {
    const { spawn, tainted, end } = open();
    const { ended } = await spawn();
    expect(tainted).toEqual(['chat to child1']);
    end('child1', 'Found.');
    expect(await ended).toMatchObject({ status: 'ok', text: 'Found.' });
    expect(tainted).toEqual(['chat to child1', 'child1 to chat']);
  });

  it('begins it for the tenant and the user of the turn around it, else of the session', async () => {
    const owner = { tenantId: 'a', userId: 'ada' };
    const given = open({ tenant: owner });
    await given.spawn();
    expect(given.turns[0]?.session.header.tenant).toEqual(owner);
    const other = open({ tenant: owner }, { tenantId: 'a', userId: 'bob' });
    await other.spawn();
    expect(other.turns[0]?.session.header.tenant).toEqual({ tenantId: 'a', userId: 'bob' });
    const nobody = open();
    await nobody.spawn();
    expect(nobody.turns[0]?.session.header).not.toHaveProperty('tenant');
  });

  it('gives it the model and the trace of the turn around it, and the settings of its agent', async () => {
    const { spawn, turns } = open();
    await spawn({ thinking: 'high' });
    expect(turns[0]).toMatchObject({
      model,
      settings: { thinking: 'high' },
      trace: { traceId: 't', parentSpanId: 's', callDepth: 1 },
    });
  });

  it('cuts a long answer with a word on where the rest is', async () => {
    const { spawn, end } = open();
    const { ended } = await spawn();
    end('child1', 'x'.repeat(50_000));
    const { text } = await ended;
    expect(text.length).toBeLessThan(12_200);
    expect(text).toContain('50000 characters in all; sessions_history has the rest');
  });

  it('takes the reason of the abort around it on, so that what a closed window cut off can be resumed', async () => {
    const { spawn, turns } = open();
    const abort = new AbortController();
    const { ended } = await spawn({}, abort.signal);
    abort.abort(shutdown);
    expect(isShutdown(turns[0]!.signal)).toBe(true);
    expect(await ended).toMatchObject({ status: 'killed' });
  });

  it('starts nothing for a turn that is cancelled while its limits are looked up', async () => {
    const { spawn, turns, subagents } = open();
    const abort = new AbortController();
    const spawning = spawn({}, abort.signal);
    const refused = expect(spawning).rejects.toMatchObject({ code: 'cancelled' });
    abort.abort();
    await refused;
    expect(turns).toEqual([]);
    expect(subagents.list('chat')).toEqual([]);
  });

  it('stops all of a session, whatever runs in others', async () => {
    const { subagents, spawn } = open();
    const one = await spawn();
    const two = await spawn({ sessionId: one.info.sessionId });
    subagents.stopAllOf('chat');
    expect(await one.ended).toMatchObject({ status: 'killed' });
    expect(subagents.list('chat').map(({ sessionId, state }) => [sessionId, state])).toEqual([
      [two.info.sessionId, 'running'],
      [one.info.sessionId, 'cancelled'],
    ]);
    expect(subagents.stop(two.info.sessionId)).toBe(true);
    await two.ended;
    expect(subagents.stop(two.info.sessionId)).toBe(false);
  });

  it('closes even while one is being started', async () => {
    const { subagents, spawn, hold, turns } = open();
    hold();
    const spawning = spawn();
    const refused = expect(spawning).rejects.toMatchObject({ code: 'cancelled' });
    while (turns.length === 0) await Promise.resolve();
    await subagents.close();
    await refused;
    expect(subagents.list('chat')).toEqual([]);
  });

  it('gives its place back where a plugin refuses it', async () => {
    const { spawn, on, subagents } = open();
    on('subagent_spawning', 'guard', () => ({ status: 'error', error: 'no' }));
    for (let attempt = 0; attempt < 10; attempt += 1)
      await expect(spawn()).rejects.toMatchObject({ code: 'subagent_refused' });
    expect(subagents.list('chat')).toEqual([]);
  });

  it('keeps its result where its session can not be removed, and says so in the log', async () => {
    const { spawn, end, log } = open();
    const { ended } = await spawn({ cleanup: 'delete' });
    end('child1', 'Found.');
    expect(await ended).toMatchObject({ status: 'ok' });
    expect(JSON.stringify(log)).toContain('child1');
  });

  it('says in the log that an answer goes nowhere else, where a plugin wants that', async () => {
    const { spawn, end, on, log } = open();
    on('subagent_delivery_target', 'router', () => ({ origin: { channel: 'telegram' } }));
    const { ended } = await spawn();
    end('child1', 'Found.');
    await ended;
    expect(JSON.stringify(log)).toContain('it goes to the agent that started it');
  });
});
