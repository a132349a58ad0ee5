import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../../src/contracts/agentEvent.ts';
import type { Session } from '../../../src/sessions/session.ts';
import type { TestRuntime } from '../../builders/openTestRuntime.ts';
import { startedSessions, textIn } from '../agents/agentWorld.ts';
import { calls, createActingModel, neverEnds } from './actingModel.ts';
import { golden, traceOf, transcriptOf, wordsOf } from './describe.ts';
import { openConversation, startTalk, talk } from './openConversation.ts';

const spawn = calls('sessions_spawn', { task: 'Write it down.', label: 'writer' }, 'spawn');
const write = calls('write', { path: 'new.md', content: 'x' }, 'write');
const done = { text: 'Done.' };

async function childOf(world: TestRuntime): Promise<Session> {
  const [child] = await startedSessions(world);
  if (child === undefined) throw new Error('No agent was started.');
  return child;
}

const resultIn = (events: readonly AgentEvent[]): string =>
  textIn(events.find((event) => event.type === 'tool_ended')?.result);

describe('an agent that was started by another', () => {
  it('fails by itself: the turn around it goes on, and each transcript says what happened in it', async () => {
    await using world = await openConversation();
    const error = { code: 'model_refused', message: 'I may not.' };
    const model = createActingModel([spawn, { error }, { text: 'It failed.' }]);
    const { outcome, events, turn } = await talk(world, 'go', model);
    expect(outcome).toEqual({ status: 'completed', text: 'It failed.' });
    expect(golden(events)).toEqual([
      'model: [spawn]',
      'start spawn',
      'end spawn (error)',
      'model: It failed.',
      'ended: completed',
    ]);
    expect(resultIn(events)).toContain('I may not.');
    expect(await transcriptOf(await childOf(world))).toEqual([
      'turn started',
      'user: Write it down.',
      'turn failed',
    ]);
    expect(world.runtime.conversations.subagents(world.session.id)).toMatchObject([{ state: 'failed' }]);
    expect((await traceOf(world, turn.runId)).at(-1)).toBe('completed');
  });

  it('asks under its name, and is answered in the turn around it', async () => {
    await using world = await openConversation({ answer: 'allow-once' });
    const model = createActingModel([spawn, write, { text: 'Written.' }, done]);
    const { events } = await talk(world, 'go', model);
    expect(golden(events)).toEqual([
      'model: [spawn]',
      'start spawn',
      'asks: agent "writer": Write new.md',
      'answered: allow-once',
      'writer: end write created new.md',
      'end spawn',
      'model: Done.',
      'ended: completed',
    ]);
    expect(existsSync(`${world.workspace}/new.md`)).toBe(true);
    const [info] = world.runtime.conversations.subagents(world.session.id);
    expect(await traceOf(world, info?.runId ?? '')).toContain('write approved by chat');
  });

  it('is answered in words by what the user says to the agent that started it', async () => {
    await using world = await openConversation();
    const model = createActingModel([spawn, write, { text: 'I left it.' }, { text: 'I see.' }]);
    const onEvent = ({ type }: AgentEvent): void => {
      if (type !== 'approval_requested') return;
      void world.runtime.conversations.inbox.add(world.session.id, 'steer', 'not now');
    };
    const { events } = await talk(world, 'go', model, { onEvent });
    expect(golden(events)).toEqual([
      'model: [spawn]',
      'start spawn',
      'asks: agent "writer": Write new.md',
      'answered: deny',
      'writer: end write (error)',
      'end spawn',
      'steered: not now (0 skipped)',
      'model: I see.',
      'ended: completed',
    ]);
    const child = model.asked[2]?.messages.map(wordsOf) ?? [];
    expect(child.at(-1)).toContain('answered in words, to the agent that started this one');
    expect(existsSync(`${world.workspace}/new.md`)).toBe(false);
  });

  it('changes files as a part of the turn around it, and they are brought back with it', async () => {
    await using world = await openConversation({
      answer: 'allow-once',
      config: { agents: { main: { subagents: { maxDepth: 2 } } } },
    });
    const { checkpoints } = world.runtime.turns;
    const file = `${world.workspace}/new.md`;
    const within = calls('sessions_spawn', { task: 'Let it be written.', label: 'lead' }, 'lead');
    const own = calls('write', { path: 'own.md', content: 'y' }, 'own');
    const model = createActingModel([within, spawn, write, { text: 'Written.' }, done, own, done]);
    const { events, turn } = await talk(world, 'go', model);
    expect(golden(events)).toContain('writer: end write created new.md');
    const list = await checkpoints.list();
    expect(list.map(({ id, sessionId }) => ({ id, sessionId }))).toEqual([
      { id: turn.runId, sessionId: world.session.id },
    ]);
    expect(list[0]?.files.map(({ label, status }) => `${status} ${label}`)).toEqual([
      'created new.md',
      'created own.md',
    ]);
    await checkpoints.restore(await checkpoints.planRestore(turn.runId));
    expect(existsSync(file)).toBe(false);
  });

  it('is cancelled with the turn around it, also while it asks: the question is gone and nothing is done', async () => {
    await using world = await openConversation();
    const { approvals, conversations } = world.runtime;
    const { turn } = await startTalk(world, 'go', createActingModel([spawn, write]));
    await expect.poll(() => approvals.pending()).toHaveLength(1);
    expect(conversations.stopTurn(world.session.id)).toBe(true);
    expect(await turn.outcome).toEqual({ status: 'cancelled' });
    await expect.poll(() => conversations.runningTurns()).toEqual([]);
    expect(approvals.pending()).toEqual([]);
    expect(existsSync(`${world.workspace}/new.md`)).toBe(false);
    for (const session of [world.session, await childOf(world)]) {
      const lines = await transcriptOf(session);
      expect(lines.at(-1)).toBe('turn cancelled');
      expect(session.messages().at(-1)?.role).toBe('toolResult');
    }
    expect(conversations.subagents(world.session.id)).toMatchObject([{ state: 'cancelled' }]);
  });

  it('is stopped alone: the turn around it reads that, and goes on', async () => {
    await using world = await openConversation();
    const { conversations } = world.runtime;
    const model = createActingModel([spawn, { text: 'I write …', during: neverEnds }, { text: 'I see.' }]);
    const { turn, events } = await startTalk(world, 'go', model);
    await expect.poll(() => model.asked.length).toBe(2);
    const child = await childOf(world);
    expect(conversations.running(child.id)?.session).toBe(child);
    expect(conversations.stopSubagent(child.id)).toBe(true);
    expect(await turn.outcome).toEqual({ status: 'completed', text: 'I see.' });
    expect(resultIn(events)).toContain('stopped');
    expect(conversations.stopSubagent(child.id)).toBe(false);
  });

  it('can be steered itself', async () => {
    await using world = await openConversation();
    const { inbox } = world.runtime.conversations;
    const model = createActingModel([
      spawn,
      { ...write, during: async () => inbox.add((await childOf(world)).id, 'steer', 'better not') },
      { text: 'Not written.' },
      done,
    ]);
    await talk(world, 'go', model);
    expect(model.asked[2]?.messages.map(wordsOf).at(-1)).toBe('better not');
    expect(await transcriptOf(await childOf(world))).toContain('user (steer): better not');
    expect(existsSync(`${world.workspace}/new.md`)).toBe(false);
  });
});
