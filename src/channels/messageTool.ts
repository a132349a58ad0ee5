// Threat: words or a file leave the machine in the user's name, because something that the model has read asked for it; nobody takes them
// back. So what goes out is shown whole before, with channel, account and target, and it is that and nothing else: secrets are taken out
// and plugins have changed it before anybody is asked, and a file is copied to where nobody puts a link in its place.
import { randomUUID } from 'node:crypto';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { errorMessage } from '../base/errors.ts';
import { inertLine } from '../base/text.ts';
import type { AgentTool, PreparedCall, SendEffect, Turn } from '../contracts/tool.ts';
import type { HookRunner } from '../hooks/hookRunner.ts';
import type { MessageHookContext } from '../hooks/payloads/hookContexts.ts';
import type { FileSystem } from '../host/ports.ts';
import { createCoreTool, textResult, type CoreToolDeps } from '../tools/core/coreTool.ts';
import { requirePath, requireSamePath, type FoundPath } from '../tools/core/requirePath.ts';
import { channelNotRunning, mediaTooLarge, messageNotSent } from './channelErrors.ts';
import type { ChannelCore, SendTarget } from './createChannels.ts';
import type { Conversation } from './createConversationStore.ts';
import type { RunningAccount } from './createAccounts.ts';

/** Bytes of one file. */
const maxMediaBytes = 20_000_000;
const maxText = 16_000;

const name = z.string().trim().min(1).max(200);

const schema = z.strictObject({
  action: z.enum(['send']),
  channel: name.optional().describe('Which channel: telegram. Default: the only one that runs.'),
  target: name
    .optional()
    .describe(
      "To whom, in the channel's words: the id of a chat. Default: the conversation of this session.",
    ),
  accountId: name.optional().describe('Which account of the channel. Default: the only one that runs.'),
  message: z.string().max(maxText).optional().describe('The text.'),
  media: z.string().min(1).optional().describe('A file of the workspace to send with it.'),
  replyTo: name.optional().describe('The id of the message that this answers.'),
  threadId: name.optional(),
  dryRun: z.boolean().optional().describe('True only says what would be sent, and where.'),
});

type MessageParams = z.infer<typeof schema>;

export interface MessageToolDeps extends Pick<CoreToolDeps, 'files' | 'layout'> {
  readonly fs: FileSystem;
  readonly core: Pick<ChannelCore, 'accounts' | 'conversations' | 'send'>;
  readonly hooks: HookRunner;
  /** Takes secrets out. */
  readonly redact: (text: string) => string;
  /** Keeps what was said in the conversation's session. */
  readonly keepAnswer: (conversation: Conversation, text: string) => Promise<void>;
  /** Absolute: where media lies, `<state>/channels/media`. */
  readonly mediaFolder: string;
}

/** `message`: sends a text or a file by a channel that runs here (OpenClaw documentation, Tools); a person is asked. Upstream's parameters. */
export function createMessageTool(deps: MessageToolDeps): AgentTool {
  const tool = createCoreTool(
    {
      name: 'message',
      label: 'Send a message',
      description:
        'Sends a text, or a file of the workspace, to somebody by a message channel such as Telegram. The user is asked first. Your answer to a message that began this turn goes back by itself: do not send it with this.',
      schema,
      mayWrite: true,
      paths: ({ media }) => (media === undefined ? [] : [media]),
      target: ({ channel, target }) => inertLine([channel, target].filter(Boolean).join(' '), 60),
      prepare: (params, { turn }) => prepare(deps, params, turn),
    },
    deps.layout,
  );
  return {
    ...tool,
    unavailable: () =>
      deps.core.accounts.running().length === 0 ? 'no message channel runs here' : undefined,
  };
}

/**
 * Sends a text that the user has agreed to beforehand, to whom they named: secrets are taken out, and plugins hear of it as of any other.
 * @throws PincerError `channel_not_running`, `channel_send_failed`, `channel_message_not_sent`
 */
export async function announce(
  deps: MessageToolDeps,
  params: Pick<MessageParams, 'channel' | 'target' | 'accountId'> & { readonly message: string },
  {
    sessionKey = '',
    runId,
  }: { readonly sessionKey?: string | undefined; readonly runId?: string | undefined },
): Promise<void> {
  const place = await findPlace(deps, params, sessionKey);
  const context = contextOf(place, sessionKey, runId);
  const given = place.account.entry.redact(deps.redact(params.message.trim()));
  const text = await decideText(deps.hooks, place, given, context, place.account.signal);
  await sendOut(deps, { place, text, file: undefined, context });
  if (place.conversation !== undefined) await deps.keepAnswer(place.conversation, text);
}

/** Where a message goes. */
interface Destination extends SendTarget {
  readonly account: RunningAccount;
  /** What is known of the conversation; undefined where nobody has written there. */
  readonly conversation: Conversation | undefined;
}

