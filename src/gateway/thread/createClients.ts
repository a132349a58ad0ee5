// Threats: a page of another origin opens a WebSocket, which no CORS holds back; a client sends frames without end, or reads none of
// what it is sent, until the memory is full; silent connections take the places of all others. So names and token are judged as for HTTP,
// whoever does not say who it is in time is gone, and before that makes room for the next where all places are taken; what a client may send
// and leave unread has limits.
import { randomInt, randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type RawData, type WebSocket } from 'ws';
import { refuseSocket } from '../refuseSocket.ts';
import type { FromClient, ServerSettings, ToClient } from '../gatewayProtocol.ts';
import {
  answerFrame,
  beginEvent,
  endEvent,
  hasScope,
  newestProtocol,
  oldestProtocol,
  readConnect,
  readRequest,
  type ClientInfo,
  type ConnectFrame,
  type RpcError,
} from '../rpc/frames.ts';
import { createPairings, pageScopes } from './createPairings.ts';
import { createRateLimit } from '../../base/createRateLimit.ts';

/** The clients that talk over WebSocket. */
interface Clients {
  /** Takes a connection whose names and rate were judged. `isKnown`: its request had the token. */
  take(request: IncomingMessage, socket: Duplex, head: Buffer, isKnown: boolean): void;
  receive(step: ToClient): void;
  close(): void;
}

interface Client extends ClientInfo {
  readonly socket: WebSocket;
  /** The connection below: what is said in one go goes out in one. */
  readonly raw: Duplex;
  /** Of a page: which browser it is of. */
  readonly browser: number | undefined;
  isWelcome: boolean;
  /** Counts its events; one that it lost leaves a gap. */
  seq: number;
}

/** Why a connection is closed (RFC 6455, Status Codes). */
const policy = 1008;
/** One may be late on a machine that is busy, or has slept. */
const missedPings = 2;
const tooBig = 1009;
const goingAway = 1001;
/** How long a client may take to let go once the gateway stops. */
const endMs = 500;
/** Nobody needs more to say who they are. */
const connectChars = 65_536;

