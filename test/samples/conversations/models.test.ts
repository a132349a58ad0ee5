import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../../src/contracts/agentEvent.ts';
import {
  startScriptedModelServer,
  statusAnswer,
  textAnswer,
  toolCallAnswer,
  type ScriptedModelServer,
} from '../../builders/scriptedModelServer.ts';
import type { TestRuntime } from '../../builders/openTestRuntime.ts';
import { createActingModel, works } from './actingModel.ts';
import { golden, traceOf } from './describe.ts';
import { openConversation, readEntries, talk } from './openConversation.ts';

let first: ScriptedModelServer;
let second: ScriptedModelServer;
beforeEach(async () => {
  [first, second] = await Promise.all([startScriptedModelServer(), startScriptedModelServer()]);
});
afterEach(async () => {
  await Promise.all([first.dispose(), second.dispose()]);
});

/** Retries wait 3 s in all; a model that has said nothing after 60 s, here 12, is given up. */
const speed = 5;

const openTwo = (agent: object): Promise<TestRuntime> =>
  openConversation({
    speed,
    config: { agent, models: { providers: { first: provider(first), second: provider(second) } } },
  });
const provider = ({ baseUrl }: ScriptedModelServer) => ({
  api: 'openai-compatible',
  baseUrl,
  models: [{ id: 'scripted' }],
});
const sayTo = (world: TestRuntime, name: string, prompt: string) =>
  talk(world, prompt, world.runtime.models.resolve(name));
const ofType = <T extends AgentEvent['type']>(events: readonly AgentEvent[], type: T) =>
  events.filter((event): event is Extract<AgentEvent, { type: T }> => event.type === type);

describe('a model that can not answer', () => {
  it('is followed by its fallback, once told; tools, transcript and trace are those of the one that answers', async () => {
    first.answerAll(() => statusAnswer(500, 'broken'));
    second.script(toolCallAnswer([{ id: 'a', name: 'work', arguments: { on: 'it' } }]), textAnswer('Aye.'));
    await using world = await openTwo({ fallbacks: ['second/scripted'] });
    const { events, outcome, turn } = await sayTo(world, 'first/scripted', 'hi');
    expect(outcome).toEqual({ status: 'completed', text: 'Aye.' });
    expect(golden(events)).toEqual([
      'fallback to second/scripted: model_unavailable',
      'model: [a]',
      'start a',
      'end a',
      'model: Aye.',
      'ended: completed',
    ]);
    const answers = (await readEntries(world.session)).flatMap((entry) =>
      entry.type === 'message' && entry.message.role === 'assistant' ? [entry.message.provider] : [],
    );
    expect(answers).toEqual(['second', 'second']);
    expect(await traceOf(world, turn.runId)).toContain('fallback to second/scripted');
  });

  it('is asked again first, and told so, where the server says when', async () => {
    first.script(statusAnswer(429, 'slow down', { 'retry-after': '1' }), textAnswer('Here.'));
    await using world = await openTwo({ fallbacks: ['second/scripted'] });
    const { events, outcome } = await sayTo(world, 'first/scripted', 'hi');
    expect(outcome).toEqual({ status: 'completed', text: 'Here.' });
    expect(ofType(events, 'model_retry')).toMatchObject([
      { attempt: 1, waitMs: 1_000, because: { code: 'model_rate_limited' } },
    ]);
    expect(second.requests).toEqual([]);
  });

  it('has the fallbacks of its agent in place of the general ones', async () => {
    first.answerAll(() => statusAnswer(402, 'no credit'));
    second.answerAll(() => textAnswer('Aye.'));
    await using world = await openConversation({
      speed,
      config: {
        agent: { fallbacks: ['second/scripted'] },
        agents: { strict: { fallbacks: [] } },
        models: { providers: { first: provider(first), second: provider(second) } },
      },
    });
    const session = world.runtime.conversations.create('strict');
    const model = world.runtime.models.resolve('first/scripted');
    const { outcome } = await talk(world, 'hi', model, { session });
    expect(outcome).toMatchObject({ status: 'failed', code: 'model_quota' });
    expect(second.requests).toEqual([]);
  });
});

describe('thoughts and images', () => {
  it('a thought is shown, kept and given back to the model as it was', async () => {
    await using world = await openConversation();
    const model = createActingModel([
      { ...works('a'), thinking: [{ text: 'Hm.', signature: 'seal' }] },
      { text: 'Done.' },
      { text: 'Again.' },
    ]);
    const { events } = await talk(world, 'think', model);
    expect(ofType(events, 'thinking').map(({ text }) => text)).toEqual(['Hm.']);
    await talk(world, 'more', model);
    const thought = { type: 'thinking', thinking: 'Hm.', thinkingSignature: 'seal' };
    for (const request of model.asked.slice(1))
      expect(request.messages[1]).toMatchObject({ content: [thought, { type: 'toolCall' }] });
  });

  const image = { type: 'image', data: 'aGk=', mimeType: 'image/png' } as const;

  it('an image reaches a model that sees, in later turns too', async () => {
    await using world = await openConversation();
    const model = createActingModel([{ text: 'A cat.' }, { text: 'Still.' }], { imageInput: true });
    await talk(world, 'what is it?', model, { attachments: [image] });
    await talk(world, 'sure?', model);
    for (const request of model.asked)
      expect(request.messages[0]?.content).toEqual(expect.arrayContaining([image]));
  });

  it('a model that does not see is told that there is one, and so is the user, once', async () => {
    await using world = await openConversation();
    const model = createActingModel([works('a'), { text: 'I see nothing.' }]);
    const { events } = await talk(world, 'what is it?', model, { attachments: [image] });
    expect(ofType(events, 'notice')).toHaveLength(1);
    expect(JSON.stringify(model.asked)).not.toContain('aGk=');
    expect(JSON.stringify(await readEntries(world.session))).toContain('aGk=');
  });
});
