import { describe, expect, it } from 'vitest';
import type { Model } from '../../contracts/model.ts';
import { createScriptedModel, openContextWorld } from '../../../test/builders/openContextWorld.ts';
import { says, user } from '../../../test/builders/transcriptLines.ts';

const summary = { text: 'Short.' };
/** About so many tokens: each word is one. */
const long = (tokens: number): string => 'word '.repeat(tokens);

describe('use', () => {
  const info = createScriptedModel([], { cost: { input: 1, output: 10 } }).info;

  it("corrects the next estimate by the server's count", async () => {
    await using world = await openContextWorld({ messages: [user(long(1_000))] });
    const model = createScriptedModel([summary]);
    const request = world.request(model);
    // The server counts 2,900 where we estimate about 1,010.
    world.manager.noteAnswer(model.info, request, says('ok', { input: 2_900, output: 10 }));
    await world.say(says('ok'), user(long(150)));
    expect(await world.manager.makeRoom(world.request(model))).toBe('compacted');
  });

  it('counts turn and session, and says what is estimated or has no known price', async () => {
    await using world = await openContextWorld({ messages: [user('hello')] });
    const { manager } = world;
    const request = world.request(createScriptedModel([], info));
    expect(manager.use(info).turn).toBeUndefined();
    manager.beginTurn();
    manager.noteAnswer(info, request, says('hi', { input: 1_000, output: 100 }));
    expect(manager.use(info)).toMatchObject({
      context: { tokens: 1_100, isEstimated: false },
      turn: { calls: 1, cost: 0.002, isCostPartial: false, isEstimated: false },
    });
    manager.beginTurn();
    const { cost: _unknown, ...unpriced } = info;
    manager.noteAnswer(unpriced, request, says('hi'));
    expect(manager.use(info)).toMatchObject({
      context: { isEstimated: true },
      turn: { calls: 1, cost: 0, isCostPartial: true, isEstimated: true },
      session: { calls: 2, cost: 0.002, isCostPartial: true, isEstimated: true },
    });
  });

  it('counts earlier turns, too, by a price that was entered since', async () => {
    const priced = createScriptedModel([], { cost: { input: 1, output: 10 } });
    const models: Record<string, Model> = { 'p/m': createScriptedModel([]) };
    await using world = await openContextWorld({
      messages: [user('hello'), says('hi', { input: 1_000, output: 100 })],
      models,
    });
    expect(world.manager.use(info).session).toMatchObject({ cost: 0, isCostPartial: true });
    world.manager.beginTurn();
    const { cost: _unknown, ...unpriced } = info;
    world.manager.noteAnswer(
      unpriced,
      world.request(createScriptedModel([])),
      says('hi', { input: 2_000, output: 200 }),
    );
    await world.say(says('hi', { input: 2_000, output: 200 }));
    models['p/m'] = priced;
    expect(world.manager.use(info)).toMatchObject({
      turn: { calls: 1, cost: 0.004, isCostPartial: false },
      session: { calls: 2, cost: 0.006, isCostPartial: false },
    });
  });

  it('reads a session that is taken up again from its transcript', async () => {
    await using world = await openContextWorld({
      messages: [user('hello'), says('hi', { input: 700, output: 20 }), user(long(100))],
    });
    expect(world.manager.use(info)).toMatchObject({
      // 720 counted, and 4 and 100 estimated for what came after.
      context: { tokens: 824, isEstimated: true },
      session: { calls: 1, input: 700, output: 20, isCostPartial: true },
    });
  });
});

describe('a server that cuts requests in silence', () => {
  const model = createScriptedModel([]);

  it('is told to the user, once', async () => {
    await using world = await openContextWorld({ messages: [user(long(2_500))] });
    const request = world.request(model);
    world.manager.noteAnswer(model.info, request, says('hm?', { input: 1_024, output: 5 }));
    world.manager.noteAnswer(model.info, request, says('hm?', { input: 1_024, output: 5 }));
    expect(world.events).toEqual([
      {
        type: 'notice',
        text: expect.stringContaining('M says that it read 1k of about 2.5k tokens') as string,
      },
    ]);
    // Its count does not make the next request look small.
    expect(world.manager.use(model.info).context).toMatchObject({ isEstimated: true });
  });

  it('is not suspected of a short request, a whole count or none', async () => {
    await using world = await openContextWorld({ messages: [user(long(2_500))] });
    const short = world.request(model, { messages: [user(long(1_000))] });
    world.manager.noteAnswer(model.info, short, says('ok', { input: 100, output: 5 }));
    world.manager.noteAnswer(model.info, world.request(model), says('ok', { input: 2_000, output: 5 }));
    world.manager.noteAnswer(model.info, world.request(model), says('ok', { input: 0, output: 5 }));
    world.manager.noteAnswer(model.info, world.request(model), says('ok'));
    expect(world.events).toEqual([]);
  });
});
