import * as vscode from 'vscode';
import { PincerError } from '../../base/errors.ts';
import { inertLine } from '../../base/text.ts';
import type { ConversationView, PairingRequest } from '../../channels/channels.ts';
import type { Runtime } from '../../runtime/index.ts';
import type { AccountTarget, ConversationTarget, PairingTarget } from '../commandTable.ts';
import { noIcons } from '../memory/hitItems.ts';
import { tell } from '../registerCommand.ts';
import { setContextKey } from '../setContextKey.ts';
import { conversationText, senderName, stateText } from './channelItems.ts';
import { sendOwnWords } from './sendOwnWords.ts';

type ChannelServices = Pick<Runtime, 'channels'>;

/** What the channels' commands do, by the end of their ids; each asks which one is meant where no row says it. */
export const channelFlows = {
  show,
  approve: (given: ChannelServices, target: PairingTarget) => letIn(given, target, 'sender'),
  approveOwner: (given: ChannelServices, target: PairingTarget) => letIn(given, target, 'owner'),
  deny,
  unpair,
  read,
  answer,
  takeOver: (given: ChannelServices, target: ConversationTarget) => takeOver(given, target, true),
  handBack: (given: ChannelServices, target: ConversationTarget) => takeOver(given, target, false),
  mute: (given: ChannelServices, target: ConversationTarget) => mute(given, target, true),
  unmute: (given: ChannelServices, target: ConversationTarget) => mute(given, target, false),
  restart,
} as const;

/** The view is hidden until there is something in it, or somebody asks for it. */
async function show(): Promise<void> {
  setContextKey('pincer.hasChannels', true);
  await vscode.commands.executeCommand('pincer.channels.focus');
}

async function letIn(
  { channels }: ChannelServices,
  target: PairingTarget,
  as: 'sender' | 'owner',
): Promise<void> {
  const request = await pairingOf({ channels }, target);
  if (request === undefined) return;
  if (as === 'owner' && !(await confirmOwner(request))) return;
  await channels.approve(request.code, as);
  const name = senderName(request);
  tell(
    as === 'owner'
      ? vscode.l10n.t('{0} is approved as owner. A person must allow each change they ask for.', name)
      : vscode.l10n.t('{0} is approved: they can ask and read, but change nothing.', name),
  );
}

async function confirmOwner(request: PairingRequest): Promise<boolean> {
  const yes = vscode.l10n.t('Approve as Owner');
  const picked = await vscode.window.showWarningMessage(
    vscode.l10n.t('Approve {0} as owner?', senderName(request)),
    {
      modal: true,
      detail: vscode.l10n.t(
        'Do this only for an account of your own. An owner may have files changed and commands run from {0}: each asks, and they may allow it once from there. Anyone with access to that account can do the same.',
        inertLine(request.channel, 40),
      ),
    },
    yes,
  );
  return picked === yes;
}

async function deny({ channels }: ChannelServices, target: PairingTarget): Promise<void> {
  const request = await pairingOf({ channels }, target);
  if (request !== undefined) await channels.deny(request.code);
}

async function unpair({ channels }: ChannelServices): Promise<void> {
  const items = (await channels.paired()).map((sender) => ({
    label: noIcons(senderName(sender)),
    description: noIcons(
      [
        inertLine(sender.channel, 40),
        inertLine(sender.senderId, 60),
        ...(sender.isOwner ? [vscode.l10n.t('owner')] : []),
      ].join(' · '),
    ),
    sender,
  }));
  const title = vscode.l10n.t('Which sender should lose access?');
  const picked = await vscode.window.showQuickPick(items, { title, matchOnDescription: true });
  if (picked === undefined) return;
  const { channel, senderId, accountId } = picked.sender;
  await channels.unpair(channel, senderId, accountId);
  tell(vscode.l10n.t('{0} no longer has access.', senderName(picked.sender)));
}

/** What was said so far, as the Sessions view shows it. */
async function read({ channels }: ChannelServices, target: ConversationTarget): Promise<void> {
  const conversation = await conversationOf({ channels }, target, () => true);
  if (conversation === undefined) return;
  await channels.markRead(conversation.id);
  if (conversation.sessionId === undefined) {
    tell(vscode.l10n.t('{0} has no stored messages yet.', inertLine(conversation.title, 60)));
    return;
  }
  await vscode.commands.executeCommand('pincer.sessions.show', { sessionId: conversation.sessionId });
}

