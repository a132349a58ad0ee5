import { describe, expect, it } from 'vitest';
import { openConversation } from '../conversations/openConversation.ts';

/** Which of the agents `main` and `other` answers in the chat. */
async function answering(...bindings: readonly object[]): Promise<string> {
  await using world = await openConversation({ config: { agents: { main: {}, other: {} }, bindings } });
  return world.session.agentId;
}

describe('a binding', () => {
  it('bindings.*.agentId is the agent that answers', async () => {
    expect(await answering({ agentId: 'other', match: { channel: 'vscode' } })).toBe('other');
  });

  it('bindings.*.match.channel is where', async () => {
    const elsewhere = { agentId: 'main', match: { channel: 'cli' } };
    expect(await answering(elsewhere, { agentId: 'other', match: { channel: 'vscode' } })).toBe('other');
    expect(await answering({ agentId: 'other', match: { channel: 'cli' } })).toBe('main');
  });

  const narrowed = (more: object) => answering({ agentId: 'other', match: { channel: 'vscode', ...more } });

  it('bindings.*.match.accountId holds for that account alone, * for any', async () => {
    expect(await narrowed({ accountId: 'work' })).toBe('main');
    expect(await narrowed({ accountId: '*' })).toBe('other');
  });

  it('bindings.*.match.peer holds for that peer alone', async () => {
    expect(await narrowed({ peer: { kind: 'direct', id: 'ann' } })).toBe('main');
  });

  it('bindings.*.match.guildId holds for that server or team alone', async () => {
    expect(await narrowed({ guildId: 'crew' })).toBe('main');
  });

  it('bindings.*.match.roles holds for senders with one of them alone', async () => {
    expect(await narrowed({ roles: ['captain'] })).toBe('main');
  });

  it('bindings.*.match.teamId holds for that team alone', async () => {
    expect(await narrowed({ teamId: 'acme' })).toBe('main');
  });
});
