import { describe, expect, it } from 'vitest';
import type { ModelEvent } from '../../../../src/contracts/model.ts';
import type { BeforeResponsePayload, DextoPlugin } from '../../../../src/dexto/dextoTypes.ts';
import { readyPlugin } from '../../../builders/openExtensionPoints.ts';
import { openTurnWorld, type TurnAnswer, type TurnWorld } from '../../../builders/openTurnWorld.ts';

// beforeResponse: after OpenClaw plugins have seen the answer, before anything of it is shown or stored.

type Method = NonNullable<DextoPlugin['beforeResponse']>;

const responder = (beforeResponse: Method, name = 'responder') => readyPlugin(name, { beforeResponse });
/** Takes `w2x4` out of what is said, and out of what was thought where that is asked for. */
const redact =
  (field: 'content' | 'both'): Method =>
  (payload) => ({
    ok: true,
    modify: {
      content: payload.content.replaceAll('w2x4', '****'),
      ...(field === 'both' ? { reasoning: payload.reasoning?.replaceAll('w2x4', '****') } : {}),
    },
  });
const text = (value: string): ModelEvent => ({ type: 'text', text: value });
const thought = (value: string): readonly ModelEvent[] => [
  { type: 'thinking', text: value },
  { type: 'thinkingEnd', signature: `sealed ${value}` },
];
const usage = { input: 12, output: 3 };
const done: ModelEvent = { type: 'done', stopReason: 'stop', usage };
const call: readonly ModelEvent[] = [
  { type: 'toolCall', id: 'a', name: 'work', arguments: { on: 'a' } },
  { type: 'done', stopReason: 'toolUse', usage },
];
const events = (...parts: readonly (ModelEvent | readonly ModelEvent[])[]): TurnAnswer => ({
  events: parts.flat(),
});
/** Everything that was shown, in order. */
const shown = (world: TurnWorld): string =>
  world.events
    .map((event) => (event.type === 'text' || event.type === 'thinking' ? event.text : ''))
    .join('|');

