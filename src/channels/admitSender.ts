// Threat: anybody writes under any id, and a plugin's adapter may claim too much. So it counts whom the user has let in: by a list in the
// config, or by a code that somebody at the machine has approved. Others get no answer but their code, once.
import type { ChannelEntry } from './channelPlugin.ts';
import {
  admitDirect,
  admitGroup,
  groupIdsOf,
  isListed,
  mentionPatterns,
  mentions,
  readAccess,
  requiresMention,
  type AccessConfig,
  type Admission,
} from './channelPolicy.ts';
import type { PairingRequest } from './channels.ts';
import type { RunningAccount } from './createAccounts.ts';
import type { InboundMessage } from './createMessageJournal.ts';
import type { Pairing } from './createPairing.ts';

/** Whether a message is answered, dropped, or its sender shown a code. Reads what the plugin's adapter says of its account. */
export function admit(
  namesOf: (agentId: string) => readonly string[],
  entry: ChannelEntry,
  access: AccessConfig,
  facts: {
    readonly message: InboundMessage;
    readonly isPaired: boolean;
    readonly isTakenOver: boolean;
    readonly agentId: string;
  },
): Admission {
  const { message, isPaired, isTakenOver, agentId } = facts;
  if (message.kind === 'direct')
    return admitDirect(access, isPaired, isListed(entry, access.allowFrom, message.senderId));
  const context = groupContext(entry, message);
  return admitGroup(access, {
    groupIds: groupIdsOf(message),
    isSenderListed: isListed(entry, access.groupAllowFrom ?? [], message.senderId),
    wasMentioned:
      message.wasMentioned === true || mentions(message.text, mentionPatterns(context.cfg, namesOf(agentId))),
    requiresMention: !isTakenOver && requiresMention(entry, access, context, groupIdsOf(message)),
  });
}

/** Whether the user's lists name the sender; `*` names nobody. */
export function isNamed(
  { entry, account }: RunningAccount,
  { kind, accountId, senderId }: InboundMessage,
): boolean {
  try {
    const access = readAccess(entry, { cfg: entry.cfg(), accountId, account });
    const list = kind === 'direct' ? access.allowFrom : (access.groupAllowFrom ?? []);
    return isListed(
      entry,
      list.filter((each) => each !== '*'),
      senderId,
    );
  } catch {
    // What a plugin throws here it throws again where the message is judged, and there it is told.
    return false;
  }
}

/** Whether it stands in a group that the user has named; `*` names none. */
export function isInNamedGroup({ groups }: AccessConfig, message: InboundMessage): boolean {
  return (
    message.kind !== 'direct' && groupIdsOf(message).some((id) => id !== '*' && Object.hasOwn(groups, id))
  );
}

/** The group of a message, as its channel is asked for the rules of it. */
export function groupContext(
  entry: ChannelEntry,
  { accountId, peerId, senderId, senderName }: InboundMessage,
) {
  return {
    cfg: entry.cfg(),
    accountId,
    groupId: peerId,
    senderId,
    ...(senderName === undefined ? {} : { senderName }),
  };
}

interface PairingPorts {
  readonly pairing: Pick<Pairing, 'request'>;
  /** Listeners and plugins are told there. */
  readonly pairingRequested: (request: PairingRequest) => void;
  readonly log: (message: InboundMessage, level: 'info' | 'warn', text: string) => void;
}

/** The sender is shown a code once; somebody at the machine, or with the program there, decides. */
export async function askToPair(
  { pairing, pairingRequested, log }: PairingPorts,
  message: InboundMessage,
  tell: (text: string) => Promise<unknown>,
): Promise<'silent' | 'dropped'> {
  const { channel, accountId, senderId, senderName } = message;
  const asked = await pairing.request({
    channel,
    accountId,
    senderId,
    ...(senderName === undefined ? {} : { senderName }),
  });
  if (asked === undefined) {
    log(message, 'warn', 'a new sender was turned away: too many wait for approval');
    return 'dropped';
  }
  if (!asked.created) return 'dropped';
  const { request } = asked;
  log(message, 'info', 'a new sender waits for approval');
  pairingRequested(request);
  await tell(pairingText(request.code));
  return 'silent';
}

/** What a new sender is told. Pure. */
export function pairingText(code: string): string {
  return [
    'I don’t know you yet, so I can’t answer.',
    `Give this code to the owner: ${code}`,
    `They let you in with: pincer channels pair ${code}`,
  ].join('\n');
}
