// What a plugin hands to the pipeline of messages, by upstream's names: a context with its own way to answer, or the parts of a turn.
import { isRecord } from '../../base/json.ts';
import { channelForeign } from '../channelErrors.ts';
import type { ChannelEntry } from '../channelPlugin.ts';
import type { ChannelCore } from '../createChannels.ts';
import type { InboundOutcome } from '../createInbound.ts';
import type { ReplyPort } from '../sendReply.ts';
import { channelIn, nameIn, readContext, type MsgContext, type RouteFacts } from './readContext.ts';

type Members = Readonly<Record<string, unknown>>;

interface DispatchParts {
  readonly pluginId: string;
  readonly core: Pick<ChannelCore, 'accounts' | 'inbound'>;
  /** @throws PincerError `channel_foreign` */
  readonly ownEntry: (channel: unknown) => ChannelEntry;
  /** What the plugin said of a conversation, by its session key. */
  readonly factsOf: (sessionKey: string) => RouteFacts | undefined;
}

interface ChannelDispatch {
  /** Answers the message of a context (`dispatchReplyWithBufferedBlockDispatcher`). */
  readonly dispatch: (params: unknown) => Promise<Members>;
  /** Takes a raw event through the plugin's adapter to a turn (`inbound.run`). */
  readonly runInbound: (params: unknown) => Promise<Members>;
  /** A turn that a plugin has put together: its context, and how its answer is delivered. */
  readonly runTurn: (turn: Members) => Promise<Members>;
}

export function createChannelDispatch({ pluginId, core, ownEntry, factsOf }: DispatchParts): ChannelDispatch {
  /** Hands one message to the pipeline, with the plugin's own way to answer. */
  const receive = async (
    context: MsgContext,
    port: (entry: ChannelEntry) => ReplyPort,
  ): Promise<InboundOutcome> => {
    const entry = ownEntry(channelIn(context));
    const channel = entry.plugin.id;
    // A thread's key is that of its conversation and its id.
    const sessionKey = (nameIn(context['SessionKey']) ?? '').replace(/:thread:.*$/u, '');
    const message = readContext(context, channel, factsOf(sessionKey));
    const account = core.accounts.find(channel, message.accountId);
    if (account === undefined) throw channelForeign(pluginId, channel);
    return await core.inbound.receive(account, message, port(entry));
  };

  const dispatch = async (params: unknown): Promise<Members> => {
    const { ctx, dispatcherOptions, replyOptions } = isRecord(params) ? params : {};
    const options = isRecord(dispatcherOptions) ? dispatcherOptions : {};
    const typing = isRecord(options['typingCallbacks']) ? options['typingCallbacks'] : {};
    const counts = { tool: 0, block: 0, final: 0 };
    const reception = await receive(isRecord(ctx) ? ctx : {}, (entry) =>
      replyPort(entry, {
        deliver: functionIn(options, 'deliver'),
        onError: functionIn(options, 'onError'),
        onStart: [functionIn(options, 'onReplyStart'), functionIn(typing, 'onReplyStart')],
        onAdopted: adoptionOf(replyOptions),
        prefix: typeof options['responsePrefix'] === 'string' ? options['responsePrefix'] : '',
        sent: () => void (counts.final += 1),
      }),
    ).finally(() => {
      for (const end of [
        functionIn(typing, 'onIdle'),
        functionIn(typing, 'onCleanup'),
        functionIn(options, 'onIdle'),
        functionIn(options, 'onCleanup'),
      ])
        void end?.();
    });
    return { queuedFinal: counts.final > 0, counts, reception };
  };

  const runInbound = async (params: unknown): Promise<Members> => {
    const { raw, adapter, turnAdoptionLifecycle } = isRecord(params) ? params : {};
    const own = isRecord(adapter) ? adapter : {};
    const drop = (reason: string): Members => ({ admission: { kind: 'drop', reason }, dispatched: false });
    const input: unknown = await functionIn(own, 'ingest')?.(raw);
    if (!isRecord(input)) return drop('ingest-null');
    const eventClass: unknown = (await functionIn(own, 'classify')?.(input)) ?? {
      kind: 'message',
      canStartAgentTurn: true,
    };
    if (isRecord(eventClass) && eventClass['canStartAgentTurn'] === false) return drop('event');
    const preflight: unknown = await functionIn(own, 'preflight')?.(input, eventClass);
    if (isRecord(preflight) && (preflight['kind'] === 'drop' || preflight['kind'] === 'handled'))
      return { admission: preflight, dispatched: false };
    const turn: unknown = await functionIn(own, 'resolveTurn')?.(input, eventClass, preflight ?? {});
    const result = await runTurn({
      ...(isRecord(turn) ? turn : {}),
      ...(turnAdoptionLifecycle === undefined ? {} : { turnAdoptionLifecycle }),
    });
    await functionIn(own, 'onFinalize')?.(result);
    return result;
  };

  const runTurn = async (turn: Members): Promise<Members> => {
    const { ctxPayload, delivery, dispatcherOptions, replyOptions, turnAdoptionLifecycle } = turn;
    const runDispatch = functionIn(turn, 'runDispatch');
    const given = isRecord(delivery) ? delivery : {};
    const deliver = functionIn(given, 'deliver') ?? functionIn(given, 'deliverWithProviderMessageSending');
    const dispatchResult: unknown =
      runDispatch === undefined
        ? await dispatch({
            ctx: ctxPayload,
            dispatcherOptions: {
              ...(isRecord(dispatcherOptions) ? dispatcherOptions : {}),
              deliver,
              onError: functionIn(given, 'onError'),
            },
            replyOptions: {
              ...(isRecord(replyOptions) ? replyOptions : {}),
              ...(turnAdoptionLifecycle === undefined ? {} : { turnAdoptionLifecycle }),
            },
          })
        : await runDispatch();
    return {
      admission: { kind: 'dispatch' },
      dispatched: true,
      ctxPayload,
      routeSessionKey:
        turn['routeSessionKey'] ?? (isRecord(turn['route']) ? turn['route']['sessionKey'] : undefined),
      dispatchResult,
    };
  };

  return { dispatch, runInbound, runTurn };
}

