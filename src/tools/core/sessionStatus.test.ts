import { expect, it } from 'vitest';
import { testCall, testRun } from '../../../test/builders/callContexts.ts';
import { createSessionStatusTool, type SessionStatus } from './sessionStatus.ts';

const status: SessionStatus = {
  sessionKey: 'agent:main:vscode:1',
  model: 'ollama/qwen3',
  now: '2026-11-21T10:00:00+01:00',
  folders: ['/w'],
  isTrusted: true,
  approvals: 'ask',
  execHost: 'local',
  runningJobs: 0,
  hiddenTools: [],
};
async function textOf(given: SessionStatus): Promise<string> {
  const tool = createSessionStatusTool({ layout: () => ({ roots: [], platform: 'linux' }) }, () => given);
  const prepared = await tool.prepare(testCall(), {});
  const { content } = await prepared.run(testRun());
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

it('session_status says who answers, how full the context is and what was used, where that is known', async () => {
  const text = await textOf({
    ...status,
    agent: 'helper',
    context: '1.2k of 32k tokens (estimated)',
    used: '2k tokens in, 300 out, $0.0123',
  });
  expect(text).toContain('Agent: helper\n');
  expect(text).toContain('Context: 1.2k of 32k tokens (estimated)\n');
  expect(text).toContain('Used: 2k tokens in, 300 out, $0.0123\n');
  expect(await textOf(status)).not.toContain('Used');
});