/** `isToken` tells whether a token is the right one, in a time that tells nothing else. */
export function createClients(
  { limits: { clients: limits } }: Pick<ServerSettings, 'limits'>,
  isToken: (token: string) => boolean,
  post: (step: FromClient) => void,
): Clients {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: limits.frameBytes,
    perMessageDeflate: false,
  });
  const sockets = new Set<WebSocket>();
  /** Those that nobody has let in, the oldest first. */
  const strangers = new Set<WebSocket>();
  const clients = new Map<number, Client>();
  const pairings = createPairings(() => performance.now());
  /** Pages that a person was asked about. */
  const waiting = new Map<number, (isAllowed: boolean) => void>();
  /** An id that somebody still has from a gateway that ended is nobody's here. */
  let last = randomInt(2 ** 47);
  /** How many pings in a row each has not answered. */
  const unanswered = new WeakMap<WebSocket, number>();
  const pings = setInterval(() => {
    const tick = eventFrames(beginEvent('tick', { ts: Date.now() }));
    for (const socket of sockets) {
      const missed = unanswered.get(socket) ?? 0;
      if (missed >= missedPings) socket.terminate();
      unanswered.set(socket, missed + 1);
      if (socket.readyState === socket.OPEN) socket.ping();
    }
    for (const client of clients.values()) sendEvent(client, true, tick);
  }, limits.pingMs);

  /** `frameOf` gives the event as it goes out with this number. */
  const sendEvent = (client: Client, mayDrop: boolean, frameOf: (seq: number) => Buffer): void => {
    const { socket, raw } = client;
    if (!client.isWelcome || socket.readyState !== socket.OPEN) return;
    client.seq += 1;
    const { bufferedAmount } = socket;
    if (bufferedAmount > limits.maxBytes) socket.terminate();
    else if (!mayDrop || bufferedAmount <= limits.slowBytes) {
      hold(raw);
      raw.write(frameOf(client.seq));
    }
  };
  /** Several turns speak at a time: to write each event to each client by itself would be most of this thread's work. */
  const held = new Set<Duplex>();
  const hold = (raw: Duplex): void => {
    if (held.has(raw)) return;
    if (held.size === 0)
      setImmediate(() => {
        for (const each of held) each.uncork();
        held.clear();
      });
    held.add(raw);
    raw.cork();
  };

  const forget = (socket: WebSocket): void => {
    sockets.delete(socket);
    strangers.delete(socket);
  };
  const introduce = (socket: WebSocket, raw: Duplex, isKnown: boolean, isOwnPage: boolean): void => {
    const tooLate = setTimeout(() => socket.close(policy, 'connect did not come in time'), limits.connectMs);
    let client: Client | undefined;
    /** The id of a page that waits for a person's yes. */
    let asking: number | undefined;
    const refuse = (problem: string, id = '', again: Pick<RpcError, 'retryAfterMs'> = {}): void => {
      clearTimeout(tooLate);
      socket.send(answerFrame(id, { code: 'INVALID_REQUEST', message: problem, ...again }));
      socket.close(policy, problem.slice(0, 100));
    };
    const join = (
      frame: ConnectFrame,
      {
        protocol,
        id,
        browser,
      }: { readonly protocol: number; readonly id: number; readonly browser: number | undefined },
      deviceToken?: string,
    ): void => {
      const { name, version, mode } = frame;
      // A page has what a person allowed it, whatever it asks for.
      const ofBrowser = browser === undefined ? {} : { browser };
      const granted =
        browser !== undefined ? frame.scopes.filter((scope) => pageScopes.includes(scope)) : frame.scopes;
      strangers.delete(socket);
      const info = { id, connId: randomUUID(), protocol, name, version, mode, scopes: granted };
      client = { ...info, socket, raw, browser, isWelcome: false, seq: 0 };
      clients.set(id, client);
      const own = deviceToken === undefined ? {} : { deviceToken };
      post({ do: 'joined', client: info, helloId: frame.id, ...ofBrowser, ...own });
    };
    const pair = (frame: ConnectFrame, protocol: number): void => {
      const code = isOwnPage ? pairings.begin() : undefined;
      if (code === undefined) {
        const again = isOwnPage ? { retryAfterMs: pairings.waitMs() } : {};
        refuse('pairing: another browser waits, or one was just denied', frame.id, again);
        return;
      }
      last += 1;
      const id = last;
      asking = id;
      strangers.delete(socket);
      socket.send(endEvent(beginEvent('pairing.code', { code }), 0));
      waiting.set(id, (isAllowed) => {
        waiting.delete(id);
        asking = undefined;
        // A token that nobody gets would be listed nowhere.
        const isThere = socket.readyState === socket.OPEN;
        const token = pairings.end(id, isAllowed && isThere);
        if (!isThere) return;
        if (token === undefined) refuse('pairing: denied', frame.id);
        else join(frame, { protocol, id, browser: id }, token);
      });
      post({ do: 'pairing', id, code, name: frame.name });
    };
    const connect = (text: string): void => {
      const frame = readConnect(text);
      if ('problem' in frame) refuse(frame.problem, frame.id);
      else if (frame.protocol === undefined)
        refuse(
          `protocol mismatch: versions ${String(oldestProtocol)} to ${String(newestProtocol)} are spoken here`,
          frame.id,
        );
      else if (frame.token === undefined && frame.wantsPairing) {
        clearTimeout(tooLate);
        pair(frame, frame.protocol);
      } else {
        const hasToken = frame.token === undefined ? isKnown : isToken(frame.token);
        const browser = hasToken || frame.token === undefined ? undefined : pairings.browserOf(frame.token);
        if (!hasToken && browser === undefined) {
          refuse('unauthorized: the token is missing or wrong', frame.id);
          return;
        }
        clearTimeout(tooLate);
        last += 1;
        join(frame, { protocol: frame.protocol, id: last, browser });
      }
    };
    const ask = ({ id }: Client, text: string): void => {
      const request = readRequest(text);
      if (!('problem' in request)) post({ do: 'asked', id, request });
      else
        socket.send(
          answerFrame(request.id ?? '', {
            code: 'INVALID_REQUEST',
            message: `invalid frame: ${request.problem}`,
          }),
        );
    };
    const rate = createRateLimit(limits.frames, () => performance.now());
    socket.on('message', (data: RawData, isBinary: boolean) => {
      if (socket.readyState !== socket.OPEN) return;
      if (!rate.take()) {
        socket.close(policy, 'too many frames');
        return;
      }
      if (isBinary) {
        socket.close(1003, 'frames are text');
        return;
      }
      const text = (data as Buffer).toString('utf8');
      if (client !== undefined) ask(client, text);
      else if (asking !== undefined) socket.close(policy, 'nothing is answered before the pairing');
      else if (text.length > connectChars) socket.close(tooBig, 'connect is too long');
      else connect(text);
    });
    socket.on('pong', () => unanswered.set(socket, 0));
    // What is wrong with a connection closes it: the client sees it by itself.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(tooLate);
      forget(socket);
      if (asking !== undefined) {
        post({ do: 'left', id: asking });
        waiting.get(asking)?.(false);
      }
      if (client === undefined) return;
      clients.delete(client.id);
      post({ do: 'left', id: client.id });
    });
    sockets.add(socket);
    strangers.add(socket);
    socket.send(endEvent(beginEvent('connect.challenge', { nonce: randomUUID(), ts: Date.now() }), 0));
  };

  return {
    take(request, socket, head, isKnown) {
      const [oldest] = strangers;
      if (sockets.size >= limits.most && oldest !== undefined) {
        oldest.terminate();
        forget(oldest);
      }
      if (sockets.size >= limits.most) {
        refuseSocket(socket, 503, 'unavailable', 'There are too many clients.');
        return;
      }
      server.handleUpgrade(request, socket, head, (opened) =>
        introduce(opened, socket, isKnown, request.headers.origin !== undefined),
      );
    },
    receive(step) {
      if (step.do === 'event') {
        const { begun, scope, mayDrop, only } = step;
        const to = only === undefined ? clients.values() : [clients.get(only)];
        const frames = eventFrames(begun);
        for (const client of to)
          if (client !== undefined && (scope === undefined || hasScope(client.scopes, scope)))
            sendEvent(client, mayDrop, frames);
        return;
      }
      if (step.do === 'paired') {
        waiting.get(step.id)?.(step.isAllowed);
        return;
      }
      if (step.do === 'revoked') {
        pairings.revoke(step.id);
        for (const { browser, socket } of clients.values())
          if (browser === step.id) socket.close(policy, 'its access was taken back');
        return;
      }
      const client = clients.get(step.id);
      if (client === undefined || client.socket.readyState !== client.socket.OPEN) return;
      if (step.do === 'welcome') client.isWelcome = true;
      if (client.socket.bufferedAmount > limits.maxBytes) client.socket.terminate();
      else client.socket.send(step.text);
    },
    close() {
      clearInterval(pings);
      for (const socket of sockets) socket.close(goingAway, 'the gateway stops');
      // One that does not answer must not hold up the end.
      setTimeout(() => {
        for (const socket of sockets) socket.terminate();
      }, endMs);
    },
  };
}

/**
 * The frames of one event (RFC 6455, Base Framing Protocol). Clients that have got as many events as others get the same bytes: to have
 * them made for each client was half of what it costs to tell all of them.
 */
function eventFrames(begun: string): (seq: number) => Buffer {
  const frames = new Map<number, Buffer>();
  return (seq) => {
    const frame = frames.get(seq) ?? textFrame(endEvent(begun, seq));
    frames.set(seq, frame);
    return frame;
  };
}

/** One unmasked text frame, the whole message. */
function textFrame(text: string): Buffer {
  const length = Buffer.byteLength(text);
  const head = length < 126 ? 2 : length < 65_536 ? 4 : 10;
  const frame = Buffer.allocUnsafe(head + length);
  frame[0] = 0x81;
  frame[1] = head === 2 ? length : head === 4 ? 126 : 127;
  if (head === 4) frame.writeUInt16BE(length, 2);
  if (head === 10) frame.writeBigUInt64BE(BigInt(length), 2);
  frame.write(text, head, 'utf8');
  return frame;
}
