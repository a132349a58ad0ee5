import { errorMessage, PincerError } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import type { Clock } from '../../host/ports.ts';
import type { PluginGatewayMethod } from '../../plugins/pluginManager.ts';
import type { GatewayPorts } from '../gatewayPorts.ts';
import type { PageServer, PairedBrowser, PairedBrowsers } from '../pages.ts';
import type { FromClient, ToClient } from '../gatewayProtocol.ts';
import { failureOf } from '../routes/exchange.ts';
import { coreMethods, presenceOf, type CallParts } from './coreMethods.ts';
import { createRemoteApprovals } from './createRemoteApprovals.ts';
import { createRunEvents } from './createRunEvents.ts';
import { createRunWaits } from './createRunWaits.ts';
import {
  answerFrame,
  beginEvent,
  hasScope,
  type ClientInfo,
  type RequestFrame,
  type RpcError,
  type Scope,
} from './frames.ts';

interface RpcParts {
  readonly ports: GatewayPorts;
  readonly clock: Pick<Clock, 'now' | 'monotonic' | 'after'>;
  /** Methods of plugins as they are now. */
  readonly methods: () => readonly PluginGatewayMethod[];
  /** Whether the gateway restarts once no turn runs. */
  readonly awaitsRestart: () => boolean;
  /** What serves people; undefined where nothing does. */
  readonly pages: () => PageServer | undefined;
  /** Takes what plugins do wrong. */
  readonly report: (diagnostic: Diagnostic) => void;
}

/** Answers clients over WebSocket, and tells them what happens. */
export interface Rpc {
  /** The gateway runs: `post` reaches its clients. */
  connect(post: (step: ToClient) => void): void;
  receive(step: FromClient): void;
  /** The gateway has stopped: nobody is there any more. */
  disconnect(): void;
  /** Whether a client is there that may answer what asks. */
  readonly hasApprovers: () => boolean;
  /** How many clients are connected. */
  readonly clients: () => number;
  readonly browsers: PairedBrowsers;
}

interface Client {
  readonly info: ClientInfo;
  readonly left: AbortController;
  /** Of a page: which browser it is of. */
  readonly browser: number | undefined;
  /** Gets what its page says, once it has one. */
  page?: (message: unknown) => void;
}

/** What clients may be told, for those that ask at the start. */
const eventNames = [
  'agent',
  'chat',
  'presence',
  'tick',
  'approvals.requested',
  'approvals.resolved',
  'connect.challenge',
];
/** What a page needs: it shows, talks and answers. */
const pageScopes = ['operator.write', 'operator.approvals'] as const;
/** A person's yes lasts for so many browsers: one more, and that to the oldest is over. */
const maxBrowsers = 20;
/** How long a browser waits to be let in. */
const pairMs = 120_000;
/** How long a plugin may take for an answer. */
const answerMs = 120_000;

