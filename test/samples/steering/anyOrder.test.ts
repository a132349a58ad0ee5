import fc from 'fast-check';
import { expect, it } from 'vitest';
import { PincerError } from '../../../src/base/errors.ts';
import type { AgentMessage } from '../../../src/contracts/message.ts';
import { findOrderFault } from '../../builders/findOrderFault.ts';
import { openTurnWorld, type TurnAnswer, type TurnWorld } from '../../builders/openTurnWorld.ts';

// Whatever the user, the model, the tools and the machine do, and in whichever order: the conversation stays one that models
// accept, on disk too, and everything the user said is in it once or waits to be read.

const actions = ['steer', 'queue', 'cancel', 'yield', 'crash', 'nothing'] as const;
type Action = (typeof actions)[number];

const answer: fc.Arbitrary<TurnAnswer> = fc.oneof(
  fc.constant('Done.'),
  fc.constant('Done.'),
  // Ids come again in later answers, and twice in one: some servers number them anew.
  fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 3 }),
  fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 3 }),
  fc
    .constantFrom('model_offline', 'model_context_overflow')
    .map((code) => ({ fails: new PincerError(code, 'No.') })),
  fc.constant({ events: [{ type: 'text' as const, text: 'cut off' }] }),
);
const moments = ['model 1', 'model 2', 'model 3', 'call a', 'call b', 'call c', 'ask'] as const;
const course = fc.record({
  answers: fc.array(answer, { minLength: 1, maxLength: 5 }),
  at: fc.record(
    Object.fromEntries(
      moments.map((moment) => [moment, fc.array(fc.constantFrom(...actions), { maxLength: 3 })]),
    ),
  ),
  asks: fc.boolean(),
  revises: fc.boolean(),
});

it('any sequence of user, model, tool, cancel and crash leaves a conversation that loads and goes on', async () => {
  await fc.assert(
    fc.asyncProperty(course, async ({ answers, at, asks, revises }) => {
      let count = 0;
      /** What `add` has acknowledged. */
      const said: string[] = [];
      const going: Promise<void>[] = [];
      const act = async (world: TurnWorld, action: Action): Promise<void> => {
        const text = `words ${String((count += 1))}`;
        if (action === 'steer') await world.steer(text).then(() => said.push(text));
        if (action === 'queue') await world.queue(text).then(() => said.push(text));
        if (action === 'cancel') world.cancel();
        if (action === 'yield') world.yieldNow();
        if (action === 'crash') await expectSound(world, said);
      };
      await using world = await openTurnWorld({
        answers,
        asks,
        at: Object.fromEntries(
          moments.map((moment) => [
            moment,
            (there: TurnWorld) => {
              const acting = (async () => {
                for (const action of at[moment] ?? []) await act(there, action);
                if (moment === 'ask') there.answer('allow-once');
              })();
              going.push(acting);
              return acting;
            },
          ]),
        ),
      });
      if (revises) world.on('before_agent_finalize', () => ({ action: 'revise', reason: 'Again.' }));
      await world.say('begin');
      await world.say('go on');
      // A turn that was cancelled does not wait for what still happens beside it.
      await Promise.all(going);
      for (const request of world.asked) expect(findOrderFault(request.messages)).toBeUndefined();
      await expectSound(world, said);
    }),
    { numRuns: 50 },
  );
});

/** The disk as it is now: it loads, a model accepts it, and everything said is in it once or waits. */
async function expectSound(world: TurnWorld, said: readonly string[]): Promise<void> {
  const acknowledged = [...said];
  expect(findOrderFault(world.session.messages())).toBeUndefined();
  await using after = await world.reopen();
  expect(findOrderFault(after.session.messages())).toBeUndefined();
  const waiting = after.inbox.list(after.session.id).map((each) => each.text);
  const entered = after.session.messages().flatMap(wordsOf);
  const found = [...entered, ...waiting];
  expect(new Set(found).size).toBe(found.length);
  expect(found).toEqual(expect.arrayContaining(acknowledged));
  await after.say('after the crash');
  for (const request of after.asked) expect(findOrderFault(request.messages)).toBeUndefined();
}

function wordsOf(message: AgentMessage): string[] {
  if (message.role !== 'user' || message.via === undefined) return [];
  return message.content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
}
