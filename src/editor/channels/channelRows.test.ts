import { expect, it } from 'vitest';
import type { AccountView, ChannelView, ConversationView, PairingRequest } from '../../channels/channels.ts';
import { channelRowKey, planChannelRows } from './channelRows.ts';

const account = (id: string): AccountView => ({ id, state: 'running', since: 0, attempts: 0 });
const channel = (id: string, more: Partial<ChannelView> = {}): ChannelView => ({
  ...{ id, label: id.toUpperCase(), pluginId: id, state: 'off', accounts: [] },
  ...more,
});
const on = (id: string, ...accounts: readonly string[]): ChannelView =>
  channel(id, { state: 'running', accounts: accounts.map(account) });
const conversation = (id: string, of: string): ConversationView => ({
  ...{ id, channel: of, accountId: 'main', kind: 'direct', title: id, sessionId: 's', agentId: 'main' },
  ...{ lastAt: 1, lastText: 'Ahoy', unread: 0, isTakenOver: false, isMuted: false },
});
const pairing: PairingRequest = {
  ...{ channel: 'sea', accountId: 'main', senderId: '7', code: 'ABCD2345', createdAt: 0, expiresAt: 9 },
};

it('shows who waits first, then channels that are on before those that are off', () => {
  const channels = [channel('air'), on('sea', 'main')];
  const rows = planChannelRows({ channels, pairings: [pairing], conversations: [] });
  expect(rows.map(channelRowKey)).toEqual(['pairing ABCD2345', 'channel sea', 'channel air']);
  expect(rows[0]).toMatchObject({ channel: 'SEA' });
});

it('shows a channel of the config that no plugin brings: its reason says what to do', () => {
  const missing = { ...channel('air'), pluginId: undefined, reason: 'no plugin that is loaded brings it' };
  expect(planChannelRows({ channels: [missing], pairings: [], conversations: [] })).toMatchObject([
    { channelId: 'air', channel: { state: 'off' }, children: [] },
  ]);
});

it('takes the one account of a channel for the channel, and lists several', () => {
  const channels = [on('air', 'main'), on('sea', 'a', 'b')];
  const conversations = [conversation('ann', 'sea'), conversation('bob', 'air')];
  const [air, sea] = planChannelRows({ channels, pairings: [], conversations });
  expect(air).toMatchObject({ accountId: 'main', children: [{ conversationId: 'bob' }] });
  expect(sea).not.toHaveProperty('accountId');
  expect(sea).toMatchObject({
    children: [{ accountId: 'a' }, { accountId: 'b' }, { conversationId: 'ann' }],
  });
});

it('keeps conversations of a channel whose plugin is gone', () => {
  const rows = planChannelRows({ channels: [], pairings: [], conversations: [conversation('ann', 'sea')] });
  expect(rows).toMatchObject([
    { channelId: 'sea', channel: { state: 'off' }, children: [{ conversationId: 'ann' }] },
  ]);
});