type AnyFunction = (...args: readonly unknown[]) => unknown;

function functionIn(value: Members, key: string): AnyFunction | undefined {
  const found = value[key];
  return typeof found === 'function' ? (...args) => Reflect.apply(found, value, args) as unknown : undefined;
}

function adoptionOf(replyOptions: unknown): AnyFunction | undefined {
  const lifecycle = isRecord(replyOptions) ? replyOptions['turnAdoptionLifecycle'] : undefined;
  return isRecord(lifecycle) ? functionIn(lifecycle, 'onAdopted') : undefined;
}

interface PluginReply {
  readonly deliver: AnyFunction | undefined;
  readonly onError: AnyFunction | undefined;
  readonly onStart: readonly (AnyFunction | undefined)[];
  readonly onAdopted: AnyFunction | undefined;
  readonly prefix: string;
  readonly sent: () => void;
}

function replyPort(
  { call, plugin: { id } }: ChannelEntry,
  { deliver, onError, onStart, onAdopted, prefix, sent }: PluginReply,
): ReplyPort {
  const starts = onStart.filter((start) => start !== undefined);
  const showTyping = (): void => {
    for (const start of starts)
      void Promise.resolve()
        .then(() => call(`onReplyStart of the channel ${id}`, () => start()))
        // That an answer is being written is not worth a failure.
        .catch(() => undefined);
  };
  return {
    async deliver(text, kind) {
      const payload = { text: prefix === '' || kind === 'notice' ? text : `${prefix} ${text}` };
      try {
        if (deliver === undefined) throw new TypeError('dispatcherOptions.deliver is no function');
        await call(`deliver of the channel ${id}`, () => deliver(payload, { kind: 'final' }));
        sent();
      } catch (error) {
        void onError?.(error, { kind: 'final' });
        throw error;
      }
    },
    typing: starts.length === 0 ? undefined : showTyping,
    async adopted() {
      await call(`onAdopted of the channel ${id}`, () => onAdopted?.());
    },
  };
}
