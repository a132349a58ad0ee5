import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ModelRequest } from '../../../src/contracts/model.ts';
import type { Session } from '../../../src/sessions/session.ts';
import { findOrderFault } from '../../builders/findOrderFault.ts';
import { calls, createActingModel, works, type ActingAnswer, type ActingModel } from './actingModel.ts';
import { wordsOf } from './describe.ts';
import { readEntries, talk } from './openConversation.ts';
import { openHome, type Home, type Life } from './openHome.ts';

// Whatever the user, the model, the tools and the machine do through the whole runtime, over several lives of it: the transcript
// loads, models accept it, a turn goes on from it, and everything that was acknowledged is in it once or waits.

const actions = [
  'steer',
  'queue',
  'cancel',
  'die',
  'die soon',
  'compact',
  'fork',
  'rename',
  'remove a waiting one',
] as const;
type Action = (typeof actions)[number];
const things = ['a', 'b', 'c'] as const;
const moments = ['model 1', 'model 2', 'model 3', 'model 4', ...things] as const;

const answer: fc.Arbitrary<ActingAnswer> = fc.oneof(
  fc.constant({ text: 'Done.' }),
  fc.array(fc.constantFrom(...things), { minLength: 1, maxLength: 3 }).map((on) => works(...on)),
  fc.array(fc.constantFrom(...things), { minLength: 1, maxLength: 3 }).map((on) => works(...on)),
  fc
    .constantFrom('model_offline', 'model_context_overflow')
    .map((code) => ({ text: 'Cut', error: { code, message: 'No.' } })),
  fc.constant(calls('write', { path: 'x.md', content: 'x' })),
  fc.constant({ ...calls('sessions_spawn', { task: 'Look.' }), thinking: 'Hm.' }),
);
const deed: fc.Arbitrary<readonly Action[]> = fc.oneof(
  fc.array(fc.constantFrom(...actions), { maxLength: 2 }),
  fc.constantFrom<readonly Action[]>(['steer', 'die soon'], ['queue', 'die soon'], ['steer', 'queue']),
);
const life = fc.record({
  answers: fc.array(answer, { minLength: 1, maxLength: 5 }),
  at: fc.dictionary(fc.constantFrom(...moments), deed, { minKeys: 2 }),
  /** What still gets to the disk where it dies soon. */
  writesLeft: fc.integer({ min: 1, max: 6 }),
  approves: fc.constantFrom('allow-once' as const, 'deny' as const),
  ends: fc.constantFrom('crash', 'stop'),
});
type LifePlan = typeof life extends fc.Arbitrary<infer T> ? T : never;

/** What has been promised so far: each of these texts was acknowledged. */
interface Course {
  readonly home: Home;
  id: string | undefined;
  count: number;
  readonly waiting: Set<string>;
  readonly answered: string[];
}

it('any course of a conversation leaves a transcript that loads, replays and goes on', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(life, { minLength: 1, maxLength: 3 }), async (lives) => {
      await using home = await openHome();
      const course: Course = { home, id: undefined, count: 0, waiting: new Set(), answered: [] };
      for (const plan of lives) await live(course, plan);
      await expectSound(course);
    }),
    { numRuns: 25 },
  );
});

async function live(course: Course, plan: LifePlan): Promise<void> {
  const going: Promise<unknown>[] = [];
  const running: { world?: Life } = {};
  const act = async (moment: string): Promise<void> => {
    const { world } = running;
    if (world === undefined) return;
    const session = await sessionIn(world, course);
    const acting = carryOut(course, world, session, plan, moment);
    going.push(acting);
    await acting;
  };
  await using world = await course.home.open({ answer: plan.approves, work: act });
  running.world = world;
  const session = await sessionIn(world, course);
  course.id = session.id;
  const model = createCourseModel(plan.answers, act);
  for (const prompt of ['begin', 'go on']) {
    const { outcome } = await talk(world, prompt, model, { session });
    if (outcome.status === 'completed' && !world.isDead()) course.answered.push(outcome.text);
  }
  await Promise.all(going);
  for (const { messages } of model.asked) expect(findOrderFault(messages)).toBeUndefined();
  if (plan.ends === 'crash') await world.crash();
}

