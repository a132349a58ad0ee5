import type { ModelApi } from '../../src/models/library/modelErrors.ts';
import { createModelWire } from './modelWire.ts';
import type { ScriptedAnswer, ScriptStep } from './scriptedModelAnswer.ts';

/** The bytes of one delta, cut in the middle of its last character. */
export function cutInCharacter(api: ModelApi): readonly ScriptStep[] {
  const wire = createModelWire(api);
  // Anthropic begins with events of its own.
  const begun = wire.write({ text: 'a' });
  const bytes = Buffer.from(wire.write({ text: 'kelp 😀' }));
  const at = bytes.indexOf(Buffer.from('😀')) + 2;
  return [{ raw: String(begun) }, { bytes: bytes.subarray(0, at) }, { bytes: bytes.subarray(at) }];
}

/** Events and fields that the protocol may get one day. */
export const unknownEvents: Readonly<Record<ModelApi, readonly unknown[]>> = {
  'openai-compatible': [
    { object: 'chat.heartbeat', load: 0.3 },
    { choices: [] },
    { choices: [{ delta: null, logprobs: { x: 1 } }], service_tier: 'gold' },
    { choices: [{ delta: { content: 'b', mood: 'calm' }, weather: [1] }], novelty: {} },
  ],
  anthropic: [
    { type: 'weather_report', clouds: 3 },
    { type: 'content_block_start', index: 7, content_block: { type: 'hologram', data: 'x' } },
    { type: 'content_block_delta', index: 7, delta: { type: 'hologram_delta', data: 'y' } },
    { type: 'content_block_stop', index: 7 },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'b', mood: 'calm' } },
  ],
  google: [
    { weather: 'calm' },
    { candidates: [{ content: { parts: [{ hologram: 'x' }] } }] },
    { candidates: [{ content: { parts: [{ text: 'b', mood: 'calm' }] }, rank: 1 }], modelMood: 'calm' },
  ],
};

/** An error within a stream that began well, as each server words it. */
export const overloaded: Readonly<Record<ModelApi, unknown>> = {
  'openai-compatible': { error: { message: 'Overloaded', type: 'server_error', code: null } },
  anthropic: { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
  google: { error: { code: 503, message: 'Overloaded', status: 'UNAVAILABLE' } },
};

/** Refusals with the body that each server sends. */
export const refusals: Readonly<Record<ModelApi, Readonly<Record<string, readonly [number, unknown]>>>> = {
  'openai-compatible': {
    model_unauthorized: [401, { error: { message: 'Incorrect API key provided', code: 'invalid_api_key' } }],
    model_quota: [429, { error: { message: 'You exceeded it', code: 'insufficient_quota' } }],
    model_context_overflow: [400, { error: { message: 'Too long', code: 'context_length_exceeded' } }],
    model_gone: [404, { error: { message: 'The model `x` does not exist', code: 'model_not_found' } }],
    model_refused: [400, { error: { message: 'Filtered', code: 'content_filter' } }],
    model_rejected: [400, { error: { message: 'Bad tool' } }],
    model_unavailable: [500, { error: { message: 'Oops' } }],
  },
  anthropic: {
    model_unauthorized: [401, { type: 'error', error: { type: 'authentication_error', message: 'no' } }],
    model_quota: [
      400,
      {
        type: 'error',
        error: { type: 'invalid_request_error', message: 'Your credit balance is too low to use it.' },
      },
    ],
    model_context_overflow: [
      400,
      {
        type: 'error',
        error: { type: 'invalid_request_error', message: 'prompt is too long: 210000 tokens > 200000' },
      },
    ],
    model_gone: [404, { type: 'error', error: { type: 'not_found_error', message: 'model: x' } }],
    model_rejected: [400, { type: 'error', error: { type: 'invalid_request_error', message: 'Bad tool' } }],
    model_unavailable: [529, { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }],
  },
  google: {
    model_unauthorized: [
      400,
      { error: { code: 400, message: 'API key not valid.', status: 'INVALID_ARGUMENT' } },
    ],
    model_quota: [
      429,
      { error: { code: 429, message: 'You exceeded your current quota', status: 'RESOURCE_EXHAUSTED' } },
    ],
    model_context_overflow: [
      400,
      {
        error: { code: 400, message: 'The input token count (9) exceeds the maximum number of tokens (8).' },
      },
    ],
    model_gone: [404, [{ error: { code: 404, message: 'models/x is not found', status: 'NOT_FOUND' } }]],
    model_rejected: [400, { error: { code: 400, message: 'Bad tool', status: 'INVALID_ARGUMENT' } }],
    model_unavailable: [503, { error: { code: 503, message: 'Overloaded', status: 'UNAVAILABLE' } }],
  },
};

export function refusalAnswer([status, body]: readonly [number, unknown]): ScriptedAnswer {
  return {
    status,
    headers: { 'content-type': 'application/json' },
    steps: [{ raw: JSON.stringify(body) }],
  };
}
