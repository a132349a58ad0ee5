import { describe, expect, it } from 'vitest';
import type { AgentMessage } from '../../../src/contracts/message.ts';
import { openTestRuntime, type TestRuntime } from '../../builders/openTestRuntime.ts';
import { addModel, calls, resultsOf, spawns, startedSessions, textIn } from './agentWorld.ts';

const done = { text: 'Done.' };

describe('a started agent that has ended and is told to go on', () => {
  it('counts as running again, and ends with the turn that told it', async () => {
    await using world = await openTestRuntime({
      config: { model: 'replay/slow', agents: { main: { subagents: { maxChildren: 1 } } } },
    });
    addModel(world, 'slow', [{ text: 'Slow.', delayMs: 600_000 }]);
    await world.say('go', [spawns('One.'), done, spawns('Two.'), done, done]);
    const [two, one] = await startedSessions(world);
    const goOn = (sessionKey: string) => ({
      name: 'sessions_send',
      arguments: { sessionKey, message: 'Go on.', timeoutSeconds: 0 },
    });
    const turn = await world.say('again', [{ toolCalls: [goOn(one!.key), goOn(two!.key)] }, done]);
    const [first, second] = resultsOf(turn, 'sessions_send');
    expect(first).toMatchObject({ isError: false, details: { status: 'running' } });
    expect(textIn(second)).toContain('1 started agents run already, of this session.');
    await until(world, () => one?.interruptedTurn() === undefined);
    const states = one?.entries().flatMap((entry) => (entry.type === 'turn' ? [entry.state] : []));
    expect(states).toEqual(['started', 'completed', 'started', 'cancelled']);
  });
});

describe('text from outside', () => {
  const fetched: readonly AgentMessage[] = [
    { role: 'user', content: [{ type: 'text', text: 'Read the page. '.repeat(100) }], timestamp: 1 },
    {
      role: 'assistant',
      content: [{ type: 'toolCall', id: 'c', name: 'web_fetch', arguments: { url: 'https://a.example/' } }],
      provider: 'p',
      model: 'm',
      stopReason: 'toolUse',
      timestamp: 2,
    },
    {
      role: 'toolResult',
      toolCallId: 'c',
      toolName: 'web_fetch',
      content: [{ type: 'text', text: 'A page.' }],
      isError: false,
      timestamp: 3,
    },
  ];

  it('counts after a restart also where it was compacted, since the summary may repeat it', async () => {
    await using world = await openTestRuntime({ answer: 'deny' });
    for (const message of fetched) await world.session.append(message);
    await world.session.compact({
      summary: 'The page says something.',
      firstKeptId: null,
      by: 'user',
      model: { provider: 'p', model: 'm' },
      tokensBefore: 100,
      tokensAfter: 10,
      compactedCount: 3,
      timestamp: 4,
    });
    const turn = await world.say('go on', [calls('web_fetch', { url: 'https://b.example/?k=1' }), done]);
    const asked = turn.events.flatMap((event) =>
      event.type === 'approval_requested' ? [event.request.description] : [],
    );
    expect(asked).toEqual([expect.stringContaining('holds text that is not yours')]);
  });
});

describe('the time of a turn', () => {
  it('stands while a question of an agent that it has started waits', async () => {
    await using world = await openTestRuntime({
      speed: 30,
      config: { agent: { limits: { maxMinutes: 1 } } },
    });
    const { approvals, host } = world.runtime;
    approvals.onDidChange(() => {
      const [first] = approvals.pending();
      if (first !== undefined) host.clock.after(90_000, () => approvals.resolve(first.id, 'deny', 'chat'));
    });
    const turn = await world.say('go', [
      spawns('Write.'),
      calls('write', { path: 'new.md', content: 'x' }),
      done,
      { text: 'All done.' },
    ]);
    expect(turn.outcome).toEqual({ status: 'completed', text: 'All done.' });
  });
});

/** Looks again whenever a session changed, and once now. */
async function until({ runtime }: TestRuntime, isSo: () => boolean): Promise<void> {
  while (!isSo()) {
    await new Promise<void>((resolve) => {
      const listener = runtime.conversations.sessions.onDidChange(() => {
        listener.dispose();
        resolve();
      });
    });
  }
}
