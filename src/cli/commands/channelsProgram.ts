import type { Command } from 'commander';
import { PincerError } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import { plural } from '../../base/text.ts';
import type { AccountView, ChannelView, ConversationView } from '../../channels/channels.ts';
import type { Runtime } from '../../runtime/index.ts';
import { exitCodes, type ExitCode } from '../exitCodes.ts';
import { connectToGateway, findGateway } from '../gatewayClient.ts';
import { inertFact } from '../inert.ts';
import { timeText, toJson, toTable, type Output } from '../output.ts';
import { withRuntime, type CliOptions } from '../withRuntime.ts';

type Act = (
  action: (options: CliOptions, argument: string) => Promise<ExitCode>,
) => (...given: unknown[]) => Promise<void>;

interface CommandReply {
  readonly data: unknown;
  readonly text: string;
}

/** Adds `pincer channels …`: message channels of a workspace, and who may write to its agent. */
export function addChannelsCommands(program: Command, act: Act, output: Output): void {
  const channels = program
    .command('channels')
    .description('list channels of the workspace, and manage who may write to its agent');
  const doing = (
    work: (channels: Runtime['channels'], argument: string, options: CliOptions) => Promise<CommandReply>,
  ): ReturnType<Act> =>
    act((options, argument) =>
      withRuntime(options, output, async (runtime) => {
        const { data, text } = await work(runtime.channels, argument, options);
        output.out(options.json === true ? toJson(data) : text);
        return exitCodes.ok;
      }),
    );

  channels
    .command('list')
    .description('list channels, and with --conversations their conversations')
    .option('--conversations', 'list conversations')
    .action(
      doing(async (service, _argument, options) =>
        (options as { readonly conversations?: boolean }).conversations === true
          ? describeConversations(await service.conversations())
          : describeChannels(await service.status()),
      ),
    );
  channels
    .command('status')
    .description('show the status of each account in the process that serves the channels')
    .action(doing(async (service) => describeAccounts(await service.status())));
  channels
    .command('pair [code]')
    .description('approve the sender with this code; without a code, list waiting senders')
    .option('--owner', 'pair the sender as owner: it can request changes, each approved by a person')
    .option('--deny', 'deny the sender')
    .action(
      doing(async (service, code, options) => {
        const { owner, deny } = options as { readonly owner?: boolean; readonly deny?: boolean };
        if (code === '') return await describeWaiting(service);
        if (deny === true) {
          await service.deny(code);
          return { data: { denied: true }, text: 'The sender was denied access.\n' };
        }
        const paired = await service.approve(code, owner === true ? 'owner' : 'sender');
        const who = inertFact(paired.senderName ?? paired.senderId);
        const as = paired.isOwner ? 'as owner' : 'to ask and read';
        return { data: { paired }, text: `${who} on ${inertFact(paired.channel)} is approved ${as}.\n` };
      }),
    );
  channels
    .command('unpair <sender>')
    .description('revoke the access of a sender, by its id')
    .option('--channel <id>', 'of this channel, where several have such a sender')
    .action(
      doing(async (service, senderId, options) => {
        const { channel: wanted } = options as { readonly channel?: string };
        const found = (await service.paired()).filter(
          (each) => each.senderId === senderId && (wanted === undefined || each.channel === wanted),
        );
        const [channel = wanted ?? '', ...others] = [...new Set(found.map((each) => each.channel))];
        if (others.length > 0)
          throw new PincerError(
            'pairing_ambiguous',
            `Several channels have a sender ${inertFact(senderId)}.`,
            {
              hint: 'Name one with --channel.',
            },
          );
        await service.unpair(channel, senderId);
        return {
          data: { channel, senderId, unpaired: true },
          text: `${inertFact(senderId)} on ${inertFact(channel)} no longer has access.\n`,
        };
      }),
    );
  channels
    .command('mute <conversation>')
    .description('mute a conversation: nothing is answered or stored; --off unmutes it')
    .option('--off', 'unmute')
    .action(
      doing(async (service, id, options) => {
        const isMuted = (options as { readonly off?: boolean }).off !== true;
        const found = await findConversation(service, id);
        await service.mute(found.id, isMuted);
        return {
          data: { conversation: found.id, isMuted },
          text: `${inertFact(found.title)} is ${isMuted ? 'muted' : 'answered again'}.\n`,
        };
      }),
    );
  channels
    .command('restart <channel>')
    .description('restart the accounts of a channel at the running gateway of the workspace')
    .option('--account <id>', 'only this one')
    .action(
      act(async (options, channel) => {
        const { account } = options as { readonly account?: string };
        using client = await connectToGateway(await findGateway(options), ['operator.admin']);
        const answer = await client.ask('channels.restart', {
          channel,
          ...(account === undefined ? {} : { accountId: account }),
        });
        // Another program has answered, of this release or another.
        const accounts = isRecord(answer) && Array.isArray(answer['accounts']) ? answer['accounts'] : [];
        const rows = accounts
          .filter(isRecord)
          .map(({ id, state, reason = '' }) => [id, state, reason].map(String));
        output.out(
          options.json === true
            ? toJson({ channel, accounts })
            : toTable([['ACCOUNT', 'STATE', 'WHY'], ...rows]),
        );
        return exitCodes.ok;
      }),
    );
  channels
    .command('logs [channel]')
    .description('show recent events of channels, without the text of messages')
    .action(
      doing(async (service, channel) => {
        const lines = await service.logs(channel === '' ? undefined : channel);
        const rows = lines.map((line) => [
          timeText(line.at),
          line.level,
          line.channel,
          line.accountId,
          line.text,
        ]);
        return {
          data: { lines },
          text: lines.length === 0 ? 'Nothing has happened yet.\n' : toTable(rows),
        };
      }),
    );
}

