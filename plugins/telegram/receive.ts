import { groupOf, type TelegramAccount } from './account.ts';
import { sendText, sendTyping } from './deliver.ts';
import type { TelegramMedia, TelegramMessage } from './readUpdate.ts';
import type { TelegramApi } from './telegramApi.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What of the host's `runtime.channel` is used. */
export interface ChannelRuntime {
  readonly routing: {
    resolveAgentRoute(params: Fields): { readonly sessionKey: string; readonly agentId: string };
  };
  readonly reply: {
    finalizeInboundContext(context: Record<string, unknown>): Fields;
    dispatchReplyWithBufferedBlockDispatcher(params: Fields): Promise<unknown>;
  };
  readonly pairing: { readAllowFromStore(params: Fields): Promise<readonly string[]> };
  readonly media: {
    saveMediaBuffer(
      buffer: Uint8Array,
      type: string,
      folder: string,
      maxBytes: number,
      name?: string,
    ): Promise<{ readonly path: string }>;
  };
}

export interface ReceiveParts {
  readonly cfg: Fields;
  readonly account: TelegramAccount;
  readonly api: TelegramApi;
  readonly runtime: ChannelRuntime;
  readonly signal: AbortSignal;
  readonly warn: (text: string) => void;
}

const typingMs = 4_000;

/** Hands a message to the host; resolves once the host has it. Rejects where it has not. */
export async function receive(parts: ReceiveParts, message: TelegramMessage): Promise<void> {
  const { cfg, runtime, warn } = parts;
  const context = await contextOf(parts, message);
  await new Promise<void>((resolve, reject) => {
    const typing = createTyping(parts, message);
    runtime.reply
      .dispatchReplyWithBufferedBlockDispatcher({
        ctx: runtime.reply.finalizeInboundContext(context),
        cfg,
        dispatcherOptions: {
          deliver: async (payload: { readonly text?: string }) => {
            if (payload.text === undefined || payload.text.trim() === '') return;
            await sendText(parts.api, targetOf(parts, message), payload.text);
          },
          onError: (error: unknown) =>
            warn(`an answer could not be sent: ${error instanceof Error ? error.message : 'unknown error'}`),
          typingCallbacks: typing,
        },
        replyOptions: { turnAdoptionLifecycle: { onAdopted: () => resolve() } },
      })
      .then(() => resolve(), reject)
      .finally(typing.onCleanup);
  });
}

/** In groups an answer names what it answers; two who talk know that. */
function targetOf({ signal }: ReceiveParts, { chatId, threadId, messageId, isGroup }: TelegramMessage) {
  return {
    to: String(chatId),
    threadId: threadId ?? null,
    replyToId: isGroup ? String(messageId) : null,
    signal,
  };
}

async function contextOf(parts: ReceiveParts, message: TelegramMessage): Promise<Record<string, unknown>> {
  const { cfg, account, runtime } = parts;
  const { chatId, threadId, isGroup, sender, replyTo } = message;
  const { accountId } = account;
  // A topic is a conversation of its own, of the group it lies in.
  const peerId = threadId === undefined ? String(chatId) : `${String(chatId)}:topic:${String(threadId)}`;
  const peer = isGroup ? { kind: 'group', id: peerId } : { kind: 'direct', id: String(sender.id) };
  const route = runtime.routing.resolveAgentRoute({
    cfg,
    channel: 'telegram',
    accountId,
    peer,
    ...(threadId === undefined ? {} : { parentPeer: { kind: 'group', id: String(chatId) } }),
  });
  const { text, media } = message;
  const kept =
    media === undefined ? undefined : await keepMedia(parts, media, await isExpected(parts, message));
  const body = [text, ...(kept === undefined ? [] : [kept.note])].filter((line) => line !== '').join('\n');
  return {
    Body: body,
    RawBody: body,
    CommandBody: text,
    From: isGroup ? `telegram:group:${peerId}` : `telegram:${String(sender.id)}`,
    To: `telegram:${String(chatId)}`,
    SessionKey: route.sessionKey,
    AccountId: accountId,
    ChatType: isGroup ? 'group' : 'direct',
    ConversationLabel: message.title ?? sender.name,
    ...(isGroup ? { GroupSubject: message.title } : {}),
    SenderId: String(sender.id),
    SenderName: sender.name,
    SenderUsername: sender.username,
    // A message's number is its chat's own.
    MessageSid: `${String(chatId)}:${String(message.messageId)}`,
    ...(replyTo === undefined
      ? {}
      : { ReplyToId: String(replyTo.messageId), ReplyToBody: replyTo.text, ReplyToSender: replyTo.sender }),
    ...(message.forwardedFrom === undefined ? {} : { ForwardedFrom: message.forwardedFrom }),
    WasMentioned: message.wasMentioned,
    ...(threadId === undefined ? {} : { MessageThreadId: String(threadId), IsForum: true }),
    ...(kept?.path === undefined
      ? {}
      : { MediaPath: kept.path, MediaType: media?.type, MediaPaths: [kept.path], MediaTypes: [media?.type] }),
    Timestamp: message.timestamp,
    Provider: 'telegram',
    Surface: 'telegram',
    OriginatingChannel: 'telegram',
    OriginatingTo: `telegram:${String(chatId)}`,
  };
}

