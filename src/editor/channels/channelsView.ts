import * as vscode from 'vscode';
import { errorMessage } from '../../base/errors.ts';
import { inertLine } from '../../base/text.ts';
import type { PairingRequest } from '../../channels/channels.ts';
import type { Runtime } from '../../runtime/index.ts';
import { notificationText } from '../notificationText.ts';
import { inBackground } from '../registerCommand.ts';
import { setContextKey } from '../setContextKey.ts';
import { createRefresher } from '../trees/createRefresher.ts';
import { createRowTree } from '../trees/createRowTree.ts';
import { senderName, toChannelItem } from './channelItems.ts';
import { channelRowKey, planChannelRows, type ChannelsRow } from './channelRows.ts';

type Channels = Runtime['channels'];

/** How often what changes is looked at. Milliseconds. */
const keysMs = 300;

/** The Channels view and what calls for it: the badge and a notification for each sender that waits. */
export function createChannelsView({ channels }: Pick<Runtime, 'channels'>): vscode.Disposable {
  let now = Date.now();
  const failed = (why: string): string => vscode.l10n.t('The channels could not be read: {0}', why);
  const tree = createRowTree<ChannelsRow>(
    'pincer.channels',
    {
      keyOf: channelRowKey,
      childrenOf: (row) => (row.kind === 'channel' ? row.children : []),
      lookOf(row) {
        const { label, description, contextValue, tooltip } = toChannelItem(row, now);
        return JSON.stringify([label, description, contextValue, tooltip]);
      },
      async plan() {
        const [pairings, conversations] = await Promise.all([channels.pairings(), channels.conversations()]);
        now = Date.now();
        return planChannelRows({ channels: channels.list(), pairings, conversations });
      },
      itemOf: (row) => toChannelItem(row, now),
      reading: { failed },
    },
    { showCollapseAll: true },
  );
  /** The badge and the palette count whether or not somebody looks. */
  const keys = createRefresher(keysMs, async () => {
    tree.refresh();
    await follow(channels, tree.view).catch((error: unknown) => {
      tree.view.message = failed(errorMessage(error));
    });
  });
  keys.request();
  return vscode.Disposable.from(
    tree,
    keys,
    channels.onDidChange(keys.request),
    channels.onDidRequestPairing((request) => {
      inBackground(ask(channels, request));
    }),
  );
}

async function follow(channels: Channels, view: vscode.TreeView<ChannelsRow>): Promise<void> {
  const pairings = (await channels.pairings()).length;
  const conversations = await channels.conversations();
  const list = channels.list();
  const tooltip = vscode.l10n.t('Senders waiting for approval: {0}', pairings);
  view.badge = pairings === 0 ? undefined : { value: pairings, tooltip };
  const isThere = pairings > 0 || conversations.length > 0 || list.length > 0;
  // It stays for the window's time when the last one goes.
  if (isThere) setContextKey('pincer.hasChannels', true);
  setContextKey(
    'pincer.hasChannelAccounts',
    list.some(({ accounts }) => accounts.length > 0),
  );
  setContextKey('pincer.hasPairings', pairings > 0);
  setContextKey('pincer.hasPairedSenders', (await channels.paired()).length > 0);
  setContextKey('pincer.hasConversations', conversations.length > 0);
  setContextKey(
    'pincer.hasTakenOver',
    conversations.some(({ isTakenOver }) => isTakenOver),
  );
  setContextKey(
    'pincer.hasMuted',
    conversations.some(({ isMuted }) => isMuted),
  );
}

// Threat: a stranger's name reads like a question of VS Code's, or like a code of somebody else. What they call themselves comes last.
async function ask(channels: Channels, request: PairingRequest): Promise<void> {
  const { label = request.channel } = channels.list().find(({ id }) => id === request.channel) ?? {};
  const approve = vscode.l10n.t('Approve');
  const deny = vscode.l10n.t('Deny');
  const show = vscode.l10n.t('Show Channels');
  const text = vscode.l10n.t(
    'Somebody wants to talk with the agent over {0}. Approve only the person who tells you the code {1}. They call themselves {2}.',
    inertLine(label, 40),
    inertLine(request.code, 20),
    senderName(request),
  );
  const picked = await vscode.window.showInformationMessage(notificationText(text), approve, deny, show);
  const { code } = request;
  if (picked === approve) await vscode.commands.executeCommand('pincer.channels.approve', { code });
  if (picked === deny) await vscode.commands.executeCommand('pincer.channels.deny', { code });
  if (picked === show) await vscode.commands.executeCommand('pincer.channels.show');
}
