import { describe, expect, it } from 'vitest';
import type { ModelEvent } from '../../contracts/model.ts';
import { createAnswerAccumulator } from './createAnswerAccumulator.ts';
import { planModelAddress } from './modelServer.ts';

const { server } = planModelAddress({ baseUrl: 'http://x/v1', model: 'm', apiKey: undefined, headers: {} });

function accumulate(chunks: readonly unknown[], marked = false): ModelEvent[] {
  let ids = 0;
  const answer = createAnswerAccumulator({ server, newId: () => `new_${(ids += 1)}` });
  return [...chunks.flatMap((chunk) => answer.push(chunk)), ...answer.end(marked)];
}

const delta = (value: unknown): unknown => ({ choices: [{ delta: value, finish_reason: null }] });
const calls = (...fragments: unknown[]): unknown => delta({ tool_calls: fragments });
const finish = (reason: string): unknown => ({ choices: [{ delta: {}, finish_reason: reason }] });
const read = (path: string, id: string): ModelEvent => ({
  type: 'toolCall',
  id,
  name: 'read',
  arguments: { path },
});
const done = (stopReason: 'stop' | 'toolUse' | 'length'): ModelEvent => ({ type: 'done', stopReason });

describe('createAnswerAccumulator: text', () => {
  it('gives each piece of text at once and done at the end', () => {
    expect(
      accumulate([
        delta({ role: 'assistant', content: '' }),
        delta({ content: 'He' }),
        delta({ content: 'y' }),
        finish('stop'),
      ]),
    ).toEqual([{ type: 'text', text: 'He' }, { type: 'text', text: 'y' }, done('stop')]);
  });

  it('takes chunks without choices, with delta null, and a finish reason in a chunk of its own', () => {
    const chunks = [
      {},
      { choices: [] },
      { choices: [{ delta: null }] },
      delta({ content: 'a' }),
      { choices: [{ finish_reason: 'stop' }] },
    ];
    expect(accumulate(chunks)).toEqual([{ type: 'text', text: 'a' }, done('stop')]);
  });

  it('leaves out reasoning and the old function_call', () => {
    const chunks = [
      delta({ reasoning_content: 'hm', content: null, function_call: { name: 'x' } }),
      finish('stop'),
    ];
    expect(accumulate(chunks)).toEqual([done('stop')]);
  });

  it('reads content that comes as a list of parts', () => {
    expect(
      accumulate(
        [
          delta({
            content: [
              { type: 'text', text: 'a' },
              { type: 'text', text: 'b' },
            ],
          }),
        ],
        true,
      ),
    ).toEqual([{ type: 'text', text: 'ab' }, done('stop')]);
  });

  it('reads a whole answer that was not streamed', () => {
    const whole = { choices: [{ message: { role: 'assistant', content: 'all' }, finish_reason: 'stop' }] };
    expect(accumulate([whole])).toEqual([{ type: 'text', text: 'all' }, done('stop')]);
  });

  it('reports usage that comes after the finish reason', () => {
    const usage = { choices: [], usage: { prompt_tokens: 7, completion_tokens: 2 } };
    expect(accumulate([finish('stop'), usage])).toEqual([
      { type: 'done', stopReason: 'stop', usage: { input: 7, output: 2 } },
    ]);
  });

  it('says when the output limit ended the answer', () => {
    expect(accumulate([delta({ content: 'a' }), finish('length')]).at(-1)).toEqual(done('length'));
  });
});

