import { expect, it } from 'vitest';
import { findToolRuleProblems } from './findToolRuleProblems.ts';

const file = (source: string, config: Parameters<typeof findToolRuleProblems>[0][number]['config']) => ({
  source,
  config,
});

it('names a profile that nothing defines, wherever it stands', () => {
  const user = file('/user', {
    tools: {
      profile: 'coding',
      profiles: { Reviewer: { allow: ['read'] } },
      byProvider: { ollama: { profile: 'codign' } },
      providers: { openai: { profile: 'none' } },
    },
    agents: { writer: { tools: { profile: 'prose' } } },
  });
  const workspace = file('/workspace', { tools: { profile: 'reviewer' } });
  expect(findToolRuleProblems([user, workspace]).map(({ message }) => message.split(',')[0])).toEqual([
    'tools.byProvider.ollama.profile names the profile "codign"',
    'agents.writer.tools.profile names the profile "prose"',
    'tools.providers.openai.profile names the profile "none"',
  ]);
});
