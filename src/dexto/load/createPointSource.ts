// Threat: a turn that runs is judged by nobody while its guards are being replaced, or after the new ones could not be started. It
// waits for them, and what they can't judge is stopped.
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import type { DextoAdapter } from '../createDextoAdapter.ts';
import type { LoadedPlugin } from '../loadedPlugin.ts';
import { extensionPoints } from '../pointRules.ts';
import type { HandlerSource, HookRegistration } from '../../hooks/hookRegistration.ts';
import type { FiringName } from '../../hooks/hookTypes.ts';
import type { PointResult } from '../../hooks/payloads/pointHooks.ts';
import { agentFileId } from './planLoadReport.ts';

interface PointSourceParts {
  readonly adapter: Pick<DextoAdapter, 'registrationsOf'>;
  /** Those that run now, in order; another list where others do. */
  readonly running: () => readonly LoadedPlugin[];
  /** Why plugins that should run do not; undefined where all of them do, or there are none. */
  readonly problem: () => Diagnostic | undefined;
  /** Resolves once nothing loads any more. Never rejects. */
  readonly settled: () => Promise<void>;
}

/** The handlers of the extension points: those of the plugins that run, or one that stops everything as long as they are away. */
export function createPointSource({ adapter, running, problem, settled }: PointSourceParts): HandlerSource {
  let known: readonly LoadedPlugin[] = [];
  let handlers: ReadonlyMap<FiringName, readonly HookRegistration[]> = new Map();
  return {
    handlers(hook) {
      const why = problem();
      if (why !== undefined) return [blockingHandler(hook, why)];
      if (known !== running()) {
        known = running();
        const all = known.flatMap((plugin) => adapter.registrationsOf(plugin));
        handlers = new Map(
          extensionPoints.map((point) => [point, all.filter((each) => each.hook === point)]),
        );
      }
      return handlers.get(hook) ?? none;
    },
    pending: () => (problem() === undefined ? undefined : settled()),
  };
}

const none: readonly HookRegistration[] = [];

function blockingHandler(hook: FiringName, why: Diagnostic): HookRegistration {
  const message = `The plugins of the agent file do not run: ${why.message}`;
  const block = { message, notices: [], httpStatus: 500, code: 'PLUGIN_LOAD_FAILED' };
  return {
    hook,
    pluginId: agentFileId,
    isAdapter: true,
    priority: 0,
    timeoutMs: 0,
    handler: (): PointResult => ({ block }),
    // No plugin was asked.
    ended: () => undefined,
  };
}
