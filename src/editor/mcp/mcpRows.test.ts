import { expect, it } from 'vitest';
import type { ServerView } from '../../mcp/mcpServers.ts';
import { planRootRows } from '../plugins/pluginRows.ts';
import { needsReview, planMcpRows, serverContext, serverSummary } from './mcpRows.ts';

const server = (more: Partial<ServerView> = {}): ServerView => ({
  name: 'files',
  origin: { kind: 'user' },
  isAddress: false,
  target: 'node server.mjs',
  secrets: [],
  state: 'ready',
  tools: [],
  newTools: [],
  leftOut: [],
  ...more,
});
const tool = { name: 'echo', toolName: 'mcp__files__echo', description: '' };

it('offers a review exactly where somebody has to look', () => {
  expect(needsReview(server({ tools: [tool] }))).toBe(false);
  expect(needsReview(server({ state: 'off', newTools: ['x'] }))).toBe(false);
  const open = [
    server({ state: 'new' }),
    server({ state: 'changed' }),
    server({ state: 'unlisted' }),
    server({ newTools: ['x'] }),
    server({ tools: [{ ...tool, withdrawn: 'gone' }] }),
  ];
  expect(open.map(needsReview)).toEqual([true, true, true, true, true]);
  expect(serverContext(open[0]!)).toBe('mcp.new.review.named');
  expect(serverContext(server({ origin: { kind: 'plugin', pluginId: 'p' } }))).toBe('mcp.ready');
});

it('counts tools that agents have, new ones and withdrawn ones', () => {
  const all = server({ tools: [tool, { ...tool, name: 'b', withdrawn: 'gone' }], newTools: ['c'] });
  expect(serverSummary(all, 'running')).toBe('running · 1 withdrawn · 1 new · 1 tool');
  expect(
    planMcpRows({ kind: 'mcp server', serverName: all.name, server: { ...all, problem: 'Odd.' } }).map(
      ({ kind }) => kind,
    ),
  ).toEqual(['mcp problem', 'mcp origin', 'mcp tool', 'mcp tool', 'mcp new tool']);
});

it('does not repeat at the top of the view what stands below a server', () => {
  const problem = { level: 'warn', code: 'mcp_changed', message: 'x' } as const;
  const rows = planRootRows([], [problem, { ...problem, code: 'mcp_look_alike' }], [], [server()]);
  expect(rows.map(({ kind }) => kind)).toEqual(['problem', 'start', 'mcp servers']);
});
