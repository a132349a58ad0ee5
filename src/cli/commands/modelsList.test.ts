import { expect, it } from 'vitest';
import { toRow } from './modelsList.ts';

const model = {
  id: 'acme/one',
  provider: 'acme',
  model: 'one',
  name: 'Acme One',
  detail: 'models.example',
  contextWindow: 128_000,
  maxOutputTokens: 4_096,
  toolCalling: true,
  isDefault: true,
};

it('says of a model where it runs, what it can and what it costs', () => {
  const cost = { input: 0.15, output: 0.6 };
  expect(toRow({ ...model, imageInput: true, thinking: true, cost })).toEqual([
    '*',
    'acme/one',
    'Acme One',
    'models.example, 128,000 tokens, tools, images, thinking, $0.15 in, $0.6 out per million tokens',
  ]);
});

it('makes no price up and leaves out what a model can not', () => {
  expect(toRow({ ...model, isDefault: false, toolCalling: false })).toEqual([
    ' ',
    'acme/one',
    'Acme One',
    'models.example, 128,000 tokens',
  ]);
});
