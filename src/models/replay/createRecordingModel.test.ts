import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PincerError } from '../../base/errors.ts';
import type { Model, ModelEvent } from '../../contracts/model.ts';
import { createManualClock } from '../../../test/builders/manualClock.ts';
import { createRecordingModel } from './createRecordingModel.ts';
import { createReplayModel } from './createReplayModel.ts';

const request = { systemPrompt: '', messages: [], tools: [], signal: new AbortController().signal };

/** A model whose nth answer is the nth list of events; an error among them is thrown. */
function modelOf(answers: readonly (readonly (ModelEvent | Error)[])[]): Model {
  let asked = 0;
  return {
    info: { provider: 'p', model: 'm', name: 'M', contextWindow: 1, maxOutputTokens: 1, toolCalling: true },
    async *stream() {
      for (const event of answers[asked++] ?? []) {
        await Promise.resolve();
        if (event instanceof Error) throw event;
        yield event;
      }
    },
  };
}

async function play(model: Model): Promise<unknown[]> {
  const seen: unknown[] = [];
  try {
    for await (const event of model.stream(request)) seen.push(event);
  } catch (error) {
    const { code, message, hint } = error as PincerError;
    seen.push({ code, message, hint });
  }
  return seen;
}

async function recordAndReplay(answers: readonly (readonly (ModelEvent | Error)[])[]) {
  const lines: string[] = [];
  const recording = createRecordingModel(modelOf(answers), (line) => void lines.push(line));
  const recorded: unknown[] = [];
  for (const _ of answers) recorded.push(await play(recording));
  const replay = createReplayModel({ script: lines.join(''), name: 'r.jsonl', clock: createManualClock() });
  const replayed: unknown[] = [];
  for (const _ of answers) replayed.push(await play(replay));
  return { lines, recorded, replayed };
}

const text: fc.Arbitrary<ModelEvent> = fc.record({ type: fc.constant('text'), text: fc.string() });
// zod leaves out a key of this name, and no tool has a parameter called so.
const key = fc.string().filter((name) => name !== '__proto__');
const toolCall: fc.Arbitrary<ModelEvent> = fc.record(
  {
    type: fc.constant('toolCall'),
    thoughtSignature: fc.string({ minLength: 1 }),
    id: fc.string({ minLength: 1 }),
    name: fc.string({ minLength: 1 }),
    // JSON text can not tell -0 from 0.
    arguments: fc.dictionary(key, fc.jsonValue()).map((value) => {
      return JSON.parse(JSON.stringify(value)) as Record<string, unknown>;
    }),
  },
  { requiredKeys: ['type', 'id', 'name', 'arguments'] },
);
const thought: fc.Arbitrary<ModelEvent[]> = fc
  .record(
    {
      type: fc.constant('thinkingEnd' as const),
      signature: fc.string({ minLength: 1 }),
      redacted: fc.constant(true),
    },
    { requiredKeys: ['type'] },
  )
  .chain((end) => fc.string().map((text) => (text === '' ? [end] : [{ type: 'thinking', text }, end])));
const done: fc.Arbitrary<ModelEvent> = fc.record(
  {
    type: fc.constant('done'),
    stopReason: fc.constantFrom('stop', 'toolUse', 'length', 'aborted', 'error'),
    usage: fc.record(
      { input: fc.nat(), output: fc.nat(), cacheRead: fc.nat(), cacheWrite: fc.nat() },
      { requiredKeys: ['input', 'output'] },
    ),
  },
  { requiredKeys: ['type', 'stopReason'] },
);
const failure = fc
  .tuple(fc.string({ minLength: 1 }), fc.string(), fc.option(fc.string(), { nil: undefined }))
  .map(([code, message, hint]) => new PincerError(code, message || code, hint === undefined ? {} : { hint }));
const answer = fc
  .tuple(fc.array(thought), fc.array(text), fc.array(toolCall), fc.oneof(done, failure))
  .map(([thoughts, texts, calls, end]) => [...thoughts.flat(), ...texts, ...calls, end]);

describe('createRecordingModel', () => {
  it('records what replays as the same events', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(answer, { minLength: 1, maxLength: 4 }), async (answers) => {
        const { recorded, replayed } = await recordAndReplay(answers);
        expect(replayed).toEqual(recorded);
      }),
    );
  });

  it('writes one line a turn, in the form that people write', async () => {
    const { lines } = await recordAndReplay([
      [
        { type: 'text', text: 'I look.' },
        { type: 'toolCall', id: 'a', name: 'read', arguments: { path: 'x' } },
        { type: 'done', stopReason: 'toolUse' },
      ],
    ]);
    expect(lines).toEqual([
      '{"text":["I look."],"toolCalls":[{"id":"a","name":"read","arguments":{"path":"x"}}]}\n',
    ]);
  });

  it('writes a turn that its reader left as cancelled', async () => {
    const lines: string[] = [];
    const model = modelOf([
      [
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b' },
      ],
    ]);
    for await (const _ of createRecordingModel(model, (line) => void lines.push(line)).stream(request)) break;
    expect(JSON.parse(lines[0]!)).toMatchObject({ text: ['a'], error: { code: 'cancelled' } });
  });
});
