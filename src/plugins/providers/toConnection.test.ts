import { expect, it } from 'vitest';
import { toConnection } from './toConnection.ts';

const connect = (api: string | undefined, baseUrl: unknown): unknown =>
  toConnection({}, { ...(api === undefined ? {} : { api }), baseUrl });

it.each([
  [undefined, 'https://x.example/v1/', { api: 'openai-compatible', baseUrl: 'https://x.example/v1' }],
  ['anthropic-messages', 'https://x.example', { api: 'anthropic', baseUrl: 'https://x.example/v1' }],
  ['anthropic-messages', 'https://x.example/a/v1', { api: 'anthropic', baseUrl: 'https://x.example/a/v1' }],
  [
    'google-generative-ai',
    'https://g.example/v1beta',
    { api: 'google', baseUrl: 'https://g.example/v1beta' },
  ],
  ['ollama', 'http://127.0.0.1:11434', { api: 'openai-compatible', baseUrl: 'http://127.0.0.1:11434/v1' }],
  ['openai-responses', 'https://api.openai.com/v1', { api: 'openai-compatible' }],
])('asks %s at %s', (api, baseUrl, expected) => {
  expect(connect(api, baseUrl)).toMatchObject(expected);
});

it.each([
  ['openai-responses', 'https://x.example/v1'],
  ['constructor', 'https://x.example/v1'],
  [undefined, 'file:///etc/passwd'],
  [undefined, undefined],
])('does not ask %s at %s', (api, baseUrl) => {
  expect(connect(api, baseUrl)).toHaveProperty('problem');
});

it("sends the model's own headers over those of its provider, texts only", () => {
  const provider = { headers: { a: '1', b: '1', c: 3 } };
  const model = { baseUrl: 'https://x.example/v1', headers: { b: '2' } };
  expect(toConnection(provider, model)).toMatchObject({ headers: { a: '1', b: '2' } });
});