describe('createAnswerAccumulator: tool calls', () => {
  it('joins arguments that come in fragments', () => {
    const chunks = [
      calls({ index: 0, id: 'a', function: { name: 'read', arguments: '' } }),
      calls({ index: 0, function: { arguments: '{"pa' } }),
      calls({ index: 0, function: { arguments: 'th": "x"}' } }),
      finish('tool_calls'),
    ];
    expect(accumulate(chunks)).toEqual([read('x', 'a'), done('toolUse')]);
  });

  it('keeps interleaved calls apart, in the order of their indexes', () => {
    const chunks = [
      calls({ index: 1, id: 'b', function: { name: 'read', arguments: '{"path"' } }),
      calls({ index: 0, id: 'a', function: { name: 'read', arguments: '{"path"' } }),
      calls({ index: 1, function: { arguments: ': "y"}' } }, { index: 0, function: { arguments: ': "x"}' } }),
      finish('tool_calls'),
    ];
    expect(accumulate(chunks)).toEqual([read('x', 'a'), read('y', 'b'), done('toolUse')]);
  });

  it('joins a name that comes in pieces', () => {
    const chunks = [
      calls({ index: 0, id: 'a', function: { name: 're' } }),
      calls({ index: 0, function: { name: 'ad' } }),
      calls({ index: 0, function: { arguments: '{"path":"x"}' } }),
    ];
    expect(accumulate(chunks, true)).toEqual([read('x', 'a'), done('toolUse')]);
  });

  it('does not double a name that is repeated with every fragment', () => {
    const chunks = [
      calls({ index: 0, id: 'a', function: { name: 'read', arguments: '' } }),
      calls({ index: 0, id: 'a', function: { name: 'read', arguments: '{"path":' } }),
      calls({ index: 0, id: 'a', function: { name: 'read', arguments: '"x"}' } }),
    ];
    expect(accumulate(chunks, true)).toEqual([read('x', 'a'), done('toolUse')]);
  });

  it('gives a call without an id one of its own', () => {
    const chunks = [calls({ index: 0, function: { name: 'read', arguments: '{"path":"x"}' } })];
    expect(accumulate(chunks, true)[0]).toEqual(read('x', 'new_1'));
  });

  it('gives the second of two calls with one id another', () => {
    const chunks = [
      calls({ index: 0, id: 'a', function: { name: 'read', arguments: '{"path":"x"}' } }),
      calls({ index: 1, id: 'a', function: { name: 'read', arguments: '{"path":"y"}' } }),
    ];
    expect(accumulate(chunks, true).slice(0, 2)).toEqual([read('x', 'a'), read('y', 'new_1')]);
  });

  it('tells calls apart that all say index 0', () => {
    const chunks = [
      calls({ index: 0, id: 'a', function: { name: 'read', arguments: '{"path":"x"}' } }),
      calls({ index: 0, id: 'b', function: { name: 'read', arguments: '{"path":"y"}' } }),
      calls({ index: 0, function: { name: 'read', arguments: '{"path":"z"}' } }),
    ];
    expect(accumulate(chunks, true).slice(0, 3)).toEqual([
      read('x', 'a'),
      read('y', 'b'),
      read('z', 'new_1'),
    ]);
  });

  it('tells calls apart that all say index 0 and come in fragments', () => {
    const chunks = [
      calls({ index: 0, id: 'a', function: { name: 'read', arguments: '{"path":"x"}' } }),
      calls({ index: 0, id: 'b', function: { name: 'read', arguments: '' } }),
      calls({ index: 0, function: { arguments: '{"path":"y"}' } }),
    ];
    expect(accumulate(chunks, true).slice(0, 2)).toEqual([read('x', 'a'), read('y', 'b')]);
  });

  it('tells calls apart that have no index', () => {
    const chunks = [
      calls(
        { id: 'a', function: { name: 'read', arguments: '{"path":"x"}' } },
        { id: 'b', function: { name: 'read', arguments: '{"pa' } },
      ),
      calls({ function: { arguments: 'th":"y"}' } }),
    ];
    expect(accumulate(chunks, true).slice(0, 2)).toEqual([read('x', 'a'), read('y', 'b')]);
  });

  it('joins fragments that each have a new id but no name', () => {
    const chunks = [
      calls({ index: 0, id: 'r1', function: { name: 'read', arguments: '' } }),
      calls({ index: 0, id: 'r2', function: { arguments: '{"path":' } }),
      calls({ index: 0, id: 'r3', function: { arguments: '"x"}' } }),
    ];
    expect(accumulate(chunks, true)).toEqual([read('x', 'r1'), done('toolUse')]);
  });

  it('takes arguments as an object, encoded twice, as null or missing', () => {
    const withArguments = (value: unknown): unknown =>
      calls({ index: 0, id: 'a', function: { name: 'read', arguments: value } });
    expect(accumulate([withArguments({ path: 'x' })], true)[0]).toEqual(read('x', 'a'));
    expect(accumulate([withArguments(JSON.stringify('{"path":"x"}'))], true)[0]).toEqual(read('x', 'a'));
    expect(accumulate([withArguments(null)], true)[0]).toMatchObject({ arguments: {} });
    expect(accumulate([withArguments(undefined)], true)[0]).toMatchObject({ arguments: {} });
  });

  it('stops for tool use whatever the finish reason says', () => {
    const chunks = [
      calls({ index: 0, id: 'a', function: { name: 'read', arguments: '{"path":"x"}' } }),
      finish('stop'),
    ];
    expect(accumulate(chunks).at(-1)).toEqual(done('toolUse'));
  });
});

describe('createAnswerAccumulator: faults', () => {
  const malformed = (text: RegExp): unknown =>
    expect.objectContaining({ code: 'model_malformed', message: expect.stringMatching(text) as unknown });
  const fault = (chunks: readonly unknown[]): unknown => {
    try {
      accumulate(chunks);
    } catch (error) {
      return error;
    }
    return 'no error';
  };

  it('refuses an answer that ends without finish reason and end mark', () => {
    expect(fault([delta({ content: 'a' })])).toEqual(malformed(/middle of its answer/));
  });

  it('refuses half a tool call and shows what came', () => {
    const half = calls({ index: 0, id: 'a', function: { name: 'read', arguments: '{"path": "no' } });
    expect(fault([half])).toEqual(malformed(/middle of a tool call: \{"path": "no/));
    expect(fault([half, finish('length')])).toEqual(
      malformed(/output limit in the middle of a call of read/),
    );
  });

  it.each(['[1]', '"text"', '{"path": }', '12'])('refuses the arguments %s', (text) => {
    const call = calls({ index: 0, id: 'a', function: { name: 'read', arguments: text } });
    expect(fault([call, finish('tool_calls')])).toEqual(
      malformed(/arguments for read that are no JSON object/),
    );
  });

  it('refuses a call without a name', () => {
    const call = calls({ index: 0, id: 'a', function: { arguments: '{}' } });
    expect(fault([call, finish('tool_calls')])).toEqual(malformed(/without naming it/));
  });

  it('refuses a chunk that is no object', () => {
    expect(fault([3])).toEqual(malformed(/no object: 3/));
  });

  it('passes on an error that the server reports in the stream', () => {
    expect(fault([{ error: { message: 'out of memory' } }])).toMatchObject({ code: 'model_unavailable' });
    expect(fault([{ error: { message: 'slow down', code: 429 } }])).toMatchObject({
      code: 'model_rate_limited',
    });
    expect(fault([{ error: 'the context length is exceeded' }])).toMatchObject({
      code: 'model_context_overflow',
    });
  });

  it('says when a content filter ended the answer', () => {
    expect(fault([delta({ content: 'a' }), finish('content_filter')])).toMatchObject({
      code: 'model_filtered',
    });
  });
});
