import { expect, it } from 'vitest';
import { createHeldModel } from '../../builders/createHeldModel.ts';
import { openTestRuntime, type TestRuntimeOptions } from '../../builders/openTestRuntime.ts';
import { recordHooks, recorderMayRead } from './recordHooks.ts';

// The exact order of hooks, one test a course that a turn can take.

const write = { name: 'write', arguments: { path: 'b.md', content: 'new' } };
const read = (path: string) => ({ name: 'read', arguments: { path } });

async function openRecorder(answers: Readonly<Record<string, string>> = {}, more: TestRuntimeOptions = {}) {
  const test = await openTestRuntime({
    files: { 'a.md': 'text' },
    plugins: { recorder: recordHooks(answers) },
    config: recorderMayRead,
    ...more,
  });
  test.marks.length = 0;
  return test;
}

const opening = [
  'session_start',
  'message_received',
  'before_model_resolve',
  'agent_turn_prepare',
  'before_prompt_build',
  'before_agent_start',
  'before_agent_run',
  'before_message_write user',
];
const modelAnswers = ['llm_input', 'model_call_started', 'model_call_ended', 'llm_output'];
const toolRuns = [
  'before_tool_call',
  'tool_result_persist',
  'after_tool_call',
  'before_message_write toolResult',
];
const toolIsStopped = [
  'before_tool_call',
  'tool_result_persist (not run)',
  'after_tool_call',
  'before_message_write toolResult',
];
const delivery = [
  'agent_end',
  'reply_payload_sending',
  'message_sending',
  'before_message_write assistant',
  'message_sent',
];

it('a plain message', async () => {
  await using test = await openRecorder();
  await test.say('hello', [{ text: 'Hi.' }]);
  expect(test.marks).toEqual([
    ...opening,
    'before_agent_reply',
    ...modelAnswers,
    'before_agent_finalize',
    ...delivery,
  ]);
});

it('one tool call: the 13 steps, every name spelled out', async () => {
  await using test = await openRecorder();
  await test.say('read it', [{ toolCalls: [read('a.md')] }, { text: 'done' }]);
  expect(test.marks).toEqual([
    'session_start',
    'message_received',
    'before_model_resolve',
    'agent_turn_prepare',
    'before_prompt_build',
    'before_agent_start',
    'before_agent_run',
    'before_message_write user',
    'before_agent_reply',
    'llm_input',
    'model_call_started',
    'model_call_ended',
    'llm_output',
    'before_message_write assistant',
    'before_tool_call',
    'tool_result_persist',
    'after_tool_call',
    'before_message_write toolResult',
    'llm_input',
    'model_call_started',
    'model_call_ended',
    'llm_output',
    'before_agent_finalize',
    'agent_end',
    'reply_payload_sending',
    'message_sending',
    'before_message_write assistant',
    'message_sent',
  ]);
});

it('two tool calls of one answer, one after the other', async () => {
  await using test = await openRecorder();
  await test.say('read both', [{ toolCalls: [read('a.md'), read('a.md')] }, { text: 'done' }]);
  expect(test.marks).toEqual([
    ...opening,
    'before_agent_reply',
    ...modelAnswers,
    'before_message_write assistant',
    ...toolRuns,
    ...toolRuns,
    ...modelAnswers,
    'before_agent_finalize',
    ...delivery,
  ]);
});

it('a call that a plugin blocks: its result hooks fire all the same', async () => {
  await using test = await openRecorder({ before_tool_call: "return { block: true, blockReason: 'no' };" });
  await test.say('read it', [{ toolCalls: [read('a.md')] }, { text: 'done' }]);
  expect(test.marks).toEqual([
    ...opening,
    'before_agent_reply',
    ...modelAnswers,
    'before_message_write assistant',
    ...toolIsStopped,
    ...modelAnswers,
    'before_agent_finalize',
    ...delivery,
  ]);
});

it('a denied approval: the asker hears of it before the result is made', async () => {
  const ask = `return { requireApproval: { title: 'Write?', description: 'b.md', onResolution: (said) => mark('onResolution ' + said) } };`;
  await using test = await openRecorder({ before_tool_call: ask }, { answer: 'deny' });
  await test.say('write it', [{ toolCalls: [write] }, { text: 'done' }]);
  expect(test.marks).toEqual([
    ...opening,
    'before_agent_reply',
    ...modelAnswers,
    'before_message_write assistant',
    'before_tool_call',
    'onResolution deny',
    'tool_result_persist (not run)',
    'after_tool_call',
    'before_message_write toolResult',
    ...modelAnswers,
    'before_agent_finalize',
    ...delivery,
  ]);
});

it('a run that a plugin blocks: only the replacement is stored, and no model is asked', async () => {
  await using test = await openRecorder({ before_agent_run: "return { outcome: 'block', reason: 'x' };" });
  await test.say('hello', [{ text: 'not reached' }]);
  expect(test.marks).toEqual([...opening, 'agent_end']);
});

it('an answer that a plugin wants revised: the first draft is never stored', async () => {
  const revise =
    "if (event.lastAssistantMessage === 'draft') return { action: 'revise', reason: 'Write it out.' };";
  await using test = await openRecorder({ before_agent_finalize: revise });
  await test.say('write', [{ text: 'draft' }, { text: 'final' }]);
  expect(test.marks).toEqual([
    ...opening,
    'before_agent_reply',
    ...modelAnswers,
    'before_agent_finalize',
    ...modelAnswers,
    'before_agent_finalize',
    ...delivery,
  ]);
});

it('a turn that is cancelled while the model writes', async () => {
  await using test = await openRecorder();
  const abort = new AbortController();
  const model = createHeldModel([['wait']]);
  const turn = test.say('hello', [], { model, signal: abort.signal });
  await model.isWaiting;
  abort.abort();
  await turn;
  expect(test.marks).toEqual([...opening, 'before_agent_reply', ...modelAnswers, 'agent_end']);
});