function describeChannels(views: readonly ChannelView[]): CommandReply {
  const rows = views.map(({ id, label, pluginId, state, reason }) => [
    id,
    label,
    state,
    pluginId ?? '-',
    reason ?? '',
  ]);
  const none = 'No plugin brings a message channel. docs/channels.md tells how to switch one on.\n';
  return {
    data: { channels: views },
    text: views.length === 0 ? none : toTable([['ID', 'NAME', 'STATE', 'PLUGIN', 'WHY'], ...rows]),
  };
}

function describeAccounts(views: readonly ChannelView[]): CommandReply {
  const rows = views.flatMap(({ id, reason, accounts }) =>
    accounts.length === 0
      ? [[id, '-', 'off', '-', '-', reason ?? 'no process serves the channels now']]
      : accounts.map((account) => [id, ...accountCells(account)]),
  );
  const head = ['CHANNEL', 'ACCOUNT', 'STATE', 'LAST IN', 'LAST OUT', 'WHY'];
  return {
    data: { channels: views },
    text: rows.length === 0 ? 'There is no channel.\n' : toTable([head, ...rows]),
  };
}

function accountCells({ id, state, reason, lastInboundAt, lastOutboundAt }: AccountView): readonly string[] {
  const time = (at: number | undefined): string => (at === undefined ? '-' : timeText(at));
  return [id, state, time(lastInboundAt), time(lastOutboundAt), reason ?? ''];
}

async function describeWaiting(service: Runtime['channels']): Promise<CommandReply> {
  const [waiting, paired] = [await service.pairings(), await service.paired()];
  const rows = waiting.map(({ code, channel, accountId, senderId, senderName = '', createdAt }) => [
    code,
    channel,
    accountId,
    senderId,
    senderName,
    timeText(createdAt),
  ]);
  const known = paired.length === 0 ? '' : `${plural(paired.length, 'sender')} approved.\n`;
  const table = toTable([['CODE', 'CHANNEL', 'ACCOUNT', 'SENDER', 'NAME', 'SINCE'], ...rows]);
  return {
    data: { waiting, paired },
    text: `${waiting.length === 0 ? 'Nobody waits for approval.\n' : table}${known}`,
  };
}

function describeConversations(conversations: readonly ConversationView[]): CommandReply {
  const rows = conversations.map(({ id, title, kind, lastAt, unread, isMuted, isTakenOver }) => [
    id,
    title,
    kind,
    timeText(lastAt),
    String(unread),
    isMuted ? 'muted' : isTakenOver ? 'taken over' : '',
  ]);
  return {
    data: { conversations },
    text:
      rows.length === 0
        ? 'There is no conversation yet.\n'
        : toTable([['ID', 'WITH', 'KIND', 'LAST', 'UNREAD', ''], ...rows]),
  };
}

/** By its id, or by a part of it that only one has. @throws PincerError `conversation_unknown`, `conversation_ambiguous` */
async function findConversation(service: Runtime['channels'], text: string): Promise<ConversationView> {
  const all = await service.conversations();
  const exact = all.find(({ id }) => id === text);
  const [found, ...others] = exact === undefined ? all.filter(({ id }) => id.includes(text)) : [exact];
  if (found === undefined)
    throw new PincerError('conversation_unknown', `There is no conversation ${inertFact(text)}.`, {
      hint: 'pincer channels list --conversations shows them.',
    });
  if (others.length > 0)
    throw new PincerError(
      'conversation_ambiguous',
      `Several conversations have ${inertFact(text)} in their ids.`,
      {
        hint: 'Write more of the id: pincer channels list --conversations shows them.',
      },
    );
  return found;
}
