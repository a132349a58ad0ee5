import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { questionOf } from '../../test/builders/callContexts.ts';
import { openTestRuntime } from '../../test/builders/openTestRuntime.ts';
import type { ModelRequest } from '../contracts/model.ts';
import type { AskPerson } from '../mcp/serverQuestion.ts';
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

it('asks for a server only once the question about a call is answered, since both read the same line', async () => {
  await using test = await openTestRuntime();
  const { approvals, conversations, mcp } = test.runtime;
  const input = Object.assign(new PassThrough(), { isTTY: true });
  const output = Object.assign(new PassThrough(), { isTTY: true, columns: 80 });
  let shown = '';
  output.on('data', (chunk: Buffer) => (shown += chunk.toString('utf8')));
  let askPerson: AskPerson | undefined;
  const askBy: typeof mcp.askBy = (ask) => {
    askPerson = ask;
    return mcp.askBy(ask);
  };
  const approve = createApprover(
    { approvals, conversations, mcp: { ...mcp, askBy } },
    { input, output },
    {
      interrupt: () => expect.unreachable('nobody pressed Ctrl-C'),
      err: (text) => expect.unreachable(text),
    },
  );
  const call = approvals.request(
    ...questionOf({
      ...{ sessionKey: 's', sessionId: 's', runId: 'r', toolCallId: 'c', toolName: 'exec' },
      params: {},
      asks: [{ asker: 'host', title: 'ls', description: '', severity: 'warning' }],
      edits: [],
      grantScope: undefined,
      signal: AbortSignal.timeout(10_000),
      onAsked: (asked) => approve({ type: 'approval_requested', request: asked }),
    }),
  );
  await until(() => expect(shown).toContain('ls'));
  const address = { kind: 'address', url: 'https://files.example/in', host: 'files.example' } as const;
  const answer = askPerson?.(
    { server: 'files', message: 'Sign in.', ...address },
    AbortSignal.timeout(10_000),
  );
  await new Promise(setImmediate);
  expect(shown).not.toContain('The MCP server files asks');
  input.write('y\r');
  expect(await call).toMatchObject({ resolution: 'allow-once' });
  await until(() => expect(shown).toContain('Have you opened it'));
  input.write('n\r');
  expect(await answer).toEqual({ action: 'decline' });
});