async function prepare(deps: MessageToolDeps, params: MessageParams, turn: Turn): Promise<PreparedCall> {
  const place = await findPlace(deps, params, turn.sessionKey);
  const { account, to, threadId } = place;
  const { channel, accountId, entry } = account;
  const file = params.media === undefined ? undefined : await requireMedia(deps, params.media);
  const given = entry.redact(deps.redact(params.message?.trim() ?? ''));
  if (given === '' && file === undefined) throw messageNotSent('it has neither a text nor a file');
  const about = `${channel}, account ${accountId}, to ${inertLine(to, 100)}`;
  if (params.dryRun === true)
    return { effects: [], run: () => Promise.resolve(textResult(`Would be sent by ${about}:\n${given}`)) };
  const context = contextOf(place, turn.sessionKey, turn.runId);
  const text = await decideText(deps.hooks, place, given, context, turn.signal);
  const send: SendEffect = {
    kind: 'send',
    channel,
    accountId,
    to,
    ...(threadId === undefined ? {} : { thread: threadId }),
    text,
    ...(file === undefined ? {} : { file: file.label }),
  };
  return {
    effects: [send, ...(file === undefined ? [] : [{ kind: 'read' as const, path: file.path }])],
    async run() {
      await sendOut(deps, { place, text, file, context });
      const isOther = place.conversation !== undefined && place.conversation.id !== turn.sessionKey;
      if (isOther) await deps.keepAnswer(place.conversation, text === '' ? `[${file?.label ?? ''}]` : text);
      const changed = text === (params.message?.trim() ?? '') ? '' : ` The text went out as:\n${text}`;
      return textResult(`Sent by ${about}.${changed}`, { channel, accountId, to });
    },
  };
}

/** Undefined names stand for the conversation of this session, or for the only one there is. */
async function findPlace(
  { core }: MessageToolDeps,
  { channel: wanted, accountId, target, threadId, replyTo }: Omit<MessageParams, 'action'>,
  sessionKey: string,
): Promise<Destination> {
  const running = core.accounts.running();
  const here = await core.conversations.find(sessionKey);
  const channels = [...new Set(running.map((each) => each.channel))];
  const channel =
    wanted?.toLowerCase() ??
    (target === undefined ? here?.channel : undefined) ??
    (channels.length === 1 ? channels[0] : undefined);
  if (channel === undefined)
    throw messageNotSent('it does not say by which channel', `These run: ${channels.join(', ')}.`);
  const own = running.filter((each) => each.channel === channel);
  const isHere = here?.channel === channel;
  const id = accountId ?? (isHere ? here.accountId : own.length === 1 ? own[0]?.accountId : 'default');
  const account = own.find((each) => each.accountId === id);
  if (account === undefined) throw channelNotRunning(channel, id ?? 'default');
  const normal = (raw: string): string => {
    const { plugin, call } = account.entry;
    const said: unknown = call(`normalizeTarget of the channel ${channel}`, () =>
      plugin.messaging?.normalizeTarget?.(raw),
    );
    return typeof said === 'string' && said !== '' ? said : raw;
  };
  const isBack = target === undefined && isHere && here.accountId === id;
  const to = target === undefined ? (isBack ? here.to : undefined) : normal(target);
  if (to === undefined) throw messageNotSent('it does not say to whom', 'Give the target.');
  const thread = threadId ?? (isBack ? here.threadId : undefined);
  const known = (await core.conversations.list()).find(
    (each) =>
      each.channel === channel &&
      each.accountId === id &&
      each.threadId === thread &&
      normal(each.to) === normal(to),
  );
  return { account, to, threadId: thread, replyToId: replyTo, conversation: known };
}

async function requireMedia(deps: MessageToolDeps, path: string): Promise<FoundPath> {
  const file = await requirePath(deps, path, 'read');
  const size = file.stat?.size ?? 0;
  if (size > maxMediaBytes) throw mediaTooLarge(file.label, size, maxMediaBytes);
  return file;
}

function contextOf({ account, to }: Destination, sessionKey: string, runId?: string): MessageHookContext {
  const { channel, accountId } = account;
  return {
    channelId: channel,
    accountId,
    conversationId: to,
    sessionKey,
    ...(runId === undefined ? {} : { runId }),
  };
}

/** `message_sending`, before anybody is asked: what is allowed is what goes out. @throws PincerError where a plugin withholds it */
async function decideText(
  hooks: HookRunner,
  { account, to, threadId, replyToId }: Destination,
  text: string,
  context: MessageHookContext,
  signal: AbortSignal,
): Promise<string> {
  if (!hooks.has('message_sending')) return text;
  const event = {
    to,
    content: text,
    ...(replyToId === undefined ? {} : { replyToId }),
    ...(threadId === undefined ? {} : { threadId }),
    metadata: { channel: account.channel },
  };
  const { cancel, content } = await hooks.modify('message_sending', event, context, signal);
  if (cancel === undefined) return content;
  const why = cancel.reason === undefined ? '' : `: ${inertLine(cancel.reason, 200)}`;
  throw messageNotSent(`plugin ${inertLine(cancel.pluginId, 80)} withholds it${why}`);
}

interface Outgoing {
  readonly place: Destination;
  readonly text: string;
  readonly file: FoundPath | undefined;
  readonly context: MessageHookContext;
}

/** Sends it, and tells `message_sent` what came of that. @throws PincerError `channel_send_failed`, `path_*`, `io_*` */
async function sendOut(deps: MessageToolDeps, { place, text, file, context }: Outgoing): Promise<void> {
  const { account, ...target } = place;
  const tell = (error?: string): void => {
    const { hooks } = deps;
    if (!hooks.has('message_sent')) return;
    const outcome = error === undefined ? { success: true } : { success: false, error };
    void hooks.observe('message_sent', { to: target.to, content: text, ...outcome }, context);
  };
  const folder = join(deps.mediaFolder, `out-${randomUUID()}`);
  try {
    let media: { readonly path: string } | undefined;
    if (file !== undefined) {
      await requireSamePath(deps, file);
      const bytes = await deps.files.readBytes(file.path, maxMediaBytes, file.root);
      media = { path: join(folder, basename(file.path)) };
      await deps.fs.writeFile(media.path, bytes, 'private');
    }
    await deps.core.send(account, target, text, media);
    tell();
  } catch (error) {
    tell(deps.redact(errorMessage(error)));
    throw error;
  } finally {
    if (file !== undefined) await deps.fs.remove(folder);
  }
}