/** Sends the user's own words. The agent stays silent from then on, as two voices would be worse than one. */
async function answer({ channels }: ChannelServices, target: ConversationTarget): Promise<void> {
  const conversation = await conversationOf({ channels }, target, () => true);
  if (conversation === undefined) return;
  const title = inertLine(conversation.title, 60);
  const prompt = conversation.isTakenOver
    ? vscode.l10n.t('It is sent unchanged. The agent stays silent.')
    : vscode.l10n.t(
        'It is sent unchanged. From then on the agent stays silent until you hand the conversation back.',
      );
  const isSent = await sendOwnWords(channels, conversation, (value, problem) =>
    vscode.window.showInputBox({
      title: vscode.l10n.t('Answer {0}', title),
      prompt:
        problem === undefined ? prompt : vscode.l10n.t('Not sent: {0} Try again?', inertLine(problem, 200)),
      value,
      ignoreFocusOut: true,
      validateInput: (typed) => (typed.trim() === '' ? vscode.l10n.t('Type a message.') : undefined),
    }),
  );
  if (isSent) quietly(vscode.l10n.t('Sent to {0}.', title));
}

async function takeOver(
  { channels }: ChannelServices,
  target: ConversationTarget,
  isTaken: boolean,
): Promise<void> {
  const conversation = await conversationOf({ channels }, target, (each) => each.isTakenOver !== isTaken);
  if (conversation === undefined) return;
  await channels.takeOver(conversation.id, isTaken);
  const title = inertLine(conversation.title, 60);
  quietly(
    isTaken
      ? vscode.l10n.t('You answer {0} now; the agent stays silent.', title)
      : vscode.l10n.t('The agent answers {0} again.', title),
  );
}

async function mute(
  { channels }: ChannelServices,
  target: ConversationTarget,
  isMuted: boolean,
): Promise<void> {
  const conversation = await conversationOf({ channels }, target, (each) => each.isMuted !== isMuted);
  if (conversation !== undefined) await channels.mute(conversation.id, isMuted);
}

async function restart({ channels }: ChannelServices, target: AccountTarget): Promise<void> {
  const picked = target?.accountId === undefined ? await pickAccount({ channels }) : target;
  if (picked?.accountId !== undefined) await channels.restart(picked.channelId, picked.accountId);
}

async function pickAccount({ channels }: ChannelServices): Promise<AccountTarget> {
  const items = channels.list().flatMap(({ id, label, accounts }) =>
    accounts.map((account) => ({
      label: noIcons(inertLine(label, 60)),
      description: noIcons(`${inertLine(account.id, 60)} · ${stateText(account.state)}`),
      target: { channelId: id, accountId: account.id },
    })),
  );
  return (await vscode.window.showQuickPick(items, { title: vscode.l10n.t('Which account?') }))?.target;
}

async function pairingOf(
  { channels }: ChannelServices,
  target: PairingTarget,
): Promise<PairingRequest | undefined> {
  const waiting = await channels.pairings();
  if (target !== undefined) {
    const found = waiting.find(({ code }) => code === target.code);
    if (found === undefined)
      throw new PincerError('pairing_unknown', 'Nobody waits with this code any more.', {
        hint: 'It was answered, or its time was over: they can ask again by writing once more.',
      });
    return found;
  }
  const now = Date.now();
  const items = waiting.map((request) => ({
    label: noIcons(senderName(request)),
    description: noIcons(`${inertLine(request.code, 20)} · ${inertLine(request.channel, 40)}`),
    detail: vscode.l10n.t('{0} min. left', Math.max(0, Math.ceil((request.expiresAt - now) / 60_000))),
    request,
  }));
  return (
    await vscode.window.showQuickPick(items, { title: vscode.l10n.t('Which sender gave you the code?') })
  )?.request;
}

async function conversationOf(
  { channels }: ChannelServices,
  target: ConversationTarget,
  isMeant: (conversation: ConversationView) => boolean,
): Promise<ConversationView | undefined> {
  const all = await channels.conversations();
  if (target !== undefined) return all.find(({ id }) => id === target.conversationId);
  const now = Date.now();
  const items = all.filter(isMeant).map((conversation) => ({
    label: noIcons(inertLine(conversation.title, 60)),
    description: noIcons(conversationText(conversation, now)),
    conversation,
  }));
  const title = vscode.l10n.t('Which conversation?');
  return (await vscode.window.showQuickPick(items, { title, matchOnDescription: true }))?.conversation;
}

/** How long the status bar says what was done. Milliseconds. */
const saidMs = 5_000;

function quietly(text: string): void {
  vscode.window.setStatusBarMessage(text, saidMs);
}
