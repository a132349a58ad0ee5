import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ToolResult } from '../../../src/contracts/tool.ts';
import { createDiagnosticsTool } from '../../../src/tools/core/diagnostics.ts';
import { createSessionStatusTool, type SessionStatus } from '../../../src/tools/core/sessionStatus.ts';
import type { FileProblem } from '../../../src/tools/problemSource.ts';
import { testCall, testRun } from '../../builders/callContexts.ts';
import { createTestWorkspace, type TestWorkspace } from './createTestWorkspace.ts';

let workspace: TestWorkspace;
beforeEach(async () => {
  workspace = await createTestWorkspace();
  await workspace.put('proj/a.ts', 'let a\n');
});
afterEach(() => workspace.remove());

const problems: readonly FileProblem[] = [
  { severity: 'hint', line: 9, message: 'prefer const' },
  { severity: 'error', line: 3, message: 'not\n  assignable', source: 'ts' },
  { severity: 'warning', line: 1, message: 'unused' },
];

const text = ({ content }: ToolResult): string =>
  content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');

async function diagnose(params: Record<string, unknown>): Promise<string> {
  const tool = createDiagnosticsTool(workspace.deps, { problemsOf: () => Promise.resolve(problems) });
  const prepared = await tool.prepare(testCall(), params);
  return text(await prepared.run(testRun()));
}

it('diagnostics gives errors and warnings in the order of lines, and says that there are milder ones', async () => {
  expect(await diagnose({ path: 'a.ts' })).toBe(
    'a.ts:1: warning: unused\na.ts:3: error: not assignable (ts)\n[1 milder problem not shown.]',
  );
  expect(await diagnose({ path: 'a.ts', severity: 'hint' })).toContain('a.ts:9: hint: prefer const');
});

it('diagnostics looks only at files of the workspace', async () => {
  await expect(diagnose({ path: '../a.ts' })).rejects.toMatchObject({ code: 'path_outside' });
});

it('diagnostics is not offered where no editor runs', () => {
  const tool = createDiagnosticsTool(workspace.deps, undefined);
  expect(tool.unavailable?.()).toBe('only an editor knows the problems of a file');
});

it('session_status says where the model is, what it may do and why tools are hidden', async () => {
  const status: SessionStatus = {
    sessionKey: 'main',
    model: 'built-in',
    now: '2026-11-21T12:00:00+00:00',
    folders: ['/w'],
    isTrusted: false,
    approvals: 'ask',
    execHost: 'local',
    runningJobs: 2,
    hiddenTools: ['web_search: no search service is configured'],
  };
  const tool = createSessionStatusTool(workspace.deps, () => status);
  const result = await (await tool.prepare(testCall(), {})).run(testRun());
  expect(text(result)).toContain('Folders: /w (not trusted: only reading)');
  expect(text(result)).toContain('Hidden tools: web_search: no search service is configured');
  expect(result.details).toEqual(status);
});
