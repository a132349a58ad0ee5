import { describe, expect, it } from 'vitest';
import type { AgentMessage } from '../../contracts/message.ts';
import type { SessionEntry } from '../../contracts/sessionEntry.ts';
import { callMarkdown, callTitle, findCall } from './callMarkdown.ts';

const said = (message: AgentMessage): SessionEntry => ({ type: 'message', id: 'e', parentId: null, message });
const asked = said({
  ...{ role: 'assistant', provider: 'p', model: 'm', stopReason: 'toolUse', timestamp: 0 },
  content: [{ type: 'toolCall', id: 'c-1', name: 'exec', arguments: { command: 'ls' } }],
});
const answered = said({
  ...{ role: 'toolResult', toolCallId: 'c-1', toolName: 'exec', isError: true, timestamp: 0 },
  ...{ content: [{ type: 'text', text: '```\n# no heading of ours' }], details: { exitCode: 2 } },
});

describe('the document of a call', () => {
  it('has parameters, who judged it and the result, and nothing in it ends a block', () => {
    const call = findCall([asked, answered], 'c-1');
    expect(call && callMarkdown(call, ['host rules: nothing to ask'])).toBe(
      [
        '# exec',
        '## Parameters',
        '```json\n{\n  "command": "ls"\n}\n```',
        '## Judged',
        '```\nhost rules: nothing to ask\n```',
        '## Failed',
        '````\n```\n# no heading of ours\n````',
        '## Details',
        '```json\n{\n  "exitCode": 2\n}\n```\n',
      ].join('\n\n'),
    );
  });

  it('is named by its tool and what it is about, as one part of a path', () => {
    const call = (args: Record<string, unknown>): string =>
      callTitle({ call: { type: 'toolCall', id: 'c', name: 'exec', arguments: args } });
    expect(call({ command: 'npm  test' })).toBe('exec npm test');
    expect(call({ path: 'src/a\\b\u202E.ts', content: 'x' })).toBe('exec src∕a∕b.ts');
    expect(call({ timeout: 1 })).toBe('exec');
    expect(call({ command: 'x'.repeat(200) })).toHaveLength(60);
  });

  it('says where a result is missing, and is none for a call that is not kept', () => {
    const call = findCall([asked], 'c-1');
    expect(call && callMarkdown(call, [])).toMatch(/## No result\n$/u);
    expect(findCall([asked], 'c-2')).toBeUndefined();
  });
});
