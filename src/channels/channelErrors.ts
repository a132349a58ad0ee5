import { PincerError } from '../base/errors.ts';
import { inertLine } from '../base/text.ts';

export function channelUnknown(channel: string, accountId?: string): PincerError {
  const account = accountId === undefined ? '' : ` with an account ${inertLine(accountId, 60)}`;
  return new PincerError('channel_unknown', `There is no channel ${inertLine(channel, 40)}${account}.`, {
    hint: 'pincer channels list shows which there are.',
  });
}

export function channelNotRunning(channel: string, accountId: string): PincerError {
  return new PincerError(
    'channel_not_running',
    `The account ${inertLine(accountId, 60)} of ${inertLine(channel, 40)} does not run here, so nothing can be sent by it.`,
    { hint: 'pincer channels status says why.' },
  );
}

export function channelElsewhere(channel: string): PincerError {
  return new PincerError(
    'channel_elsewhere',
    `Another window or program of this workspace serves ${inertLine(channel, 40)}.`,
    { hint: 'Restart it there: the Channels view of that window has it.' },
  );
}

export function channelSendFailed(channel: string, why: string): PincerError {
  return new PincerError(
    'channel_send_failed',
    `${inertLine(channel, 40)} did not take the message: ${inertLine(why, 300)}`,
  );
}

/** What a plugin does that only the plugin of that channel may. */
export function channelForeign(pluginId: string, channel: string): PincerError {
  return new PincerError(
    'channel_foreign',
    `Plugin ${inertLine(pluginId, 60)} has no running channel ${inertLine(channel, 40)}, so it brings no messages of it.`,
    { hint: 'A plugin registers its channel with api.registerChannel; the user enables it in the config.' },
  );
}

export function messageInvalid(what: string): PincerError {
  return new PincerError('channel_message_invalid', `A channel's message can't be taken: ${what}.`);
}

export function pairingUnknown(what: string): PincerError {
  return new PincerError('pairing_unknown', `Nobody waits or is paired as ${inertLine(what, 60)}.`, {
    hint: 'A code expires after an hour. pincer channels pair shows who waits.',
  });
}

export function messageNotSent(why: string, hint?: string): PincerError {
  const options = hint === undefined ? {} : { hint };
  return new PincerError('channel_message_not_sent', `The message is not sent: ${why}.`, options);
}

export function mediaTooLarge(label: string, size: number, most: number): PincerError {
  return new PincerError(
    'channel_media_too_large',
    `${inertLine(label, 200)} has ${String(size)} bytes; ${String(most)} may be sent at most.`,
  );
}

export function conversationUnknown(id: string): PincerError {
  return new PincerError('conversation_unknown', `There is no conversation ${inertLine(id, 60)}.`, {
    hint: 'pincer channels list --conversations shows them.',
  });
}
