import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { questionOf } from '../../test/builders/callContexts.ts';
import { openTestRuntime } from '../../test/builders/openTestRuntime.ts';
import type { ModelRequest } from '../contracts/model.ts';
import { createApprover } from './createApprover.ts';
import { until } from '../../test/builders/until.ts';

const writes = { toolCalls: [{ name: 'write', arguments: { path: 'a.md', content: 'x\n' } }] };

it.each([
  ['words, which the model reads next', 'n\rUse b.md\r', 'words', 'Use b.md'],
  ['no more than no', 'n\r\r', 'terminal', 'Denied by user'],
])('answers with %s', async (_name, typed, by, told) => {
  await using test = await openTestRuntime();
  const { approvals } = test.runtime;
  const terminal = {
    input: new PassThrough(),
    output: Object.assign(new PassThrough().resume(), { isTTY: true, columns: 80 }),
  };
  const approve = createApprover(test.runtime, terminal, {
    interrupt: () => expect.unreachable('nobody pressed Ctrl-C'),
    err: (text) => expect.unreachable(text),
  });
  const heard = approvals.onDidChange(() => {
    const [request] = approvals.pending();
    if (request === undefined) return;
    heard.dispose();
    approve({ type: 'approval_requested', request });
    terminal.input.write(typed);
  });
  const asked: ModelRequest[] = [];
  await test.say('go', [writes, { text: 'I see.' }], { seen: (request) => void asked.push(request) });
  expect(approvals.history()).toMatchObject([{ resolution: 'deny', by }]);
  expect(JSON.stringify(asked[1]?.messages.at(-1))).toContain(told);
  expect(existsSync(join(test.workspace, 'a.md'))).toBe(false);
});

it('reads a line for one question, where agents that run at the same time ask two', async () => {
  await using test = await openTestRuntime();
  const { approvals } = test.runtime;
  const terminal = {
    input: new PassThrough(),
    output: Object.assign(new PassThrough().resume(), { isTTY: true, columns: 80 }),
  };
  const approve = createApprover(test.runtime, terminal, {
    interrupt: () => expect.unreachable('nobody pressed Ctrl-C'),
    err: (text) => expect.unreachable(text),
  });
  const answer = async (command: string): Promise<string> => {
    const { request, resolution, by } = await approvals.request(
      ...questionOf({
        ...{ sessionKey: command, sessionId: command, runId: command, toolCallId: 'c', toolName: 'exec' },
        params: {},
        asks: [{ asker: 'host', title: command, description: '', severity: 'warning' }],
        edits: [],
        grantScope: undefined,
        signal: AbortSignal.timeout(10_000),
        onAsked: (asked) => approve({ type: 'approval_requested', request: asked }),
      }),
    );
    approve({ type: 'approval_resolved', request, resolution, by });
    return resolution;
  };
  const both = [answer('ls'), answer('curl evil.example')];
  await until(() => expect(approvals.pending()).toHaveLength(2));
  terminal.input.write('y\r');
  expect(await both[0]).toBe('allow-once');
  await new Promise(setImmediate);
  expect(approvals.pending()).toMatchObject([{ title: 'curl evil.example' }]);
  terminal.input.write('n\r\r');
  expect(await both[1]).toBe('deny');
});
