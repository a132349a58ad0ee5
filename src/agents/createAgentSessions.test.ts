import { describe, expect, it } from 'vitest';
import { toolCallOf } from '../../test/builders/callContexts.ts';
import { agentsSection } from '../config/sections/agentsSection.ts';
import type { Model } from '../contracts/model.ts';
import { createManualClock } from '../../test/builders/manualClock.ts';
import type { Session } from '../sessions/session.ts';
import { createAgentSessions } from './createAgentSessions.ts';
import type { SubagentInfo } from './subagentInfo.ts';
import type { Subagents } from './subagents.ts';

const caller = toolCallOf({ sessionId: 'chat', sessionKey: 'chat' }).turn;

/** A chat whose agent has started `child`, and that has started `grandchild`. */
function open() {
  const tainted: string[] = [];
  const said: string[] = [];
  const infos = ['child', 'grandchild'].map((id): SubagentInfo => ({
    sessionId: id,
    sessionKey: id,
    runId: id,
    agentId: 'main',
    label: id,
    depth: 1,
    state: 'running',
    startedAt: 0,
  }));
  const result = { status: 'ok', text: 'Found.', durationMs: 0, calls: 0, usage: undefined } as const;
  const subagents = {
    list: () => infos,
    find: (id: string) => ({
      info: infos.find((each) => each.sessionId === id),
      ended: Promise.resolve(result),
    }),
  } as unknown as Subagents;
  const sessions = createAgentSessions({
    clock: createManualClock(),
    config: () => ({ agents: agentsSection.resolve({}) }) as never,
    openSession: (id) => Promise.resolve({ id, agentId: 'main' } as Session),
    carryTaint: (from, to) => void tainted.push(`${from.id} to ${to.id}`),
    subagents,
    inbox: {
      add(sessionId, kind, text) {
        said.push(`${kind} in ${sessionId}: ${text}`);
        return Promise.resolve({ id: '1', kind, text, createdAt: 0 });
      },
    },
    summaries: () => Promise.resolve([]),
    redact: (text) => text,
    currentTurn: () => undefined,
    startTurn: () => Promise.reject(new Error('no turn')),
    modelFor: () => ({}) as Model,
    signal: () => new AbortController().signal,
  });
  return { sessions, tainted, said, child: infos[0]! };
}

describe('text from outside', () => {
  it('counts as known to a started agent that is told something while it runs', async () => {
    const { sessions, tainted, said, child } = open();
    await sessions.steer(caller, child, 'Look there.');
    expect(tainted).toEqual(['chat to child']);
    expect(said).toEqual(['steer in child: Look there.']);
  });

  it('counts as known to whoever waits for a result, also past the agent in between', async () => {
    const { sessions, tainted } = open();
    await sessions.child(caller, 'grandchild').ended;
    expect(tainted).toEqual(['grandchild to chat']);
  });
});
