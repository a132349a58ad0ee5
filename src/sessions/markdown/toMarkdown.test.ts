import { describe, expect, it } from 'vitest';
import type { AgentMessage, AssistantMessage } from '../../contracts/message.ts';
import type { SessionEntry, SessionHeader } from '../../contracts/sessionEntry.ts';
import { inertAnswer } from './inertAnswer.ts';
import { toMarkdown } from './toMarkdown.ts';

const header: SessionHeader = {
  ...{ type: 'session', version: 2, id: 'i-1', key: 'k', kind: 'chat', agentId: 'main', folders: ['/w'] },
  ...{ createdAt: Date.UTC(2026, 10, 21), parent: { sessionId: 'i-0' } },
};
const at = Date.UTC(2026, 10, 21, 20, 15);
const said = (message: AgentMessage): SessionEntry => ({ type: 'message', id: 'e', parentId: null, message });
const user = (text: string): SessionEntry =>
  said({ role: 'user', content: [{ type: 'text', text }], timestamp: at });
const answer = (content: AssistantMessage['content']): SessionEntry =>
  said({ role: 'assistant', content, provider: 'p', model: 'm', stopReason: 'stop', timestamp: at });
const result = (text: string): SessionEntry =>
  said({
    ...{ role: 'toolResult', toolCallId: 'c', toolName: 'read', isError: true, timestamp: at },
    content: [{ type: 'text', text }],
  });
const markdown = (...entries: readonly SessionEntry[]): string =>
  toMarkdown({ header, entries, title: 'A *title*' });

describe('toMarkdown', () => {
  it('begins with the title and what the session is', () => {
    expect(markdown(user('Hi'), answer([{ type: 'text', text: 'Hello' }]))).toBe(
      [
        '# A \\*title\\*',
        '',
        '- Session: `i-1`',
        '- Agent: `main`',
        '- Began: `2026-11-21T00:00:00.000Z`',
        '- Messages: `2`',
        '- Models: `p/m`',
        '- Folders: `/w`',
        '- Comes from: `i-0`',
        '',
        '## User (2026-11-21 20:15)',
        '',
        'Hi',
        '',
        '## Assistant (2026-11-21 20:15)',
        '',
        'Hello',
        '',
      ].join('\n'),
    );
  });

  it('folds a call with its result, which nothing in it can close, and cuts what is long', () => {
    const call = { type: 'toolCall', id: 'c', name: 'read</summary>', arguments: { path: 'a' } } as const;
    const text = markdown(answer([call]), result(`\`\`\`\n</details>\n## User\n${'x'.repeat(3_000)}`));
    expect(text).toContain('<summary>Tool: read&lt;/summary&gt;, failed</summary>');
    expect(text).toContain('````\n```\n</details>\n## User\nxxx');
    expect(text).toMatch(/…\n````\n\n\*Cut: 3023 characters in all\.\*\n\n<\/details>\n$/u);
    expect(text).toContain('```json\n{\n  "path": "a"\n}\n```');
  });

  it('gives each call its own result, though a server numbers its calls anew', () => {
    const call = (): SessionEntry => answer([{ type: 'toolCall', id: 'c', name: 'read', arguments: {} }]);
    const text = markdown(call(), result('first'), call(), result('second'), call());
    expect([...text.matchAll(/first|second|no result/gu)].map(([found]) => found)).toEqual([
      'first',
      'second',
      'no result',
    ]);
  });

  it('shows summaries, thoughts, attachments and how turns ended', () => {
    const ids = { id: 'e', parentId: null };
    const text = markdown(
      said({
        ...{ role: 'user', via: 'steer', timestamp: at },
        content: [
          { type: 'text', text: 'Look' },
          { type: 'text', text: '# a file', isContext: true },
          { type: 'image', data: 'AAAA', mimeType: 'image/png' },
        ],
      }),
      answer([{ type: 'thinking', thinking: 'Hm.' }]),
      {
        ...{ type: 'compaction', ...ids, summary: 'So far.', firstKeptId: null, by: 'user', timestamp: at },
        ...{ model: { provider: 'p', model: 'm' }, tokensBefore: 2, tokensAfter: 1, compactedCount: 3 },
      },
      { type: 'turn', ...ids, runId: 'r', state: 'cancelled' },
    );
    for (const part of [
      '## User, while the turn ran (',
      '<summary>Attached</summary>\n\n```\n# a file\n```',
      '*Image (`image/png`), left out.*',
      '<summary>Thoughts</summary>\n\nHm.',
      'a summary stands for 3 messages</summary>\n\nSo far.',
      '*The turn was cancelled.*',
    ])
      expect(text).toContain(part);
    expect(text).not.toContain('AAAA');
  });
});

describe('inertAnswer', () => {
  it.each([
    ['a heading of ours', '## User (today)', '#### User (today)'],
    ['one in a quote or a list', '> # a\n- ## b', '> ### a\n- #### b'],
    ['a deep one', '##### a', '###### a'],
    ['an underlined one', 'User\n----\nOther\n===', 'User\n\\----\nOther\n\\==='],
    ['a rule', 'a\n\n* * *', 'a\n\n\\* * *'],
    ['HTML', '<img src=x onerror=1>', '&lt;img src=x onerror=1>'],
    ['an image', '![a](https://example.com/?q=secret)', '!\\[a](https://example.com/?q=secret)'],
    ['a block that was left open', '```ts\n<a> # b', '```ts\n<a> # b\n```'],
  ])('%s', (_what, given, inert) => {
    expect(inertAnswer(given)).toBe(inert);
  });

  it('leaves prose, lists, tables, links and code as they are', () => {
    const text =
      'A *word*, `code`, [link](a.md), #tag.\n\n- one\n\n| a | b |\n| - | - |\n\n~~~\n# <b>\n```\n~~~\n1. x';
    expect(inertAnswer(text)).toBe(text);
  });
});

it("names a channel's sender in place of the user, and shows the words without the tags that a model reads", () => {
  const sent =
    '<channel-message channel="telegram" from="Ada" id="7">\nWhen does **the tide** turn?\n</channel-message>';
  expect(markdown(user(sent))).toContain(
    '## Ada \\(telegram, 7\\) (2026-11-21 20:15)\n\nWhen does **the tide** turn?',
  );
  expect(markdown(user(`See ${sent}`))).toContain('## User (');
});
