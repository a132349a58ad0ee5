import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { expectedRequests } from '../../../test/builders/expectedRequests.ts';
import { answer, image, look, result, seal, user } from '../../../test/builders/modelMessages.ts';
import {
  modelApis,
  openLibraryModel,
  scriptedInfo,
  type LibraryModelWorld,
} from '../../../test/builders/openLibraryModel.ts';
import { textAnswer } from '../../../test/builders/scriptedModelServer.ts';
import type { AgentMessage, AssistantMessage } from '../../contracts/message.ts';
import type { ModelEvent, ModelRequest, ModelSettings } from '../../contracts/model.ts';
import type { LibraryModelOptions } from './createLibraryModel.ts';

let world: LibraryModelWorld;
afterEach(() => world.dispose());

/** The body that the server got for one request. */
async function sent(
  changes: Partial<ModelRequest>,
  options: Partial<LibraryModelOptions> = {},
): Promise<unknown> {
  world.server.script(textAnswer('a'));
  await world.ask(world.model(options), changes);
  return world.server.requests.at(-1)?.json;
}

const settings: ModelSettings = { temperature: 0.5, maxTokens: 900, thinking: 'high' };

describe.each(modelApis)('requests by the protocol %s', (api) => {
  beforeEach(async () => {
    world = await openLibraryModel(api);
  });

  it('go to the address with key and headers, and two messages of one role are one', async () => {
    const options = { apiKey: () => Promise.resolve('sk-1'), headers: { 'x-team': 'blue' } };
    const body = await sent({ messages: [user('hi'), user('there')] }, options);
    const { key, path } = expectedRequests[api];
    expect(world.server.requests[0]).toMatchObject({ method: 'POST', path });
    expect(world.server.requests[0]?.headers).toMatchObject({ ...(key as object), 'x-team': 'blue' });
    expect(body).toMatchObject(expectedRequests[api]['plain'] as object);
  });

  it('take no key from the environment where none is set', async () => {
    await sent({});
    const { headers } = world.server.requests[0]!;
    expect([headers['authorization'], headers['x-api-key'], headers['x-goog-api-key']]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('offer tools with their schemas as they are, to models that call tools', async () => {
    expect(await sent({ tools: [look] })).toMatchObject(expectedRequests[api]['tools'] as object);
    const none = await sent({ tools: [look] }, { info: { ...scriptedInfo, toolCalling: false } });
    expect(none).not.toHaveProperty('tools');
  });

  it('carry the settings that somebody chose', async () => {
    expect(await sent({ settings })).toMatchObject(expectedRequests[api]['settings'] as object);
    expect(JSON.stringify(await sent({}))).not.toMatch(/temperature|reasoning|budget|"max_tokens":9/u);
  });

  it('ask no model to think that can not be asked', async () => {
    const body = await sent({ settings }, { info: { ...scriptedInfo, thinking: false } });
    expect(JSON.stringify(body)).not.toMatch(/reasoning|thinking/u);
  });

  it('carry images of users and of tool results', async () => {
    const call = { type: 'toolCall' as const, id: 'c1', name: 'look', arguments: {} };
    const seeing: AgentMessage = {
      role: 'user',
      content: [{ type: 'text', text: 'See:' }, image],
      timestamp: 1,
    };
    const body = (await sent({
      systemPrompt: '',
      messages: [seeing, answer(call), result('c1', [image])],
    })) as Readonly<Record<string, readonly unknown[]>>;
    expect(body['messages'] ?? body['contents']).toMatchObject(expectedRequests[api]['images'] as unknown[]);
    expect(JSON.stringify(body)).toContain(image.data);
    expect(JSON.stringify(body)).not.toContain('for people');
  });

  it('say that an image was left out where the model reads none', async () => {
    const seeing: AgentMessage = { role: 'user', content: [image], timestamp: 1 };
    const body = await sent({ messages: [seeing] }, { info: { ...scriptedInfo, imageInput: false } });
    expect(JSON.stringify(body)).toContain('An image (image/png) was left out: Scripted reads no images.');
    expect(JSON.stringify(body)).not.toContain(image.data);
  });

  it('pair calls and results whatever the transcript lacks', async () => {
    const call = { type: 'toolCall' as const, id: 'c1', name: 'look', arguments: {} };
    const text = JSON.stringify(
      await sent({
        messages: [
          result('gone', [{ type: 'text', text: 'left over' }]),
          user('hi'),
          answer(call),
          user('and?'),
        ],
      }),
    );
    expect(text).toContain('Result of an earlier call of the tool look:\\nleft over');
    expect(text).toContain('the run was interrupted before the tool ended');
  });

  it('begin with the user, also after a compaction', async () => {
    const text = JSON.stringify(await sent({ messages: [answer({ type: 'text', text: 'So far.' })] }));
    expect(text).toMatch(/Go on with this conversation.*So far\./u);
  });

  it('give thoughts back to the model that thought them, and to no other', async () => {
    world.server.script({
      steps: [{ thinking: 'Hm.', seal }, { text: 'Yes.' }, { finish: 'stop' }, { mark: true }],
    });
    const thought = toMessage(await world.ask());
    const own = JSON.stringify(await sent({ messages: [user('hi'), thought] }));
    expect(own).toContain('Hm.');
    if (api !== 'openai-compatible') expect(own).toContain(seal);
    const other = { ...thought, model: 'another' };
    expect(JSON.stringify(await sent({ messages: [user('hi'), other, user('go')] }))).not.toMatch(
      /Hm\.|seal/u,
    );
  });
});

/** What the loop makes of an answer. */
function toMessage(events: readonly ModelEvent[]): AssistantMessage {
  const thinking = events.flatMap((event) => (event.type === 'thinking' ? [event.text] : [])).join('');
  const end = events.find((event) => event.type === 'thinkingEnd');
  const text = events.flatMap((event) => (event.type === 'text' ? [event.text] : [])).join('');
  const thought = {
    type: 'thinking' as const,
    thinking,
    ...(end?.signature !== undefined && { thinkingSignature: end.signature }),
  };
  return answer(thought, { type: 'text', text });
}
