import { expect, it } from 'vitest';
import type { AgentEvent } from '../../contracts/agentEvent.ts';
import type { ToolResultMessage } from '../../contracts/message.ts';
import { createLiveCalls } from './liveCalls.ts';

const started = (id: string, name: string, label: string): AgentEvent => ({
  type: 'tool_started',
  call: { type: 'toolCall', id, name, arguments: {} },
  label,
  target: '',
});
const progress = (toolCallId: string, text: string): AgentEvent => ({
  type: 'tool_progress',
  toolCallId,
  text,
});
const ended = (id: string): AgentEvent => ({
  type: 'tool_ended',
  call: { type: 'toolCall', id, name: 'keel', arguments: {} },
  result: {
    role: 'toolResult',
    toolCallId: id,
    toolName: 'keel',
    content: [],
    isError: false,
    timestamp: 1,
  } satisfies ToolResultMessage,
});

it('a call stands there from its first line until it ends; a command never does', () => {
  const calls = createLiveCalls();
  let changes = 0;
  calls.onDidChange(() => (changes += 1));
  const note = calls.follow();
  note(started('c1', 'keel', 'Look at the keel'));
  note(started('c2', 'exec', 'Run npm test'));
  note(progress('c2', 'ok'));
  expect([calls.list(), changes]).toEqual([[], 0]);
  note(progress('c1', 'half\n\nway \u001B[31mred'));
  const [call] = calls.list();
  expect(call?.label).toBe('Look at the keel');
  expect(call?.lines()).toEqual(['half', expect.stringMatching(/^way .*red$/u)]);
  const heard: string[] = [];
  call?.onLine((line) => heard.push(line));
  call?.onEnd(() => heard.push('end'));
  note(progress('c1', 'done'));
  note(ended('c1'));
  expect(heard).toEqual(['done', 'end']);
  expect([calls.list(), call?.isRunning(), changes]).toEqual([[], false, 3]);
});

it('what a turn leaves open ends with it, and turns do not mix', () => {
  const calls = createLiveCalls();
  const [one, two] = [calls.follow(), calls.follow()];
  for (const note of [one, two]) {
    note(started('c1', 'keel', 'Look'));
    note(progress('c1', 'half way'));
  }
  expect(calls.list()).toHaveLength(2);
  one({ type: 'run_ended', runId: 'r', outcome: { status: 'cancelled' } });
  expect(calls.list()).toHaveLength(1);
});
