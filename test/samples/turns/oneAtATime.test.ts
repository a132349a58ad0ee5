import { describe, expect, it } from 'vitest';
import { createHeldModel } from '../../builders/createHeldModel.ts';
import { openTestRuntime } from '../../builders/openTestRuntime.ts';

const answer = ['wait', { type: 'text', text: 'Yes.' }, { type: 'done', stopReason: 'stop' }] as const;

describe('two turns of one session, as from two panels', () => {
  it('run one after the other, and the second one is known as running when the first has ended', async () => {
    await using world = await openTestRuntime();
    const [model, next] = [createHeldModel([answer]), createHeldModel([['wait']])];
    const first = world.say('first', [], { model });
    await model.isWaiting;
    const second = world.say('second', [], { model: next });
    await counted(world.runtime, 2);
    model.release();
    expect((await first).outcome.status).toBe('completed');
    await next.isWaiting;
    expect(world.runtime.conversations.stopTurn(world.session.id)).toBe(true);
    expect((await second).outcome).toEqual({ status: 'cancelled' });
    expect(world.session.messages().map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
  });

  it('can be cancelled while the second one waits', async () => {
    await using world = await openTestRuntime();
    const model = createHeldModel([answer]);
    const first = world.say('first', [], { model });
    await model.isWaiting;
    const cancel = new AbortController();
    const second = world.say('second', [], { model, signal: cancel.signal });
    const refused = expect(second).rejects.toMatchObject({ code: 'cancelled' });
    await counted(world.runtime, 2);
    cancel.abort();
    await refused;
    model.release();
    expect((await first).outcome.status).toBe('completed');
    expect(world.session.messages()).toHaveLength(2);
  });
});

/** Resolves when so many turns have begun or wait to. */
async function counted(
  { workspace, turns: running }: Awaited<ReturnType<typeof openTestRuntime>>['runtime'],
  turns: number,
): Promise<void> {
  while (running.running() < turns) {
    await new Promise<void>((resolve) => {
      const listener = workspace.onDidChange(() => {
        listener.dispose();
        resolve();
      });
    });
  }
}
