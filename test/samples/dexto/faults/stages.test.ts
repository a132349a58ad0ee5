import { describe, expect, it } from 'vitest';
import type { ExtensionPoint } from '../../../../src/dexto/dextoTypes.ts';
import type { PointTurn } from '../points/pointSample.ts';
import { agentFileOf, openFaultWorld, type FaultWorld, type FaultyPlugin } from './openFaultWorld.ts';

const points = ['beforeLLMRequest', 'beforeToolCall', 'afterToolResult', 'beforeResponse'] as const;

/** What goes wrong, by the first word of the prompt; where, by the second one. */
const faults = {
  throw: { is: 'failed', says: String.raw`failed, so [^:]*: (?:broken at \w+|Error) \(index\.js:\d+\)` },
  hang: { is: 'timed-out', says: 'took longer than 5000 ms' },
  nothing: { is: 'failed', says: 'failed, so [^:]*: .*returned undefined in place of' },
} as const;

const body = `
  async at(point) {
    const [fault, where] = this.prompt.split(' ');
    if (where !== point) return { ok: true };
    if (fault === 'throw') throw new Error('broken at ' + point);
    if (fault === 'hang') await new Promise(() => {});
  }
  beforeLLMRequest({ text }) {
    this.prompt = text;
    return this.at('beforeLLMRequest');
  }
  ${points
    .slice(1)
    .map((point) => `${point}() { return this.at('${point}'); }`)
    .join('\n  ')}`;

const script = [{ toolCalls: [{ name: 'read', arguments: { path: 'notes.md' } }] }, { text: 'The answer.' }];

/** What comes of a turn where nothing stops anything. */
const whole = { sent: true, result: 'High water is at six.', shown: 'The answer.' };

/** What stays of it where a plugin stops it at a point. */
const stopped: Readonly<Record<ExtensionPoint, (why: string) => object>> = {
  beforeLLMRequest: () => ({ sent: false, result: undefined, shown: '' }),
  beforeToolCall: (why) => ({ ...whole, result: told(why, 'the call was not carried out') }),
  afterToolResult: (why) => ({ ...whole, result: told(why, 'the result is withheld') }),
  beforeResponse: (why) => ({ ...whole, shown: told(why, 'the answer is withheld') }),
};

/** Why, and what became of it, wherever they stand in the sentence. */
function told(why: string, consequence: string): unknown {
  return expect.stringMatching(new RegExp(`^(?=.*${why}).*${consequence}`, 'su'));
}

function comesTo({ asked, results, shown }: PointTurn): unknown {
  return { sent: asked.length > 0, result: results[0], shown };
}

describe.each(Object.entries(faults))('a plugin that has this fault: %s', (fault, { is, says }) => {
  it.each(points)('stops at %s where it is blocking, and no one else', async (point) => {
    const plugin: FaultyPlugin = { name: 'faulty', priority: 1, body };
    for (const blocking of [true, false]) {
      await using world = await openFaultWorld([{ ...plugin, blocking }], { speed: 100 });
      const turn = await world.say(`${fault} ${point}`, script);
      expect(comesTo(turn)).toEqual(blocking ? stopped[point](says) : whole);
      expect(turn.outcome.status).toBe(blocking && point === 'beforeLLMRequest' ? 'blocked' : 'completed');
      await expectTold(world, { point, is });
      // The next turn is none the worse for it.
      expect(comesTo(await world.say('go on', script))).toEqual(whole);
    }
  });
});

async function expectTold(
  world: FaultWorld,
  { point, is }: { point: ExtensionPoint; is: string },
): Promise<void> {
  const told = (await world.trace()).lines.flatMap((line) => (line.kind === 'point' ? [line] : []));
  expect(told.filter(({ outcome }) => outcome === is).map((line) => line.point)).toEqual([point]);
  expect(world.logged()).toContain(`error Dexto plugin faulty at ${point} failed`);
  const profile = world.plugin('faulty').dexto?.profile;
  expect(profile?.lastFailure?.point).toBe(point);
}

describe('a plugin that throws', () => {
  it.each([
    ['while its module runs', "throw new Error('broken');", 'could not be loaded: broken'],
    [
      'in its constructor',
      "export default class { constructor() { throw new Error('broken'); } }",
      'fails check 3',
    ],
    [
      'in initialize',
      "export default class { initialize() { throw new Error('broken'); } beforeResponse() {} }",
      'could not be initialized: broken',
    ],
  ])('%s stops the agent', async (_, code, says) => {
    await using world = await openFaultWorld([{ name: 'faulty', priority: 1, code }]);
    await world.restart();
    await expect(world.say('Hello')).rejects.toMatchObject({
      code: 'agent_stopped',
      message: expect.stringContaining(`plugin 'faulty' ${says}`) as unknown,
    });
  });

  it.each([
    ['throws', "throw new Error('broken');", 'broken'],
    ['hangs', 'return new Promise(() => {});', ''],
  ])('or %s in cleanup is told, and keeps no other from cleaning up', async (_, does, says) => {
    const tidy = (name: string, priority: number): FaultyPlugin => ({
      ...{ name, priority },
      body: `cleanup() { mark('${name} ends'); }\nbeforeResponse = () => ({ ok: true });`,
    });
    const plugins = [tidy('first', 1), tidy('faulty', 2), tidy('last', 3)];
    await using world = await openFaultWorld(plugins, { speed: 100 });
    // Start and end of the runtime take their real time, and a plugin that hangs all of what it may have.
    const faulty = `export default class { cleanup() { ${does} } beforeResponse = () => ({ ok: true }); }`;
    await world.save('.pincer/dexto/faulty/index.js', faulty);
    await world.agree();
    world.marks.splice(0);
    await world.runtime.workspace.reload();
    expect(world.marks).toEqual(['last ends', 'first ends']);
    expect(world.found('plugin_cleanup_failed')).toMatchObject([
      {
        level: 'warn',
        pluginId: 'dexto:faulty',
        message: expect.stringContaining(`cleanup of plugin 'faulty' failed: ${says}`) as unknown,
      },
    ]);
    expect((await world.say('Hello')).shown).toBe('Hi.');
    await world.save('.pincer/agent.yml', agentFileOf([tidy('first', 1)]));
  });
});
