import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { createSerialQueue } from '../base/createSerialQueue.ts';
import { errorMessage, PincerError } from '../base/errors.ts';
import { createEmitter, type Emitter } from '../base/event.ts';
import { isRecord, parseJson } from '../base/json.ts';
import type { GatewayConfig } from '../config/sections/gatewaySection.ts';
import { createWriterLock } from '../host/createWriterLock.ts';
import type { Host } from '../host/ports.ts';
import type { ProcessOwner } from '../host/processOwner.ts';
import { settlesWithin } from '../host/settlesWithin.ts';
import type { WorkerThread } from '../host/workers.ts';
import type { Gateway, GatewayRequest, GatewayStatus } from './gateway.ts';
import { didNotStart, ended, portTaken, untrustedWindow } from './gatewayErrors.ts';
import { digestOf, makeProofKey, type McpTokenKeeper } from './gatewayToken.ts';
import {
  usualLimits,
  type FromThread,
  type OpenPath,
  type ServerLimits,
  type ToThread,
} from './gatewayProtocol.ts';
import type { Rpc } from './rpc/createRpc.ts';
import { createTunnels, type Caller, type TunnelStream } from './tunnels.ts';

/** What starts it besides `start`: the runtime, or `gateway.enabled` in the config. */
export type GatewayStart = 'runtime' | 'config' | 'nothing';

interface GatewayParts {
  readonly host: Pick<Host, 'fs' | 'clock' | 'log' | 'workers'>;
  readonly owner: ProcessOwner;
  /** Where windows of one workspace find each other; outside of every workspace. */
  readonly folder: string;
  /** The thread's program; absolute. */
  readonly threadFile: string;
  readonly token: () => string | Promise<string>;
  readonly mcpToken: McpTokenKeeper;
  readonly config: () => GatewayConfig;
  readonly isTrusted: () => boolean;
  readonly startsBy: GatewayStart;
  /** Answers what comes in. */
  readonly onConnection: (stream: TunnelStream, caller: Caller) => void;
  /** Answers clients over WebSocket. */
  readonly clients: Pick<Rpc, 'connect' | 'receive' | 'disconnect'>;
  /** Paths that anybody may ask for, now. */
  readonly openPaths: () => readonly OpenPath[];
  readonly limits?: Partial<ServerLimits>;
}

interface RunningServer {
  readonly config: GatewayConfig;
  readonly thread: WorkerThread;
  readonly port: number;
  tell(message: ToThread): void;
  /** Resolves when the thread has ended. */
  readonly ended: Promise<Error | undefined>;
  /** Forgets what runs on it. */
  close(): void;
}

/** OpenClaw's own port, where programs look for it. */
const usualPort = 18_789;
const startMs = 20_000;
const endMs = 3_000;
/** How often a window looks whether the one that serves is gone. */
const pollIntervalMs = 10_000;
const keptRequests = 200;

/**
 * The gateway as the window sees it: who of the workspace's windows serves, and the thread that owns the sockets. What is asked for
 * is answered here, by `onConnection`; whom it is for, the thread has checked.
 */
export function createGateway(parts: GatewayParts): Omit<
  Gateway,
  'servePages' | 'routes' | 'mcp' | 'clients' | 'browsers'
