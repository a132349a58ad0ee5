import { expect, it } from 'vitest';
import type { ModelRequest } from '../../../src/contracts/model.ts';
import { openTestRuntime, type TestRuntime } from '../../builders/openTestRuntime.ts';
import { calls } from '../agents/agentWorld.ts';

/** As exporters of metrics and traces are written: a service listens once it is started. */
const exporter = `
  const { onDiagnosticEvent } = require('openclaw/plugin-sdk');
  module.exports = {
    id: 'exporter',
    register(api) {
      let stop;
      api.registerService({
        id: 'exporter',
        start() { stop = onDiagnosticEvent((event) => mark(JSON.stringify(event))); },
        stop() { stop?.(); },
      });
    },
  };
`;

interface Heard {
  readonly type: string;
  readonly ts: number;
  readonly seq: number;
  readonly [field: string]: unknown;
}

function heardIn({ marks }: Pick<TestRuntime, 'marks'>): readonly Heard[] {
  return marks.map((mark) => JSON.parse(mark) as Heard);
}

it('plugins hear what a turn ran, how long and at what price, in order, and nothing of what was said', async () => {
  await using test = await openTestRuntime({
    global: { exporter },
    files: { 'notes.md': 'harbour' },
    isRecorded: false,
  });
  await test.say('lantern', [
    calls('read', { path: 'notes.md' }),
    calls('read', { path: 'missing.md' }),
    { text: 'anchor', usage: { input: 30, output: 4, cacheRead: 10 } },
  ]);
  const heard = heardIn(test);
  const { id: sessionId, key: sessionKey } = test.session;
  expect(heard.map(({ type }) => type)).toEqual([
    ...['session.state', 'run.started'],
    ...['model.call.started', 'model.call.completed'],
    ...['tool.execution.started', 'tool.execution.completed'],
    ...['model.call.started', 'model.call.completed'],
    ...['tool.execution.started', 'tool.execution.error'],
    ...['model.call.started', 'model.call.completed'],
    ...['model.usage', 'run.completed', 'message.processed', 'session.state'],
  ]);
  expect(heard.map(({ seq }) => seq)).toEqual(heard.map((_, at) => at + 1));
  expect(heard.find(({ type }) => type === 'model.usage')).toMatchObject({
    ...{ sessionId, sessionKey, agentId: 'main' },
    lastCallUsage: { input: 20, cacheRead: 10, promptTokens: 30, output: 4, total: 34 },
  });
  expect(heard.find(({ type }) => type === 'run.completed')).toMatchObject({
    ...{ sessionId, outcome: 'completed', trigger: 'user' },
  });
  expect(heard.at(-1)).toMatchObject({ prevState: 'processing', state: 'idle' });
  for (const word of ['lantern', 'anchor', 'harbour', 'notes.md'])
    expect(JSON.stringify(heard)).not.toContain(word);
});

it('plugins hear of each request to a model how large it was, what it used and why it failed', async () => {
  await using test = await openTestRuntime({
    global: { exporter },
    files: { 'notes.md': 'harbour' },
    isRecorded: false,
  });
  const seen: ModelRequest[] = [];
  await test.say(
    'lantern',
    [
      { ...calls('read', { path: 'notes.md' }), usage: { input: 30, output: 4, cacheRead: 10 } },
      { error: { code: 'model_timeout', message: 'too slow' } },
    ],
    { seen: (request) => void seen.push({ ...request, messages: [...request.messages] }) },
  );
  const heard = heardIn(test).filter(({ type }) => type.startsWith('model.call.'));
  const { id: sessionId, key: sessionKey } = test.session;
  const [first, second] = seen.map(({ systemPrompt, messages, tools }) => {
    const definitions = tools.map(({ name, description, parameters }) => ({ name, description, parameters }));
    const [inputMessagesChars, toolDefinitionsChars] = [messages, definitions].map(
      (part) => JSON.stringify(part).length,
    ) as [number, number];
    return {
      ...{ inputMessagesCount: messages.length, inputMessagesChars, systemPromptChars: systemPrompt.length },
      ...{ toolDefinitionsCount: tools.length, toolDefinitionsChars },
      totalChars: inputMessagesChars + systemPrompt.length + toolDefinitionsChars,
    };
  });
  const begun = {
    ...{ sessionId, sessionKey, observationUnit: 'request', runId: expect.any(String) as string },
    ...{ provider: 'replay', model: 'test.jsonl', contextWindowSource: 'model' },
    ...{ contextTokenBudget: 102_400, contextWindowReferenceTokens: 128_000 },
    callId: expect.any(String) as string,
    ...{ ts: expect.any(Number) as number, seq: expect.any(Number) as number },
  };
  const durationMs = expect.any(Number) as number;
  const usage = { input: 20, output: 4, cacheRead: 10, cacheWrite: 0, promptTokens: 30, total: 34 };
  expect(heard).toEqual([
    { type: 'model.call.started', ...begun, promptStats: first },
    { type: 'model.call.completed', ...begun, promptStats: first, durationMs, usage },
    { type: 'model.call.started', ...begun, promptStats: second },
    {
      ...{ type: 'model.call.error', ...begun, promptStats: second, durationMs },
      ...{ errorCategory: 'model_timeout', failureKind: 'timeout' },
    },
  ]);
  const ids = heard.map(({ callId }) => callId);
  expect([ids[1], ids[3], new Set(ids).size]).toEqual([ids[0], ids[2], 2]);
});

it('a plugin that is disabled hears no more, and one whose listener throws harms no turn', async () => {
  const broken = `
    const { onDiagnosticEvent } = require('openclaw/plugin-sdk/diagnostic-runtime');
    module.exports = () => { onDiagnosticEvent(() => { throw new Error('no collector'); }); };
  `;
  await using test = await openTestRuntime({ global: { exporter, broken }, isRecorded: false });
  const first = await test.say('one', [{ text: 'One.' }]);
  expect(first.outcome).toMatchObject({ status: 'completed' });
  const before = heardIn(test).length;
  expect(before).toBeGreaterThan(0);
  expect(test.log.lines.map(({ message }) => message)).toContain(
    '[broken] A listener of diagnostic events failed: no collector',
  );
  await test.runtime.plugins.setEnabled('exporter', false, 'user');
  await test.say('two', [{ text: 'Two.' }]);
  expect(heardIn(test)).toHaveLength(before);
});