/** The session of the course in this life; there is none to go on with where the first one died before it was stored. */
async function sessionIn({ runtime, session }: Life, { id }: Course): Promise<Session> {
  return (id === undefined ? undefined : await runtime.conversations.sessions.open(id)) ?? session;
}

async function carryOut(
  course: Course,
  world: Life,
  session: Session,
  { at, writesLeft }: LifePlan,
  moment: string,
): Promise<void> {
  const { conversations } = world.runtime;
  for (const action of at[moment] ?? []) {
    if (action === 'steer' || action === 'queue') {
      const text = `words ${String((course.count += 1))}`;
      const kind = action === 'steer' ? 'steer' : 'followUp';
      // What a dead process is told, nobody has acknowledged.
      const added = await conversations.inbox.add(session.id, kind, text).catch(() => undefined);
      if (added !== undefined) course.waiting.add(text);
    }
    if (action === 'remove a waiting one') {
      const [first] = conversations.inbox.list(session.id);
      const isGone =
        first !== undefined && (await conversations.inbox.remove(session.id, first.id).catch(() => false));
      if (isGone) course.waiting.delete(first.text);
    }
    if (action === 'cancel') conversations.stopTurn(session.id);
    if (action === 'die') world.die();
    // In the middle of what is stored next.
    if (action === 'die soon') world.die(writesLeft);
    if (action === 'rename') await conversations.rename(session.id, 'A name').catch(() => undefined);
    if (action === 'fork') await conversations.fork(session.id).catch(() => undefined);
    if (action === 'compact')
      await conversations.compact(session, new AbortController().signal).catch(() => undefined);
  }
}

function createCourseModel(
  answers: readonly ActingAnswer[],
  act: (moment: string) => Promise<void>,
): ActingModel {
  const rest = [...answers];
  let asked = 0;
  const answer = (request: ModelRequest): ActingAnswer => {
    if (request.tools.length === 0) return { text: 'What happened so far.' };
    const moment = `model ${String((asked += 1))}`;
    return { ...(rest.shift() ?? { text: 'Done.' }), during: () => act(moment) };
  };
  return createActingModel(Array.from({ length: 60 }, () => answer));
}

/** A new life: all of it is there, and it goes on. */
async function expectSound({ home, id, waiting, answered }: Course): Promise<void> {
  await using after = await home.open();
  const { conversations } = after.runtime;
  const session = await conversations.sessions.open(id ?? '');
  if (session === undefined) {
    expect([[...waiting], answered]).toEqual([[], []]);
    return;
  }
  const entries = await readEntries(session);
  expect(entries.map(({ parentId }) => parentId)).toEqual([
    null,
    ...entries.slice(0, -1).map((each) => each.id),
  ]);
  expect(findOrderFault(session.messages())).toBeUndefined();
  const said = entries.flatMap((entry) => (entry.type === 'message' ? [entry.message] : []));
  const texts = said.filter((each) => each.role === 'user' && each.via !== undefined).map(wordsOf);
  const open = (await conversations.inbox.open(session.id)).map(({ text }) => text);
  expect([...texts, ...open].sort()).toEqual([...new Set([...texts, ...open])].sort());
  expect([...texts, ...open]).toEqual(expect.arrayContaining([...waiting]));
  expect(said.filter((each) => each.role === 'assistant').map(wordsOf)).toEqual(
    expect.arrayContaining(answered),
  );
  expect(await conversations.exportMarkdown(session.id)).toContain('begin');
  expect((await conversations.summaries()).map((each) => each.problem)).not.toContain(expect.any(String));
  const model = createCourseModel([], async () => undefined);
  const { outcome } = await talk(after, 'and now?', model, { session });
  expect(outcome).toMatchObject({ status: 'completed' });
  for (const { messages } of model.asked) expect(findOrderFault(messages)).toBeUndefined();
}
