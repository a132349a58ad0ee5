import * as vscode from 'vscode';
import { inertLine } from '../../base/text.ts';
import type { AccountState, ConversationView, PairingRequest } from '../../channels/channels.ts';
import { agoText } from '../sessions/sessionTexts.ts';
import type { AccountRow, ChannelRow, ChannelsRow, ConversationRow, PairingRow } from './channelRows.ts';

const { Expanded, None } = vscode.TreeItemCollapsibleState;

// What senders call themselves and write is theirs: one inert line each, and no markdown.
/** `now` is in milliseconds since the epoch. */
export function toChannelItem(row: ChannelsRow, now: number): vscode.TreeItem {
  switch (row.kind) {
    case 'pairing':
      return pairingItem(row, now);
    case 'channel':
      return channelItem(row);
    case 'account':
      return accountItem(row);
    case 'conversation':
      return conversationItem(row, now);
  }
}

function pairingItem({ request, channel, code }: PairingRow, now: number): vscode.TreeItem {
  const item = new vscode.TreeItem(senderName(request));
  const age = agoText(request.createdAt, now);
  item.description = [inertLine(code, 20), inertLine(channel, 40), age].join(' · ');
  item.iconPath = new vscode.ThemeIcon('person-add', new vscode.ThemeColor('list.warningForeground'));
  item.contextValue = 'pairing';
  item.tooltip = [
    vscode.l10n.t('{0} wants to talk with the agent over {1}.', senderName(request), inertLine(channel, 40)),
    vscode.l10n.t(
      'They chose this name themselves. Approve only the person who tells you this code: {0}',
      inertLine(code, 20),
    ),
    vscode.l10n.t('Id: {0}', inertLine(request.senderId, 100)),
  ].join('\n');
  return item;
}

/** The name, or the id of who gives none. */
export function senderName({
  senderName: name,
  senderId,
}: Pick<PairingRequest, 'senderId' | 'senderName'>): string {
  return inertLine(name === undefined || name.trim() === '' ? senderId : name, 60);
}

function channelItem({ channel, accountId, children }: ChannelRow): vscode.TreeItem {
  const { label, state, accounts } = channel;
  const reason = channel.reason ?? (accountId === undefined ? undefined : accounts[0]?.reason);
  const item = new vscode.TreeItem(inertLine(label, 60), children.length === 0 ? None : Expanded);
  // VS Code keeps how a row was unfolded by its id: one that gets its first conversation is a new row, which shows it.
  item.id = `${channel.id}:${children.length === 0 ? 'empty' : 'filled'}`;
  look(item, state, reason);
  item.contextValue = `channel.${accountId === undefined ? 'group' : 'one'}.${state}`;
  return item;
}

function accountItem({ account }: AccountRow): vscode.TreeItem {
  const item = new vscode.TreeItem(inertLine(account.id, 60));
  look(item, account.state, account.reason);
  item.contextValue = `account.${account.state}`;
  return item;
}

function look(item: vscode.TreeItem, state: AccountState, reason: string | undefined): void {
  const why = reason === undefined ? [] : [inertLine(reason, 300)];
  // Why it is off says that it is.
  item.description =
    state === 'off' && reason !== undefined ? why.join('') : [stateText(state), ...why].join(' · ');
  item.tooltip = [stateText(state), ...why].join('\n');
  item.iconPath = stateIcon(state);
}

/** What an account does, in a word. */
export function stateText(state: AccountState): string {
  switch (state) {
    case 'off':
      return vscode.l10n.t('off');
    case 'starting':
      return vscode.l10n.t('starting');
    case 'running':
      return vscode.l10n.t('running');
    case 'waiting':
      return vscode.l10n.t('failed, will retry');
    case 'failed':
      return vscode.l10n.t('failed');
    case 'elsewhere':
      return vscode.l10n.t('runs in another window');
  }
}

function stateIcon(state: AccountState): vscode.ThemeIcon {
  switch (state) {
    case 'off':
      return new vscode.ThemeIcon('circle-slash');
    case 'starting':
      return new vscode.ThemeIcon('sync~spin');
    case 'running':
      return new vscode.ThemeIcon('broadcast', new vscode.ThemeColor('testing.iconPassed'));
    case 'waiting':
      return new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'));
    case 'failed':
      return new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground'));
    case 'elsewhere':
      return new vscode.ThemeIcon('multiple-windows');
  }
}

function conversationItem({ conversation }: ConversationRow, now: number): vscode.TreeItem {
  const { title, isMuted, isTakenOver, unread, sessionId } = conversation;
  const item = new vscode.TreeItem(inertLine(title, 60), None);
  item.description = conversationText(conversation, now);
  item.iconPath = new vscode.ThemeIcon(
    isMuted ? 'mute' : isTakenOver ? 'person' : unread > 0 ? 'comment-unresolved' : 'comment',
  );
  const taken = isTakenOver ? 'taken' : 'free';
  item.contextValue = `conversation.${taken}.${isMuted ? 'muted' : 'heard'}${sessionId === undefined ? '' : '.session'}`;
  item.tooltip = [
    inertLine(title, 100),
    conversationText(conversation, now),
    vscode.l10n.t('Agent: {0}', inertLine(conversation.agentId, 64)),
  ].join('\n');
  item.command = {
    command: 'pincer.channels.read',
    title: vscode.l10n.t('Read Conversation'),
    arguments: [{ conversationId: conversation.id }],
  };
  return item;
}

/** `2 new · you answer · Is the tide out? · 5 min. ago`. */
export function conversationText(
  { isMuted, isTakenOver, lastAt, lastText, unread }: ConversationView,
  now: number,
): string {
  return [
    ...(unread === 0 ? [] : [vscode.l10n.t('{0} new', unread)]),
    ...(isMuted ? [vscode.l10n.t('muted')] : []),
    ...(isTakenOver ? [vscode.l10n.t('you answer')] : []),
    ...(lastText === '' ? [] : [inertLine(lastText, 80)]),
    agoText(lastAt, now),
  ].join(' · ');
}
