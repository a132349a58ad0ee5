import { expect } from 'vitest';
import { systemClock } from '../../../../../src/host/node/systemClock.ts';
import { createReplayModel } from '../../../../../src/models/replay/createReplayModel.ts';
import { sample } from '../pointSample.ts';

const script = [
  { toolCalls: [{ name: 'read', arguments: { path: 'notes.md' }, id: 'c1' }] },
  { toolCalls: [{ name: 'sink', arguments: {}, id: 'c2' }] },
  { thinking: 'The tide table.', text: 'At six.', usage: { input: 30, output: 4 } },
];

export default sample({
  rule: 'payloads carry every field: text and image, call and its id, result of success and of failure, answer with its thoughts, model and tokens',
  openclaw: {
    harbour: `export default { id: 'harbour', register(api) { api.registerTool({
      name: 'sink', label: 'Sink', description: 'Sinks.', parameters: { type: 'object', properties: {} },
      execute() { throw new Error('It sinks.'); },
    }); } };`,
  },
  answer: 'allow-once',
  async check({ runtime, session, marks }) {
    const text = script.map((turn) => JSON.stringify(turn)).join('\n');
    const run = await runtime.turns.start({
      ...{ session, prompt: 'When?', emit: () => undefined, signal: new AbortController().signal },
      model: createReplayModel({ script: text, name: 'm.jsonl', clock: systemClock }),
      attachments: [{ type: 'image', data: 'aGk=', mimeType: 'image/png' }],
    });
    await run.settled;
    const sessionId = session.id;
    expect(marks.map((mark) => JSON.parse(mark) as unknown)).toEqual([
      { text: 'When?', imageData: { image: 'aGk=', mimeType: 'image/png' }, sessionId },
      { toolName: 'read', args: { path: 'notes.md' }, callId: 'c1', sessionId },
      {
        ...{ toolName: 'read', success: true, callId: 'c1', sessionId },
        result: {
          content: [{ type: 'text', text: 'High water is at six.' }],
          details: { path: 'notes.md', first: 1, last: 1, total: 1 },
        },
      },
      { toolName: 'sink', args: {}, callId: 'c2', sessionId },
      {
        ...{ toolName: 'sink', success: false, callId: 'c2', sessionId },
        result: { error: expect.stringContaining('It sinks.') as unknown },
      },
      {
        ...{ content: 'At six.', reasoning: 'The tide table.', provider: 'replay', model: 'm.jsonl' },
        ...{ tokenUsage: { input: 30, output: 4 }, sessionId },
      },
    ]);
  },
});
