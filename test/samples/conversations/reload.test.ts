import { describe, expect, it } from 'vitest';
import type { TestRuntime } from '../../builders/openTestRuntime.ts';
import { calls, createActingModel, neverEnds, type ActingAnswer } from './actingModel.ts';
import { openConversation, startTalk, talk, type EndedTalk } from './openConversation.ts';

const spawn = calls('sessions_spawn', { task: 'Look.', label: 'look' });
const counter = { counter: "module.exports = () => void mark('loaded');" };
const loads = ({ marks }: TestRuntime): number => marks.filter((mark) => mark === 'loaded').length;

/** A turn whose started agent does something while it runs. */
async function talkWhile(world: TestRuntime, during: () => unknown): Promise<EndedTalk> {
  const child: ActingAnswer = { text: 'Found.', during };
  return await talk(world, 'go', createActingModel([spawn, child, { text: 'Done.' }]));
}

describe('while a started agent runs', () => {
  it('a reload waits for the turns and then happens: neither holds up the other', async () => {
    await using world = await openConversation({ global: counter });
    const before = loads(world);
    let reloading: Promise<void> | undefined;
    let meanwhile = 0;
    const { outcome } = await talkWhile(world, async () => {
      reloading = world.runtime.workspace.reload();
      // What happens at once comes after all that was begun before it.
      await world.runtime.workspace.update({ folders: [], isTrusted: true });
      meanwhile = loads(world);
    });
    expect(meanwhile).toBe(before);
    expect(outcome).toEqual({ status: 'completed', text: 'Done.' });
    await reloading;
    expect(loads(world)).toBe(before + 1);
  });

  it('an agent that is started after a reload was asked for does not wait for it', async () => {
    await using world = await openConversation({ global: counter });
    let reloading: Promise<void> | undefined;
    const first: ActingAnswer = {
      ...spawn,
      during: () => void (reloading = world.runtime.workspace.reload()),
    };
    const model = createActingModel([first, { text: 'Found.' }, { text: 'Done.' }]);
    expect((await talk(world, 'go', model)).outcome).toEqual({ status: 'completed', text: 'Done.' });
    await reloading;
  });

  it('a plugin is switched at once, from within the turn', async () => {
    await using world = await openConversation({ global: counter });
    const { outcome } = await talkWhile(world, () => world.runtime.plugins.setEnabled('counter', false));
    expect(outcome).toEqual({ status: 'completed', text: 'Done.' });
    expect(world.runtime.plugins.plugins().find(({ id }) => id === 'counter')).toMatchObject({
      status: 'disabled',
    });
  });

  it('trust that is gained counts at once: no turn begins without the guards of the agent file', async () => {
    const guard = 'plugins: { contentPolicy: { priority: 1, blockedWords: [hunter2] } }';
    await using world = await openConversation({ isTrusted: false, files: { '.pincer/agent.yml': guard } });
    const { runtime, workspace: folder } = world;
    const others: unknown[] = [];
    const ask = async (): Promise<void> => {
      const session = runtime.conversations.create();
      const other = await talk(world, 'hunter2', createActingModel([{ text: 'Heard.' }]), { session });
      others.push(other.outcome.status);
    };
    const during = async (): Promise<void> => {
      await ask();
      await runtime.workspace.update({ folders: [folder], isTrusted: true });
      await ask();
    };
    const { outcome } = await talk(world, 'go', createActingModel([{ text: 'Done.', during }]));
    expect(outcome.status).toBe('completed');
    expect(others).toEqual(['completed', 'blocked']);
  });

  it('a folder that is lost is lost at once', async () => {
    await using world = await openConversation();
    const { outcome } = await talkWhile(world, () =>
      world.runtime.workspace.update({ folders: [], isTrusted: true }),
    );
    expect(outcome).toEqual({ status: 'completed', text: 'Done.' });
    expect(world.runtime.workspace.folders()).toEqual([]);
  });

  it('the loss of trust ends it and the turn around it, whoever asks at that moment', async () => {
    await using world = await openConversation();
    const { runtime } = world;
    const write = calls('write', { path: 'new.md', content: 'x' });
    const { turn } = await startTalk(world, 'go', createActingModel([spawn, write]));
    await expect.poll(() => runtime.approvals.pending()).toHaveLength(1);
    await runtime.workspace.update({ folders: [world.workspace], isTrusted: false });
    expect(await turn.outcome).toEqual({ status: 'cancelled' });
    await expect.poll(() => runtime.turns.running()).toBe(0);
    expect(runtime.approvals.pending()).toEqual([]);
  });

  it('the runtime stops in time, and both turns can be resumed', async () => {
    await using world = await openConversation();
    const model = createActingModel([spawn, { text: 'I look …', during: neverEnds }]);
    const { turn } = await startTalk(world, 'go', model);
    await expect.poll(() => model.asked.length).toBe(2);
    const [child] = world.runtime.conversations.subagents(world.session.id);
    await world.runtime.stop('shutdown');
    expect(await turn.outcome).toEqual({ status: 'cancelled' });
    const sessions = [world.session, await world.runtime.conversations.sessions.open(child?.sessionId ?? '')];
    for (const session of sessions) expect(session?.interruptedTurn()).toBeDefined();
  });
});
