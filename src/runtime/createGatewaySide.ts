import { join } from 'node:path';
import { toDisposable, type Disposable } from '../base/disposable.ts';
import { createProcessOwner } from '../host/processOwner.ts';
import { settlesWithin } from '../host/settlesWithin.ts';
import { createGateway } from '../gateway/createGateway.ts';
import type { Gateway } from '../gateway/gateway.ts';
import type { GatewayPorts } from '../gateway/gatewayPorts.ts';
import { storedMcpToken, storedToken } from '../gateway/gatewayToken.ts';
import { pagePaths, type PageServer } from '../gateway/pages.ts';
import { usualLimits } from '../gateway/gatewayProtocol.ts';
import { createRpc } from '../gateway/rpc/createRpc.ts';
import { createRequestServer } from '../gateway/routes/createRequestServer.ts';
import type { PluginManager } from '../plugins/pluginManager.ts';
import type { RuntimeInput } from './runtime.ts';
import type { RuntimeState } from './runtimeState.ts';

interface GatewaySideParts {
  readonly input: RuntimeInput;
  readonly state: Pick<RuntimeState, 'config' | 'isTrusted'>;
  readonly plugins: Pick<PluginManager, 'httpRoutes' | 'gatewayMethods' | 'report'>;
  readonly ports: GatewayPorts;
}

/** How long a restart waits for requests that are under way. */
const lastAnswersMs = 1_000;

/** The gateway of this workspace, and what answers behind it. */
export interface GatewaySide {
  readonly gateway: Gateway;
  /** Whether somebody is there that may answer what asks. */
  readonly hasApprovers: () => boolean;
}

export function createGatewaySide({ input, state, plugins, ports }: GatewaySideParts): GatewaySide {
  const { host, stateFolder, gateway: given = {} } = input;
  let pages: PageServer | undefined;
  const { firstByteMs } = { ...usualLimits, ...given.limits };
  const rpc = createRpc({
    ports,
    clock: host.clock,
    pages: () => pages,
    awaitsRestart() {
      const status = gateway.status();
      return status.state === 'running' && status.awaitsRestart === true;
    },
    methods: () => plugins.gatewayMethods(),
    report: (diagnostic) => plugins.report(diagnostic),
  });
  const requestServer = createRequestServer({
    ports,
    clock: host.clock,
    firstByteMs,
    pages: () => pages,
    browsers: rpc.browsers,
    routes: () => plugins.httpRoutes(),
    report: (diagnostic) => plugins.report(diagnostic),
  });
  const gateway = createGateway({
    host,
    owner: createProcessOwner((pid) => host.processes.startTimeOf(pid), host.processes.ownPid),
    folder: join(stateFolder, 'gateway'),
    threadFile: given.threadFile ?? join(input.dist, 'gateway.js'),
    token: given.token ?? (() => storedToken(host.secrets)),
    mcpToken: given.mcpToken ?? storedMcpToken(host.secrets),
    config: () => state.config().gateway,
    isTrusted: state.isTrusted,
    startsBy: given.startsBy ?? 'nothing',
    clients: rpc,
    onConnection: (stream, caller) => requestServer.connect(stream, caller),
    openPaths: () => [
      ...(pages === undefined ? [] : pagePaths.map((path) => ({ path, match: 'exact' as const }))),
      ...plugins
        .httpRoutes()
        .flatMap(({ auth, path, match }) => (auth === 'plugin' ? [{ path, match }] : [])),
    ],
    ...(given.limits === undefined ? {} : { limits: given.limits }),
  });
  const servePages = (server: PageServer): Disposable => {
    pages = server;
    void gateway.sync();
    return toDisposable(() => {
      pages = undefined;
      void gateway.sync();
    });
  };
  const routes: Gateway['routes'] = () =>
    plugins
      .httpRoutes()
      .map(({ pluginId, kind, path, match, auth }) => ({ pluginId, kind, path, match, auth }));
  const sync = (): Promise<void> => {
    requestServer.sync();
    return gateway.sync();
  };
  /** The answer of the turn before it may still be on its way. */
  const restart = async (startedAt: number): Promise<void> => {
    await settlesWithin(requestServer.idle(), lastAnswersMs, host.clock);
    await gateway.restart(startedAt);
  };
  const mcp: Gateway['mcp'] = { ...gateway.mcp, isServed: () => ports.served() !== undefined };
  return {
    gateway: {
      ...gateway,
      restart,
      sync,
      servePages,
      routes,
      mcp,
      clients: rpc.clients,
      browsers: rpc.browsers,
    },
    hasApprovers: rpc.hasApprovers,
  };
}
