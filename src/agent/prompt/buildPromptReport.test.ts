import { expect, it } from 'vitest';
import type { ModelInfo } from '../../contracts/model.ts';
import type { PromptPart } from '../../contracts/promptReport.ts';
import { buildPromptReport, createPromptReports } from './buildPromptReport.ts';
import { renderPromptReport } from './renderPromptReport.ts';

const model: ModelInfo = {
  provider: 'acme',
  model: 'big',
  name: 'Big',
  contextWindow: 32_768,
  maxOutputTokens: 4_096,
  toolCalling: true,
};
const part: PromptPart = {
  id: 'plugin:words',
  title: 'After your message',
  owner: { kind: 'plugin', pluginId: 'words' },
  place: 'after',
  text: 'Count words.',
};

function report(parts: readonly PromptPart[], sessionId = 's1') {
  return buildPromptReport({
    runId: `run-${sessionId}`,
    sessionId,
    model,
    at: 0,
    parts,
    tools: [{ name: 'read', description: 'Reads', parameters: {}, owner: { kind: 'core' } }],
    messages: [{ role: 'user', content: [{ type: 'text', text: 'hello there' }], timestamp: 0 }],
  });
}

it('counts every part, tool and message by itself', () => {
  const { parts, tools, messages, window } = report([part, { ...part, text: '' }]);
  expect(parts.map(({ tokens }) => tokens)).toEqual([3, 0]);
  expect(tools[0]).toMatchObject({ name: 'read', owner: { kind: 'pincer' } });
  expect(tools[0]!.tokens).toBeGreaterThan(0);
  expect(messages.count).toBe(1);
  expect(window).toBe(32_768);
});

it('is shown with who added what, and says whether numbers are estimates', () => {
  const text = renderPromptReport(report([part]));
  expect(text).toContain('| After your message | 3 | plugin words | after your message |  |');
  expect(text).toContain('```text\nCount words.\n```');
  expect(text).toContain('32,768 tokens, estimated');
  // As people write the time of their own place.
  expect(text).toMatch(/^Model acme\/big · \w{3} \d+, \d{4}, \d+:\d{2}:\d{2}\s[AP]M · /mu);
  expect(renderPromptReport({ ...report([part]), countedTokens: 1_234 })).toContain(
    '1,234 of 32,768 tokens, counted by the server',
  );
});

it('lets no part break out of its block or make rows of the table', () => {
  const evil = {
    ...part,
    title: 'a | b\n| forged | 0 |',
    note: '[click](command:x)',
    text: 'one\n````\n# Forged\n`````',
  };
  const text = renderPromptReport(report([evil]));
  expect(text).toContain('``````text\none\n````\n# Forged\n`````\n``````');
  expect(text).not.toContain('\n| forged');
  expect(text).not.toContain('[click](command:x)');
});

it('shows characters that nobody sees by their number', () => {
  expect(renderPromptReport(report([{ ...part, text: 'a\u200Bb\tc' }]))).toContain('a\\u{200B}b\tc');
});

it('keeps the last report of each session, of at most 50', () => {
  const reports = createPromptReports();
  reports.keep(report([part], 'first'));
  reports.keep(report([], 'first'));
  expect(reports.last('first')?.parts).toEqual([]);
  reports.noteCounted('run-first', 99);
  reports.noteCounted('run-first', 100);
  expect(reports.last('first')?.countedTokens).toBe(99);
  for (let at = 0; at < 50; at += 1) reports.keep(report([], `s${at}`));
  expect(reports.last('first')).toBeUndefined();
  reports.forget('s49');
  expect(reports.last('s49')).toBeUndefined();
});