> & {
  readonly mcp: Omit<Gateway['mcp'], 'isServed'>;
} {
  const { host, folder } = parts;
  const { fs, clock, log } = host;
  const instance = randomUUID();
  const proofKey = makeProofKey();
  const changed: Emitter<void> = createEmitter();
  const answered: Emitter<void> = createEmitter();
  const lock = createWriterLock({ fs, owner: parts.owner, clock, folder, instance, hasEnded: () => false });
  const addressFile = join(folder, 'gateway.json');
  let status: GatewayStatus = { state: 'off' };
  let server: RunningServer | undefined;
  let byUser: boolean | undefined;
  /** The config with which it failed last. */
  let failedWith: GatewayConfig | undefined;
  /** The open paths that the thread knows. */
  let told: readonly OpenPath[] = [];
  let requests: readonly GatewayRequest[] = [];
  let stopLooking = (): void => undefined;
  let isClosed = false;

  const become = (next: GatewayStatus): void => {
    if (isDeepStrictEqual(status, next)) return;
    status = next;
    if (next.state === 'failed') log.write('warn', next.error.message);
    changed.fire();
  };
  const fail = (error: unknown, config: GatewayConfig): void => {
    failedWith = config;
    become({ state: 'failed', error: toFailure(error) });
  };
  const inTurn = createSerialQueue();
  const isWanted = (): boolean =>
    !isClosed &&
    (byUser ?? (parts.startsBy === 'runtime' || (parts.startsBy === 'config' && parts.config().enabled))) &&
    parts.isTrusted();

  const onMessage = (message: FromThread, tunnels: ReturnType<typeof createTunnels>): void => {
    if (message.kind === 'tunnel') tunnels.receive(message.frame);
    if (message.kind === 'client') parts.clients.receive(message.step);
    if (message.kind !== 'answered') return;
    requests = [...requests, ...message.requests].slice(-keptRequests);
    answered.fire();
  };

  /** @throws PincerError `gateway_port_taken`, `gateway_failed`, `gateway_token_*` */
  const startThread = async (config: GatewayConfig, lastPort?: number): Promise<RunningServer> => {
    const tokenDigest = digestOf(await parts.token());
    const mcpTokenDigest = digestOfMcp(await parts.mcpToken.current());
    const thread = host.workers.start(parts.threadFile);
    const tell = (message: ToThread): void => thread.post(message);
    const tunnels = createTunnels((frame) => tell({ kind: 'tunnel', frame }), parts.onConnection);
    let isOpen = true;
    const takeNext = oneAtATime((message: FromThread) => {
      // Whoever stops the gateway means what is still on its way, too; what was answered is only told.
      if (isOpen || message.kind === 'answered') onMessage(message, tunnels);
    });
    const whenEnded = new Promise<Error | undefined>((resolve) => thread.onEnd(resolve));
    const port = await new Promise<number>((resolve, reject) => {
      const fail = (error: PincerError): void => {
        stopWaiting();
        reject(error);
        void thread.terminate();
      };
      const stopWaiting = clock.after(startMs, () => fail(didNotStart('it took too long.')));
      void whenEnded.then((error) => fail(didNotStart(error?.message ?? 'its thread has ended.')));
      thread.onMessage((given) => {
        const message = given as FromThread;
        if (message.kind === 'failed')
          fail(
            message.code === 'EADDRINUSE'
              ? portTaken(config.port ?? usualPort)
              : didNotStart(message.message),
          );
        else if (message.kind === 'listening') {
          stopWaiting();
          parts.clients.connect((step) => tell({ kind: 'client', step }));
          resolve(message.port);
        } else takeNext(message);
      });
      tell({
        kind: 'listen',
        settings: {
          port: lastPort ?? config.port ?? usualPort,
          mayMove: config.port === undefined || config.port === 0,
          allowedHosts: config.allowedHosts,
          tokenDigest,
          mcpTokenDigest,
          instance,
          proofKey,
          limits: { ...usualLimits, ...parts.limits },
        },
      });
    });
    const close = (): void => {
      isOpen = false;
      tunnels.close();
    };
    return { config, thread, port, tell, ended: whenEnded, close };
  };

  /** `lastPort` is where clients look for it. */
  const begin = async (lastPort?: number): Promise<void> => {
    const config = parts.config();
    if (!(await lock.tryAcquire())) {
      become({ state: 'elsewhere', port: await readPort(fs, addressFile) });
      stopLooking();
      stopLooking = clock.after(pollIntervalMs, () => void sync());
      return;
    }
    become({ state: 'starting' });
    try {
      await fs.remove(addressFile);
      const started = await startThread(config, lastPort);
      server = started;
      told = [];
      tellOpenPaths(started);
      await fs.writeFile(addressFile, `${JSON.stringify({ port: started.port, proofKey })}\n`, 'private');
      void started.ended.then((error) => noteEnd(started, error));
      become({ state: 'running', port: started.port, startedAt: clock.now() });
    } catch (error) {
      await end();
      fail(error, config);
    }
  };
  const tellOpenPaths = (running: RunningServer): void => {
    const paths = parts.openPaths();
    if (isDeepStrictEqual(paths, told)) return;
    told = paths;
    running.tell({ kind: 'open paths', paths });
  };
  /** This window or another one has made or taken back the token of MCP clients. One that can't be read is none. */
  const tellMcpToken = (): Promise<void> =>
    inTurn(async () => {
      if (server === undefined) return;
      const token = await parts.mcpToken.current().catch((error: unknown) => {
        log.write('warn', `The token of MCP clients can't be read: ${errorMessage(error)}`);
        return undefined;
      });
      server.tell({ kind: 'mcp token', digest: digestOfMcp(token) });
    });
  const watching = parts.mcpToken.onDidChange(() => void tellMcpToken());
  /** The thread ended by itself. */
  const noteEnd = (started: RunningServer, error: Error | undefined): void => {
    if (server !== started) return;
    void inTurn(async () => {
      if (server !== started) return;
      await end();
      fail(ended(error?.message ?? 'its thread has stopped.'), started.config);
    });
  };
  const end = async (): Promise<void> => {
    stopLooking();
    const ending = server;
    server = undefined;
    if (ending !== undefined) {
      parts.clients.disconnect();
      ending.tell({ kind: 'close' });
      ending.close();
      if (!(await settlesWithin(ending.ended, endMs, clock))) await ending.thread.terminate();
      await fs.remove(addressFile);
    }
    await lock.release();
  };
  /** `restarted`: since when the one runs that is to be started anew. */
  const sync = (restarted?: number): Promise<void> =>
    inTurn(async () => {
      const isRestart = restarted !== undefined;
      // A stop and a start may have come before it: whoever agreed to the restart has not seen that one.
      if (isRestart && !(status.state === 'running' && status.startedAt === restarted)) return;
      try {
        const isRefused = byUser === true && !isClosed && !parts.isTrusted();
        if (!isWanted()) {
          await end();
          if (isRefused) fail(untrustedWindow(), parts.config());
          else become({ state: 'off' });
        } else if (server !== undefined && !isRestart && isDeepStrictEqual(server.config, parts.config())) {
          tellOpenPaths(server);
          // One that has failed is not tried again until somebody asks for it, it was off meanwhile, or the config differs.
        } else if (status.state !== 'failed' || !isDeepStrictEqual(failedWith, parts.config())) {
          const lastPort =
            isRestart && isDeepStrictEqual(server?.config, parts.config()) ? server?.port : undefined;
          if (server !== undefined) await end();
          await begin(lastPort);
        }
      } catch (error) {
        fail(error, parts.config());
      }
    });

  return {
    status: () => status,
    onDidChange: changed.event,
    onDidAnswer: answered.event,
    async start() {
      byUser = true;
      if (status.state === 'failed') status = { state: 'off' };
      await sync();
      return status;
    },
    async stop() {
      byUser = false;
      await sync();
    },
    noteRestart(startedAt) {
      if (status.state === 'running' && status.startedAt === startedAt)
        become({ ...status, awaitsRestart: true });
    },
    restart: sync,
    sync: () => sync(),
    requests: () => requests,
    token: async () => await parts.token(),
    mcp: {
      async token() {
        const token = await parts.mcpToken.make();
        await tellMcpToken();
        return token;
      },
      async revoke() {
        await parts.mcpToken.revoke();
        await tellMcpToken();
      },
    },
    async close() {
      isClosed = true;
      await sync();
    },
    dispose() {
      watching.dispose();
      changed.dispose();
      answered.dispose();
    },
  };
}

function digestOfMcp(token: string | undefined): Uint8Array | undefined {
  return token === undefined ? undefined : digestOf(token);
}

function toFailure(error: unknown): PincerError {
  return error instanceof PincerError ? error : didNotStart(errorMessage(error));
}

async function readPort(fs: Host['fs'], file: string): Promise<number | undefined> {
  if ((await fs.stat(file)) === undefined) return undefined;
  const read = parseJson(await fs.readText(file, 1_000));
  return isRecord(read) && typeof read['port'] === 'number' ? read['port'] : undefined;
}

/**
 * A port hands over all that has come in one go, up to a thousand messages, and this program would stand still as long. So each gets a pass
 * of the event loop of its own.
 */
function oneAtATime<T>(take: (item: T) => void): (item: T) => void {
  const waiting: T[] = [];
  const next = (): void => {
    const [item] = waiting.splice(0, 1);
    if (waiting.length > 0) setImmediate(next);
    if (item !== undefined) take(item);
  };
  return (item) => {
    waiting.push(item);
    if (waiting.length === 1) setImmediate(next);
  };
}