describe('beforeResponse', () => {
  it('gets the answer with its thought, model and tokens', async () => {
    const seen: BeforeResponsePayload[] = [];
    const spy = responder((payload) => {
      seen.push(payload);
      return { ok: true };
    });
    await using world = await openTurnWorld({
      dexto: [spy],
      answers: [events(thought('hm'), text('The tide '), text('turns.'), done)],
    });
    expect(await world.say('when?')).toEqual({ status: 'completed', text: 'The tide turns.' });
    const sessionId = world.session.id;
    expect(seen).toEqual([
      {
        content: 'The tide turns.',
        reasoning: 'hm',
        provider: 'p',
        model: 'm',
        tokenUsage: { input: 12, output: 3 },
        sessionId,
      },
    ]);
  });

  it('holds text until it is judged, however it was streamed, and shows no thought', async () => {
    await using world = await openTurnWorld({
      dexto: [responder(redact('content'))],
      answers: [events(thought('it is w2x4'), text('the key is w2'), text('x4!'), done)],
      at: { 'model 1': () => expect(shown(world)).toBe('') },
    });
    expect(await world.say('key?')).toEqual({ status: 'completed', text: 'the key is ****!' });
    expect(world.events.flatMap((event) => (event.type === 'text' ? [event.text] : []))).toEqual([
      'the key is ****!',
    ]);
    expect(JSON.stringify(world.events)).not.toContain('w2x4');
    expect(await world.stored()).not.toContain('w2x4');
    expect(world.transcript()).toEqual(['user: key?', 'assistant: the key is ****!']);
  });

  it('shows text at once where no such plugin is there', async () => {
    await using world = await openTurnWorld({
      dexto: [],
      answers: [events(thought('hm'), text('one'), text('two'), done)],
    });
    await world.say('go');
    expect(shown(world).replace(/\|+/gu, '|')).toBe('|hm|one|two|');
  });

  it('comes after message_sending and before before_message_write', async () => {
    const order: string[] = [];
    await using world = await openTurnWorld({
      dexto: [
        responder(({ content }) => {
          order.push(`beforeResponse ${content}`);
          return { ok: true, modify: { content: `${content} b` } };
        }),
      ],
    });
    world.on('message_sending', ({ content }) => {
      order.push(`message_sending ${content}`);
      return { content: `${content} a` };
    });
    world.on('before_message_write', ({ message }) => {
      if (message.role === 'assistant') order.push(`before_message_write ${JSON.stringify(message.content)}`);
      return undefined;
    });
    world.on('message_sent', ({ content }) => void order.push(`message_sent ${content}`));
    expect(await world.say('go')).toEqual({ status: 'completed', text: 'Done. a b' });
    expect(order).toEqual([
      'message_sending Done.',
      'beforeResponse Done. a',
      'before_message_write [{"type":"text","text":"Done. a b"}]',
      'message_sent Done. a b',
    ]);
  });

  it('keeps a changed thought without its seal, and none that may hold what was taken out', async () => {
    const answer = events(thought('it is w2x4'), text('the key is w2x4'), done);
    await using both = await openTurnWorld({ dexto: [responder(redact('both'))], answers: [answer] });
    await both.say('key?');
    expect(both.session.messages().at(-1)?.content).toEqual([
      { type: 'thinking', thinking: 'it is ****' },
      { type: 'text', text: 'the key is ****' },
    ]);
    await using one = await openTurnWorld({ dexto: [responder(redact('content'))], answers: [answer] });
    await one.say('key?');
    expect(one.session.messages().at(-1)?.content).toEqual([{ type: 'text', text: 'the key is ****' }]);
  });

  it('judges what is said beside calls: it is stored as changed, and the model keeps the thoughts it needs', async () => {
    await using world = await openTurnWorld({
      dexto: [responder(redact('both'))],
      answers: [events(thought('it is w2x4'), text('first w2x4'), call), 'Done.'],
    });
    await world.say('go');
    expect(await world.stored()).not.toContain('w2x4');
    expect(JSON.stringify(world.events)).not.toContain('w2x4');
    expect(world.transcript()).toEqual([
      'user: go',
      'assistant: first **** [a]',
      'a: did a',
      'assistant: Done.',
    ]);
    expect(world.asked[1]?.messages[1]?.content).toEqual([
      { type: 'thinking', thinking: 'it is w2x4', thinkingSignature: 'sealed it is w2x4' },
      { type: 'text', text: 'first ****' },
      expect.objectContaining({ type: 'toolCall', id: 'a' }),
    ]);
  });

  it('is asked about thoughts beside calls, and not about calls alone', async () => {
    const seen: string[] = [];
    const spy = responder(({ content, reasoning }) => {
      seen.push(`${reasoning ?? '-'}/${content}`);
      return { ok: true };
    });
    await using world = await openTurnWorld({
      dexto: [spy],
      answers: [['a'], events(thought('hm'), call), events(done)],
    });
    await world.say('go');
    expect(seen).toEqual(['hm/', '-/']);
  });

  it('puts the words of a plugin that blocks in place of the answer, and keeps nothing of it', async () => {
    const after: string[] = [];
    await using world = await openTurnWorld({
      dexto: [
        responder(({ content }) => ({ ok: true, modify: { content: `${content}?` } })),
        responder(() => ({ ok: false, cancel: true, message: 'That stays secret.' }), 'censor'),
        responder(({ content }) => {
          after.push(content);
          return { ok: true };
        }),
      ],
      answers: [events(thought('it is w2x4'), text('it is w2x4'), done)],
    });
    expect(await world.say('key?')).toEqual({
      ...{ status: 'completed', text: 'That stays secret.' },
      stoppedBy: { pluginId: 'censor', httpStatus: 403, code: 'PLUGIN_BLOCKED_EXECUTION' },
    });
    expect(shown(world)).toContain('That stays secret.');
    expect(world.transcript()).toEqual(['user: key?', 'assistant: That stays secret.']);
    const told = [world.events, await world.stored(), await world.traced(), world.log.lines];
    expect(JSON.stringify(told)).not.toContain('w2x4');
    expect(after).toEqual([]);
  });

  it('blocks what is said beside calls alone: the calls are carried out', async () => {
    await using world = await openTurnWorld({
      dexto: [
        responder(({ content }) =>
          content.includes('w2x4') ? { ok: false, cancel: true, message: 'Not that.' } : { ok: true },
        ),
      ],
      answers: [events(thought('it is w2x4'), text('it is w2x4'), call), 'Done.'],
    });
    expect(await world.say('go')).toEqual({ status: 'completed', text: 'Done.' });
    expect(world.transcript()).toEqual([
      'user: go',
      'assistant: Not that. [a]',
      'a: did a',
      'assistant: Done.',
    ]);
    expect(JSON.stringify([world.events, await world.stored()])).not.toContain('w2x4');
  });

  it('keeps nothing of an answer that broke off before it was judged', async () => {
    await using world = await openTurnWorld({
      dexto: [responder(redact('content'))],
      answers: [events(text('the key is w2x4'), text('and'), text('so'))],
      at: { 'model 1': ({ cancel }) => cancel() },
    });
    expect(await world.say('key?')).toEqual({ status: 'cancelled' });
    expect(await world.stored()).not.toContain('w2x4');
    expect(shown(world)).not.toContain('w2x4');
  });

  it('keeps nothing of an answer whose judging was cancelled', async () => {
    await using world = await openTurnWorld({
      dexto: [
        responder(() => {
          world.cancel();
          return new Promise(() => undefined);
        }),
      ],
      answers: ['the key is w2x4'],
    });
    expect(await world.say('key?')).toEqual({ status: 'cancelled' });
    expect(JSON.stringify([await world.stored(), world.events])).not.toContain('w2x4');
  });

  it('judges what a plugin says in place of the model', async () => {
    await using world = await openTurnWorld({ dexto: [responder(redact('content'))] });
    world.on('before_agent_reply', () => ({ handled: true, reply: 'it is w2x4' }));
    expect(await world.say('key?')).toEqual({ status: 'completed', text: 'it is ****' });
  });
});
