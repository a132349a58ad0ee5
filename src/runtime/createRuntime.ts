import { errorMessage } from '../base/errors.ts';
import { createPrivateFiles } from '../host/createPrivateFiles.ts';
import { createShutdown, gatewayContext, type GatewayContext } from './createShutdown.ts';
import type { Runtime, RuntimeInput } from './runtime.ts';
import { createRuntimeParts, type RuntimeParts } from './createRuntimeParts.ts';
import { createServices } from './createServices.ts';

/** A runtime of a window's workspace, with config and plugins loaded. What fails to load is a diagnostic; only a broken disk rejects. */
export async function createRuntime(given: RuntimeInput): Promise<Runtime> {
  const input = withPrivateFiles(given);
  const parts = createRuntimeParts(input);
  const { changed, queue, window, core, plugins, operator, events, pluginModels, loads, turns, gateway } =
    parts;
  const { host } = input;

  let stopping: Promise<void> | undefined;
  const stop: Runtime['stop'] = (reason) => (stopping ??= shutDown(parts, reason));

  plugins.onDidChange(() => {
    void pluginModels.sync();
    changed.fire();
  });
  operator.hooks.onDidChange(() => changed.fire());
  await queue.atOnce(async () => {
    await loads.load();
    // A crash may have cut a change off.
    await core.tools.recover();
    await turns.life.endOrphaned();
  });
  const context = (): GatewayContext => gatewayContext(window.folders(), gateway.status());
  void events.emit('gateway', 'startup', { context: { ...context() } });
  /** The port that plugins know of. */
  let told: number | undefined;
  const announce = (): void => {
    const { port } = context();
    told = port;
    if (plugins.hooks.has('gateway_start'))
      void plugins.hooks.observe('gateway_start', port === undefined ? {} : { port }, context());
    plugins.announce(context);
    // Whoever was told another port begins anew with this one.
    gateway.onDidChange(() => {
      const { port: now } = context();
      if (now === told || stopping !== undefined) return;
      told = now;
      const listeners = plugins.plugins().filter(({ hookNames }) => hookNames.includes('gateway_start'));
      for (const { id } of listeners) void queue.betweenTurns(() => plugins.reload(id));
    });
  };
  // Nobody waits for a server: plugins hear of the start once they can be told its port.
  void gateway.sync().then(announce);
  changed.event(() => void gateway.sync());
  gateway.onDidChange(() => changed.fire());

  return {
    ...createServices(parts),
    stop,
    dispose: () =>
      void stop('shutdown').catch((error: unknown) => host.log.write('error', errorMessage(error))),
  };
}

/** Ends everything in bounded time, and lets go of it. */
async function shutDown(parts: RuntimeParts, reason: 'shutdown' | 'restart'): Promise<void> {
  const {
    input,
    changed,
    queue,
    window,
    memory,
    models,
    traces,
    core,
    plugins,
    dexto,
    mcp,
    operator,
    events,
  } = parts;
  const { pluginModels, configReader, turns, gateway } = parts;
  const endInTime = createShutdown({
    clock: input.host.clock,
    plugins,
    events,
    cancelTurns: window.abort,
    context: gatewayContext(window.folders(), gateway.status()),
    async turnsSettled() {
      parts.schedule.schedule.stop();
      const channelsStopped = parts.channels.channels.stop();
      await core.agents.subagents.close();
      await turns.runs.settled();
      await parts.schedule.schedule.settled();
      await channelsStopped;
    },
    endSessions: (why) => turns.life.endAll(why),
    endCommands: () => core.tools.commands.jobs.close(),
    async closeAll() {
      const pluginsClosed = plugins.close().then(() => dexto.close());
      await Promise.all([pluginsClosed, core.tools.close(), mcp.close(), memory.close()]);
      await traces.flush();
    },
  });
  queue.close();
  const gatewayClosed = gateway.close();
  try {
    await endInTime(reason);
  } finally {
    await gatewayClosed;
    for (const each of [
      parts.schedule,
      parts.channels,
      turns,
      operator,
      traces,
      core.tools.approvals,
      configReader,
      pluginModels,
      models,
      gateway,
      changed,
    ])
      each.dispose();
  }
}

/** What the program keeps of conversations and decisions is nobody else's on this machine. */
function withPrivateFiles(input: RuntimeInput): RuntimeInput {
  const { host, home, stateFolder } = input;
  return { ...input, host: { ...host, fs: createPrivateFiles(host.fs, [home, stateFolder]) } };
}
