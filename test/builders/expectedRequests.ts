import type { ModelApi } from '../../src/models/library/modelErrors.ts';
import { look } from './modelMessages.ts';

/** What each server gets for the requests of requests.test.ts: address, headers, and parts of the body. */
export const expectedRequests: Readonly<Record<ModelApi, Readonly<Record<string, unknown>>>> = {
  'openai-compatible': {
    path: '/v1/chat/completions',
    key: { authorization: 'Bearer sk-1' },
    plain: {
      model: 'scripted',
      stream: true,
      stream_options: { include_usage: true },
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'hi\nthere' },
      ],
    },
    tools: {
      tools: [
        { type: 'function', function: { name: 'look', description: 'Looks.', parameters: look.parameters } },
      ],
    },
    settings: { temperature: 0.5, max_tokens: 900, reasoning_effort: 'high' },
    images: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'See:' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } },
        ],
      },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'look', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'The result is an image.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Image from the tool look:' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } },
        ],
      },
    ],
  },
  anthropic: {
    path: '/v1/messages',
    key: { 'x-api-key': 'sk-1', 'anthropic-version': '2023-06-01' },
    plain: {
      model: 'scripted',
      stream: true,
      max_tokens: 4000,
      system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
      messages: [
        {
          role: 'user',
          content: [{ type: 'text', text: 'hi\nthere', cache_control: { type: 'ephemeral' } }],
        },
      ],
    },
    tools: {
      tools: [
        {
          name: 'look',
          description: 'Looks.',
          input_schema: look.parameters,
          cache_control: { type: 'ephemeral' },
        },
      ],
    },
    settings: { thinking: { type: 'enabled' } },
    images: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'See:' },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } },
        ],
      },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'look', input: {} }] },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 'c1',
            content: [
              { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } },
            ],
            cache_control: { type: 'ephemeral' },
          },
        ],
      },
    ],
  },
  google: {
    path: '/v1/models/scripted:streamGenerateContent?alt=sse',
    key: { 'x-goog-api-key': 'sk-1' },
    plain: {
      systemInstruction: { parts: [{ text: 'Be brief.' }] },
      contents: [{ role: 'user', parts: [{ text: 'hi\nthere' }] }],
    },
    tools: {
      tools: [
        {
          functionDeclarations: [
            { name: 'look', description: 'Looks.', parametersJsonSchema: look.parameters },
          ],
        },
      ],
    },
    settings: {
      generationConfig: { temperature: 0.5, maxOutputTokens: 900, thinkingConfig: { includeThoughts: true } },
    },
    images: [
      {
        role: 'user',
        parts: [{ text: 'See:' }, { inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } }],
      },
      { role: 'model', parts: [{ functionCall: { name: 'look', args: {} } }] },
      { role: 'user' },
    ],
  },
};
