import { expect, it } from 'vitest';
import { hookCatalog } from '../../../src/hooks/hookCatalog.ts';
import { openTestRuntime } from '../../builders/openTestRuntime.ts';

const all = JSON.stringify(Object.keys(hookCatalog));
const sync = ['tool_result_persist', 'before_message_write'];

/** Listens to every hook and says when it was called; a gate must pass explicitly. */
const recorder = `
module.exports = (api) => {
  for (const name of ${all}) {
    const answer = name === 'before_agent_run' ? { outcome: 'pass' } : undefined;
    const handler = (event) => { mark(name === 'before_message_write' ? name + ' ' + event.message.role : name); return answer; };
    api.on(name, ${JSON.stringify(sync)}.includes(name) ? handler : async (event) => handler(event));
  }
};
`;

const conversation = { plugins: { entries: { recorder: { hooks: { allowConversationAccess: true } } } } };

it('fires the hooks of a message with one tool call in the order of the 13 steps', async () => {
  await using test = await openTestRuntime({
    files: { 'a.md': 'text' },
    plugins: { recorder },
    config: conversation,
  });
  test.marks.length = 0;
  await test.say('read it', [
    { toolCalls: [{ name: 'read', arguments: { path: 'a.md' } }] },
    { text: 'done' },
  ]);
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
    'message_sending',
    'before_message_write assistant',
    'message_sent',
  ]);
});

it('fires every hook that the catalog calls live, and no other', async () => {
  const marks: string[] = [];
  {
    await using test = await openTestRuntime({
      files: { 'a.md': 'text' },
      plugins: { recorder },
      config: conversation,
    });
    await test.say('read it', [
      { toolCalls: [{ name: 'read', arguments: { path: 'a.md' } }] },
      { text: 'done' },
    ]);
    await test.runtime.resetSession(test.session);
    await test.runtime.stop('shutdown');
    marks.push(...test.marks.map((mark) => mark.split(' ')[0] ?? ''));
  }
  const live = Object.entries(hookCatalog).flatMap(([name, row]) => (row.emitted === 'live' ? [name] : []));
  // The plugin is enabled after the runtime started, so it can't have seen the start.
  expect([...new Set(marks)].sort()).toEqual(live.filter((name) => name !== 'gateway_start').sort());
});