/**
 * Whether the host may let a message in. Threat: strangers fill the disk, and hold all others up, with files that nobody will look at.
 * Who is let in is the host's to decide; this only says whether it can be.
 */
async function isExpected(
  { cfg, account, runtime }: ReceiveParts,
  { chatId, threadId, isGroup, sender }: TelegramMessage,
): Promise<boolean> {
  const { accountId, allowFrom, dmPolicy = 'pairing', groupPolicy, groupAllowFrom } = account;
  const id = String(sender.id);
  if (isGroup) {
    const groupId = threadId === undefined ? String(chatId) : `${String(chatId)}:topic:${String(threadId)}`;
    const group = groupOf(cfg, accountId, groupId);
    if (groupPolicy === 'disabled' || group?.['enabled'] === false) return false;
    if (groupPolicy !== 'open' && group === undefined) return false;
    return groupAllowFrom === undefined || names(groupAllowFrom, id);
  }
  if (dmPolicy === 'open' || dmPolicy === 'disabled') return dmPolicy === 'open';
  if (names(allowFrom, id)) return true;
  const paired = await runtime.pairing.readAllowFromStore({ channel: 'telegram', accountId });
  return paired.includes(id);
}

function names(list: readonly (string | number)[], id: string): boolean {
  const ids = list.map((each) =>
    String(each)
      .trim()
      .replace(/^(?:telegram|tg):/iu, ''),
  );
  return ids.includes('*') || ids.includes(id);
}

/** What can't be had is told in its place: the message itself is not lost for it. */
async function keepMedia(
  { account, api, runtime, signal, warn }: ReceiveParts,
  { fileId, type, name, size }: TelegramMedia,
  isWanted: boolean,
): Promise<{ readonly note: string; readonly path?: string }> {
  const { maxMediaBytes } = account;
  if (!isWanted) return { note: '[A file was sent.]' };
  if (size > maxMediaBytes) return { note: `[A file was sent that is too large: ${String(size)} bytes.]` };
  try {
    const bytes = await api.download(fileId, maxMediaBytes, signal);
    const { path } = await runtime.media.saveMediaBuffer(bytes, type, 'inbound', maxMediaBytes, name);
    return { note: type.startsWith('image/') ? '[A picture was sent.]' : '[A file was sent.]', path };
  } catch (error) {
    signal.throwIfAborted();
    warn(`a file could not be read: ${error instanceof Error ? error.message : 'unknown error'}`);
    return { note: '[A file was sent that could not be read.]' };
  }
}

/** Says every few seconds that an answer is being written, as Telegram forgets it. */
function createTyping({ api, signal, warn }: ReceiveParts, { chatId, threadId }: TelegramMessage) {
  let timer: ReturnType<typeof setInterval> | undefined;
  const show = (): void => {
    sendTyping(api, { to: String(chatId), threadId: threadId ?? null, signal }).catch((error: unknown) => {
      onCleanup();
      if (!signal.aborted)
        warn(`typing could not be shown: ${error instanceof Error ? error.message : 'unknown'}`);
    });
  };
  const onCleanup = (): void => {
    clearInterval(timer);
    timer = undefined;
  };
  return {
    onReplyStart(): void {
      if (timer !== undefined) return;
      timer = setInterval(show, typingMs);
      show();
    },
    onIdle: onCleanup,
    onCleanup,
  };
}
