import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  hangingAnswer,
  rawAnswer,
  startScriptedModelServer,
  statusAnswer,
  type ScriptedModelServer,
} from '../../../test/builders/scriptedModelServer.ts';
import { createManualClock } from '../../../test/builders/manualClock.ts';
import { createNodeHttpClient } from '../../host/node/nodeHttpClient.ts';
import { listModels } from './listModels.ts';
import type { ModelApi } from './modelErrors.ts';

let server: ScriptedModelServer;
beforeEach(async () => {
  server = await startScriptedModelServer();
});
afterEach(() => server.dispose());

const ask = (api: ModelApi = 'openai-compatible', signal = new AbortController().signal) =>
  listModels({
    api,
    baseUrl: server.baseUrl,
    apiKey: 'sk-1',
    http: createNodeHttpClient(),
    clock: createManualClock(),
    signal,
  });

const list = (api: ModelApi, answer: unknown) => {
  server.answerList(rawAnswer(JSON.stringify(answer), 'application/json'));
  return ask(api);
};

describe('listModels', () => {
  it('gives the models of OpenAI-compatible servers, with what each server says of them', async () => {
    const router = {
      id: 'acme/large',
      name: 'Acme: Large',
      context_length: 200_000,
      architecture: { input_modalities: ['text', 'image'] },
      top_provider: { max_completion_tokens: 8_000 },
      supported_parameters: ['tools', 'reasoning'],
      pricing: { prompt: '0.0000008', completion: '0.000004', input_cache_read: '0.00000008', image: '0' },
    };
    const data = [
      { id: 'qwen', object: 'model', max_model_len: 8192 },
      { id: 'llama' },
      { nameless: true },
      router,
    ];
    expect(await list('openai-compatible', { data })).toEqual([
      {
        id: 'acme/large',
        name: 'Acme: Large',
        contextWindow: 200_000,
        maxOutputTokens: 8_000,
        imageInput: true,
        thinking: true,
        cost: { input: 0.8, output: 4, cacheRead: 0.08 },
      },
      { id: 'llama' },
      { id: 'qwen', contextWindow: 8192 },
    ]);
    expect(server.listRequests[0]).toMatchObject({
      method: 'GET',
      path: '/v1/models',
      headers: { authorization: 'Bearer sk-1' },
    });
  });

  it('gives the models of Anthropic', async () => {
    const model = {
      type: 'model',
      id: 'claude-x',
      display_name: 'Claude X',
      max_input_tokens: 200_000,
      max_tokens: 64_000,
      capabilities: { image_input: { supported: true }, thinking: { supported: true, types: {} } },
    };
    expect(await list('anthropic', { data: [model, { id: 'claude-w' }], has_more: false })).toEqual([
      { id: 'claude-w' },
      {
        id: 'claude-x',
        name: 'Claude X',
        contextWindow: 200_000,
        maxOutputTokens: 64_000,
        imageInput: true,
        thinking: true,
      },
    ]);
    expect(server.listRequests[0]).toMatchObject({
      path: '/v1/models?limit=1000',
      headers: { 'x-api-key': 'sk-1', 'anthropic-version': '2023-06-01' },
    });
  });

  it('gives the models of Google that write text, without the folder in front of their names', async () => {
    const gemini = {
      name: 'models/gemini-x',
      displayName: 'Gemini X',
      inputTokenLimit: 1_048_576,
      outputTokenLimit: 65_536,
      supportedGenerationMethods: ['generateContent', 'countTokens'],
      thinking: true,
    };
    const embedder = { name: 'models/embedding-1', supportedGenerationMethods: ['embedContent'] };
    expect(await list('google', { models: [gemini, embedder] })).toEqual([
      {
        id: 'gemini-x',
        name: 'Gemini X',
        contextWindow: 1_048_576,
        maxOutputTokens: 65_536,
        thinking: true,
      },
    ]);
    expect(server.listRequests[0]).toMatchObject({
      path: '/v1/models?pageSize=1000',
      headers: { 'x-goog-api-key': 'sk-1' },
    });
  });

  it('makes up no price where the server names none', async () => {
    const data = [{ id: 'auto', pricing: { prompt: '-1', completion: '-1' } }];
    expect(await list('openai-compatible', { data })).toEqual([{ id: 'auto' }]);
  });

  it('reports a refused key as a model would', async () => {
    server.answerList(statusAnswer(401, 'bad key sk-1'));
    await expect(ask()).rejects.toMatchObject({
      code: 'model_unauthorized',
      message: `${server.baseUrl} did not accept the API key: bad key [key]`,
    });
  });

  it('refuses an answer that is no list', async () => {
    server.answerList(rawAnswer('<html>', 'text/html'));
    await expect(ask()).rejects.toMatchObject({
      code: 'model_malformed',
      message: `The list of models at ${server.baseUrl} is no such list: <html>`,
    });
  });

  it('can be cancelled', async () => {
    server.answerList(hangingAnswer());
    const abort = new AbortController();
    const listed = ask('openai-compatible', abort.signal);
    abort.abort();
    await expect(listed).rejects.toMatchObject({ code: 'cancelled' });
  });
});