export function createRpc(parts: RpcParts): Rpc {
  const { ports, clock } = parts;
  const clients = new Map<number, Client>();
  const browsers = new Map<number, Omit<PairedBrowser, 'id' | 'isConnected'>>();
  let post: ((step: ToClient) => void) | undefined;
  let began = clock.monotonic();

  const tell = (event: string, payload: unknown, scope: Scope | undefined, mayDrop = false): void => {
    if (clients.size > 0) post?.({ do: 'event', begun: beginEvent(event, payload), scope, mayDrop });
  };
  const tellPresence = (): void => tell('presence', { presence: presenceOf(infos()) }, undefined);
  const infos = (): readonly ClientInfo[] => [...clients.values()].map(({ info }) => info);
  const waits = createRunWaits(clock);
  const runEvents = createRunEvents({
    clock,
    redact: (text) => ports.redact(text),
    send: ({ event, payload, mayDrop }) => tell(event, payload, 'operator.read', mayDrop),
  });
  ports.onRunEvent(({ run, event }) => {
    waits.note(run.runId, event);
    // Nobody listens: what a turn says is not even put together.
    if (clients.size > 0 || event.type === 'run_ended') runEvents.take(run, event);
  });
  const approvers = (): readonly number[] =>
    infos().flatMap(({ id, scopes }) => (hasScope(scopes, 'operator.approvals') ? [id] : []));
  const approvals = createRemoteApprovals({
    approvals: ports.approvals,
    approvers,
    tell: (event, payload) => tell(event, payload, 'operator.approvals'),
  });
  const callParts: CallParts = {
    ports,
    approvals,
    waits,
    clients: infos,
    upMs: () => Math.round(clock.monotonic() - began),
    awaitsRestart: parts.awaitsRestart,
    now: () => clock.now(),
  };

  const answer = (client: Client, id: string, given: { readonly payload: unknown } | RpcError): void =>
    post?.({ do: 'answer', id: client.info.id, text: answerFrame(id, given) });
  const revoke = (browser: number): void => {
    browsers.delete(browser);
    post?.({ do: 'revoked', id: browser });
  };
  const welcome = ({
    client: info,
    helloId,
    browser,
    deviceToken,
  }: Extract<FromClient, { do: 'joined' }>): void => {
    if (browser !== undefined && deviceToken !== undefined) {
      browsers.set(browser, { name: info.name, pairedAt: clock.now() });
      const [oldest] = browsers.keys();
      if (browsers.size > maxBrowsers && oldest !== undefined) revoke(oldest);
    }
    const { connId, protocol, scopes } = info;
    clients.set(info.id, { info, browser, left: new AbortController() });
    const payload = {
      type: 'hello-ok',
      protocol,
      server: { version: 'pincer', connId },
      features: {
        methods: [...Object.keys(coreMethods), ...parts.methods().map(({ method }) => method)],
        events: eventNames,
      },
      snapshot: { presence: presenceOf(infos()), uptimeMs: callParts.upMs() },
      auth: { role: 'operator', scopes, ...(deviceToken === undefined ? {} : { deviceToken }) },
      policy: { maxPayload: 2_000_000, maxBufferedBytes: 16_000_000, tickIntervalMs: 15_000 },
    };
    post?.({ do: 'welcome', id: info.id, text: answerFrame(helloId, { payload }) });
    tellPresence();
  };

  /** Those that wait for a person's yes, to take the question back. */
  const pairing = new Map<number, AbortController>();
  const pair = async ({
    id,
    code,
    name,
  }: {
    readonly id: number;
    readonly code: string;
    readonly name: string;
  }): Promise<void> => {
    const leaves = new AbortController();
    pairing.set(id, leaves);
    const stopWaiting = clock.after(pairMs, () => leaves.abort());
    const isAllowed = await parts
      .pages()
      ?.pair({ code, name }, leaves.signal)
      .catch(() => false);
    stopWaiting();
    pairing.delete(id);
    // A yes to one that has left, or that waited too long, lets nobody in.
    post?.({ do: 'paired', id, isAllowed: isAllowed === true && !leaves.signal.aborted });
  };
  /** The page of a client: the same as the Chat view's, over this connection. @throws PincerError `page_unavailable`, `request_invalid` */
  const askPage = (client: Client, { method, params }: RequestFrame): unknown => {
    const server = parts.pages();
    if (server === undefined) throw new PincerError('page_unavailable', 'No page is served here.');
    if (method === 'page.post') {
      if (client.page === undefined) throw new PincerError('request_invalid', 'page.open comes first.');
      client.page(params['message']);
      return { ok: true };
    }
    if (client.page !== undefined) throw new PincerError('request_invalid', 'The page is open.');
    const { id } = client.info;
    client.page = () => undefined;
    const opened = server.open({
      post: (message) =>
        post?.({
          do: 'event',
          begun: beginEvent('page', { message }),
          scope: undefined,
          mayDrop: false,
          only: id,
        }),
      listen(listener) {
        client.page = listener;
      },
    });
    client.left.signal.addEventListener('abort', () => opened.dispose(), { once: true });
    return { ok: true };
  };

  const ask = async (client: Client, request: RequestFrame): Promise<void> => {
    const { id, method, params } = request;
    if (method === 'page.open' || method === 'page.post') {
      const lacks = pageScopes.find((each) => !hasScope(client.info.scopes, each));
      answer(
        client,
        id,
        lacks === undefined
          ? { payload: askPage(client, request) }
          : { code: 'INVALID_REQUEST', message: `missing scope: ${lacks}` },
      );
      return;
    }
    const core = Object.hasOwn(coreMethods, method)
      ? coreMethods[method as keyof typeof coreMethods]
      : undefined;
    const plugin = core === undefined ? parts.methods().find((each) => each.method === method) : undefined;
    const scope = core === undefined ? plugin?.scope : core.scope;
    if (core === undefined && plugin === undefined)
      answer(client, id, { code: 'INVALID_REQUEST', message: `unknown method: ${method.slice(0, 100)}` });
    else if (scope !== undefined && !hasScope(client.info.scopes, scope))
      answer(client, id, { code: 'INVALID_REQUEST', message: `missing scope: ${scope}` });
    else if (core !== undefined) {
      const accept = (payload: unknown): void => answer(client, id, { payload });
      const call = { client: client.info, params, accept, signal: client.left.signal };
      answer(client, id, { payload: await core.answer(callParts, call) });
    } else if (plugin !== undefined) await askPlugin(client, request, plugin);
  };

  /** Whatever the plugin does, the client gets one answer. */
  const askPlugin = async (
    client: Client,
    request: RequestFrame,
    plugin: PluginGatewayMethod,
  ): Promise<void> => {
    const { id, method, params } = request;
    const { connId, name, version, mode, scopes } = client.info;
    const state = { isAnswered: false };
    const respond = (ok: unknown, payload?: unknown, error?: unknown): void => {
      if (state.isAnswered) return;
      state.isAnswered = true;
      stopWaiting();
      try {
        answer(client, id, ok === true ? { payload: payload ?? null } : pluginError(error));
      } catch (failure) {
        fail(failure);
      }
    };
    const fail = (error: unknown): void => {
      const message = `gateway method "${method}" from ${plugin.pluginId} failed: ${errorMessage(error)}`;
      parts.report({ level: 'warn', code: 'plugin_method_failed', message, pluginId: plugin.pluginId });
      answer(client, id, { code: 'UNAVAILABLE', message: `Plugin ${plugin.pluginId} failed to answer.` });
    };
    const stopWaiting = clock.after(answerMs, () => {
      respond(false, undefined, {
        code: 'UNAVAILABLE',
        message: `Plugin ${plugin.pluginId} did not answer.`,
      });
    });
    const connect = { client: { id: name, version, mode }, role: 'operator', scopes: [...scopes] };
    try {
      await plugin.handle({
        req: { type: 'req', id, method, params: structuredClone(params) },
        params: structuredClone(params),
        client: { connect, connId },
        isWebchatConnect: (given: unknown) =>
          isRecord(given) && isRecord(given['client']) && given['client']['mode'] === 'webchat',
        respond,
        context: {
          broadcast: (event: unknown, payload: unknown, options: unknown) =>
            broadcast(event, payload, isRecord(options) && options['dropIfSlow'] === true),
        },
      });
    } catch (error) {
      if (!state.isAnswered) {
        state.isAnswered = true;
        stopWaiting();
        fail(error);
      }
    }
  };
  /** Events of plugins have names of their own, and whoever may write hears them (upstream). */
  const broadcast = (event: unknown, payload: unknown, mayDrop: boolean): void => {
    if (typeof event !== 'string' || !event.startsWith('plugin.'))
      throw new PincerError('event_refused', 'Events of plugins have names that begin with plugin.');
    tell(event, payload, 'operator.write', mayDrop);
  };

  return {
    connect(next) {
      post = next;
      ports.open();
      began = clock.monotonic();
    },
    receive(step) {
      if (step.do === 'joined') {
        welcome(step);
        return;
      }
      if (step.do === 'pairing') {
        void pair(step);
        return;
      }
      pairing.get(step.id)?.abort();
      const client = clients.get(step.id);
      if (client === undefined) return;
      if (step.do === 'left') {
        clients.delete(step.id);
        client.left.abort();
        approvals.left(step.id);
        tellPresence();
        return;
      }
      ask(client, step.request).catch((error: unknown) => {
        const { status, code, message } = failureOf(error);
        answer(client, step.request.id, {
          code: status < 500 ? 'INVALID_REQUEST' : 'UNAVAILABLE',
          message,
          details: { code },
        });
      });
    },
    disconnect() {
      post = undefined;
      for (const [id, { left }] of clients) {
        left.abort();
        approvals.left(id);
      }
      clients.clear();
      browsers.clear();
      for (const leaves of pairing.values()) leaves.abort();
      runEvents.close();
    },
    hasApprovers: () => approvers().length > 0,
    clients: () => clients.size,
    browsers: {
      list: () =>
        [...browsers].map(([id, browser]) => ({
          ...{ id, ...browser },
          isConnected: [...clients.values()].some((client) => client.browser === id),
        })),
      revoke,
    },
  };
}

function pluginError(error: unknown): RpcError {
  const { code, message, details } = isRecord(error) ? error : {};
  return {
    code: code === 'UNAVAILABLE' ? 'UNAVAILABLE' : 'INVALID_REQUEST',
    message: typeof message === 'string' ? message : 'The plugin refused the request.',
    ...(details === undefined ? {} : { details }),
  };
}
