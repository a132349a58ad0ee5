import { expect, it } from 'vitest';
import type { Model, ModelRequest } from '../contracts/model.ts';
import { createManualClock } from '../../test/builders/manualClock.ts';
import { createImageReader } from './createImageReader.ts';

const asked: ModelRequest[] = [];

function model(name: string, imageInput: boolean): Model {
  return {
    info: {
      provider: 'acme',
      model: name,
      name,
      contextWindow: 1_000,
      maxOutputTokens: 100,
      toolCalling: true,
      imageInput,
    },
    async *stream(request) {
      asked.push(request);
      yield { type: 'text', text: `${name} sees` };
      yield { type: 'text', text: ' a cat' };
      yield { type: 'done', stopReason: 'stop' };
    },
  };
}

function reader(models: readonly Model[], configured?: string) {
  return createImageReader({
    clock: createManualClock(),
    configured: () => configured,
    findModel: (name) => models.find(({ info }) => `${info.provider}/${info.model}` === name),
    models: () => models,
  });
}

const image = { type: 'image', data: 'AA==', mimeType: 'image/png' } as const;
const request = { prompt: 'What?', images: [image], signal: new AbortController().signal };

it('asks the configured model, else the first one that reads images', async () => {
  const models = [model('blind', false), model('eyes', true), model('own', false)];
  expect(await reader(models).describe(request)).toEqual({ text: 'eyes sees a cat', model: 'acme/eyes' });
  expect(asked.at(-1)?.messages).toMatchObject([{ content: [{ text: 'What?' }, image] }]);
  expect(await reader(models, 'acme/own').describe(request)).toMatchObject({ model: 'acme/own' });
});

it('says why no model can look at images, and asks none', async () => {
  expect(reader([model('eyes', true)]).unavailable()).toBeUndefined();
  expect(reader([model('blind', false)]).unavailable()).toContain('set agent.imageModel');
  const gone = reader([model('eyes', true)], 'acme/gone');
  expect(gone.unavailable()).toContain('there is no model acme/gone');
  await expect(gone.describe(request)).rejects.toMatchObject({ code: 'image_model_missing' });
});
