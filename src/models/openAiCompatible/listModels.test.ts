import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  hangingAnswer,
  rawAnswer,
  startScriptedModelServer,
  statusAnswer,
  type ScriptedModelServer,
} from '../../../test/builders/scriptedModelServer.ts';
import { createManualClock } from '../../host/memory/manualClock.ts';
import { createNodeHttpClient } from '../../host/node/nodeHttpClient.ts';
import { listModels } from './listModels.ts';

let server: ScriptedModelServer;
beforeEach(async () => {
  server = await startScriptedModelServer();
});
afterEach(() => server.dispose());

const list = (signal = new AbortController().signal) =>
  listModels({
    baseUrl: server.baseUrl,
    apiKey: 'sk-1',
    http: createNodeHttpClient(),
    clock: createManualClock(),
    signal,
  });

describe('listModels', () => {
  it('gives the models by name, with their context window where the server says it', async () => {
    server.answerList(
      rawAnswer('{"data":[{"id":"qwen","max_model_len":8192},{"id":"llama"},{"nameless":true}]}'),
    );
    expect(await list()).toEqual([{ id: 'llama' }, { id: 'qwen', contextWindow: 8192 }]);
    expect(server.listRequests[0]).toMatchObject({
      method: 'GET',
      path: '/v1/models',
      headers: { authorization: 'Bearer sk-1' },
    });
  });

  it('reports a refused key as a model would', async () => {
    server.answerList(statusAnswer(401, 'bad key sk-1'));
    await expect(list()).rejects.toMatchObject({ code: 'model_unauthorized' });
  });

  it('refuses an answer that is no list', async () => {
    server.answerList(rawAnswer('<html>', 'text/html'));
    await expect(list()).rejects.toMatchObject({
      code: 'model_malformed',
      message: `The list of models at ${server.baseUrl} is no such list: <html>`,
    });
  });

  it('can be cancelled', async () => {
    server.answerList(hangingAnswer());
    const abort = new AbortController();
    const listed = list(abort.signal);
    abort.abort();
    await expect(listed).rejects.toMatchObject({ code: 'cancelled' });
  });
});
