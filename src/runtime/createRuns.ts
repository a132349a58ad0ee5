import { runAgent, type RunHandle, type RunToolSet } from '../agent/runAgent.ts';
import type { ModelRef } from '../contracts/model.ts';
import type { Checkpoints } from '../checkpoints/checkpoints.ts';
import type { Host } from '../host/ports.ts';
import type { HiddenTool } from '../tools/catalog.ts';
import type { ModelRegistry } from '../models/createModelRegistry.ts';
import type { InternalEvents } from '../plugins/operatorHooks/createInternalEvents.ts';
import type { PluginManager } from '../plugins/pluginManager.ts';
import type { PluginSessionState } from '../sessions/pluginSessionState.ts';
import type { Session } from '../sessions/session.ts';
import type { RunTraces } from '../traces/createRunTraces.ts';
import type { RunTools } from './createRunTools.ts';
import type { RunRequest } from './runtime.ts';

export interface RunsParts {
  readonly host: Host;
  readonly surface: string;
  readonly plugins: PluginManager;
  readonly models: ModelRegistry;
  readonly tools: RunTools;
  readonly traces: RunTraces;
  readonly checkpoints: Pick<Checkpoints, 'endTurn'>;
  readonly events: InternalEvents;
  readonly sessionState: PluginSessionState;
  readonly systemPrompt: (session: Session) => Promise<string>;
  readonly state: () => {
    readonly folders: readonly string[];
    readonly maxRounds: number;
    /** Aborts when the window loses trust or the runtime stops. */
    readonly signal: AbortSignal;
  };
}

/** What a turn that runs was given. */
export interface CurrentRun {
  readonly model: ModelRef;
  readonly hidden: readonly HiddenTool[];
}

/** Starts turns and knows which of their observers still run. */
export interface Runs {
  begin(request: RunRequest): Promise<RunHandle>;
  /** The turn of a session that runs now. */
  current(sessionKey: string): CurrentRun | undefined;
  /** Resolves when nothing of any turn runs any more. */
  settled(): Promise<void>;
}

export function createRuns(parts: RunsParts): Runs {
  const { host, plugins, tools, events, sessionState } = parts;
  const unsettled = new Set<Promise<void>>();
  const current = new Map<string, CurrentRun>();

  const follow = (handle: RunHandle, { session, signal }: RunRequest): void => {
    unsettled.add(handle.settled);
    void handle.settled.finally(() => {
      unsettled.delete(handle.settled);
      plugins.endRun(handle.runId);
      parts.checkpoints.endTurn(handle.runId);
    });
    void handle.outcome.then(({ status }) => {
      current.delete(session.key);
      const isStopped = status === 'cancelled' && signal.aborted;
      if (isStopped && events.has('command', 'stop'))
        void events.emit('command', 'stop', { sessionKey: session.key, context: { sessionId: session.id } });
    });
  };

  return {
    async begin(request) {
      const { session } = request;
      const systemPrompt = await parts.systemPrompt(session);
      const { folders, maxRounds, signal } = parts.state();
      const toolsFor = ({ provider, model }: ModelRef): RunToolSet => {
        const catalog = tools.catalogFor(session, { provider, model });
        current.set(session.key, { model: { provider, model }, hidden: catalog.hidden() });
        return { tools: catalog.tools(), pipeline: tools.pipelineFor(catalog) };
      };
      const handle = runAgent(
        {
          hooks: plugins.hooks,
          toolsFor,
          findModel: (ref) => parts.models.get(ref),
          clock: host.clock,
          log: host.log,
          traces: parts.traces,
          internal: events,
        },
        {
          ...request,
          signal: AbortSignal.any([request.signal, signal]),
          systemPrompt,
          maxRounds,
          surface: parts.surface,
          workspaceDir: folders[0],
          takeInjections: () => sessionState.drain(session.key, (id) => plugins.mayInject(id)),
        },
      );
      follow(handle, request);
      return handle;
    },
    current: (sessionKey) => current.get(sessionKey),
    async settled() {
      await Promise.all(unsettled);
    },
  };
}
