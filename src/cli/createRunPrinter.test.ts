import { expect, it } from 'vitest';
import type { AgentEvent } from '../contracts/agentEvent.ts';
import { createRunPrinter } from './createRunPrinter.ts';

it('an answer keeps its lines and tabs and can not steer the terminal', () => {
  let out = '';
  let err = '';
  const print = createRunPrinter({ out: (text) => void (out += text), err: (text) => void (err += text) });
  const events: readonly unknown[] = [
    { type: 'text', text: 'a\tb\n\u001B]52;c;' },
    { type: 'text', text: 'ZXZpbA==\u0007\u202E\u009B2J' },
    { type: 'tool_started', label: 'Read \u001B[2Jx\nerror: none' },
    { type: 'tool_ended', result: { isError: true, content: [{ type: 'text', text: 'no\u001Bluck' }] } },
    { type: 'run_ended', outcome: { status: 'blocked', text: 'no\u0007 way' } },
  ];
  for (const event of events) print(event as AgentEvent);
  expect(out).toBe('a\tb\n]52;c;ZXZpbA==2J\nno way\n');
  expect(err).toBe('› Read [2Jx error: none\n  noluck\n');
});
