import { createEmitter, type Emitter, type Event } from '../../base/event.ts';
import type { AgentEvent } from '../../contracts/agentEvent.ts';
import type { ModelInfo } from '../../contracts/model.ts';
import type { SessionUse } from '../../contracts/usage.ts';
import type { ModelSource } from '../chat/modelOfTurn.ts';

/** The session that was talked to last in this window, with what its last request used. */
export interface LastUsed {
  readonly sessionId: string;
  readonly model: ModelInfo;
  /** Who chose the model. Where that was the config, its default of now answers next. */
  readonly source: ModelSource;
  readonly use?: SessionUse;
}

/** Where a session is talked to: our Chat view (and its page in a browser), or VS Code's chat panel. */
type Surface = 'view' | 'panel';

export interface LastUsedTracker {
  get(): LastUsed | undefined;
  set(last: LastUsed): void;
  /** Follows a run by its events; `source` chose its model, and `surface` shows it. */
  note(sessionId: string, event: AgentEvent, source: ModelSource, surface: Surface): void;
  /** Where a turn of the session began last; the view where that is not known. Outlives the window. */
  surfaceOf(sessionId: string): Surface;
  /** True where this was not said in the session yet, as far as this window knows; from then on it was. */
  tellsOnce(sessionId: string, what: string): boolean;
  /** The session is gone. */
  forget(sessionId: string): void;
  readonly onDidChange: Event<void>;
}

/** The part of VS Code's `Memento` that is needed. */
export interface StoredState {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

const panelKey = 'pincer.sessions.inPanel';
/** Of so many sessions it is known that the panel was the last. */
const maxInPanel = 200;

/** `failed`: where they were used could not be kept. */
export function createLastUsed(state: StoredState, failed: (error: unknown) => void): LastUsedTracker {
  const changes: Emitter<void> = createEmitter();
  let last: LastUsed | undefined;
  const told = new Map<string, readonly string[]>();
  const set = (next: LastUsed | undefined): void => {
    last = next;
    changes.fire();
  };
  let inPanel = (state.get(panelKey) ?? []) as readonly string[];
  const keepSurface = (sessionId: string, surface: Surface): void => {
    if (surface === surfaceOf(sessionId)) return;
    const others = inPanel.filter((each) => each !== sessionId);
    inPanel = surface === 'panel' ? [...others, sessionId].slice(-maxInPanel) : others;
    state.update(panelKey, inPanel).then(undefined, failed);
  };
  const surfaceOf = (sessionId: string): Surface => (inPanel.includes(sessionId) ? 'panel' : 'view');
  return {
    get: () => last,
    set,
    surfaceOf,
    note(sessionId, event, source, surface) {
      if (event.type === 'run_started') {
        keepSurface(sessionId, surface);
        const use = last?.sessionId === sessionId ? last.use : undefined;
        set({ sessionId, model: event.model, source, ...(use === undefined ? {} : { use }) });
      }
      if (event.type === 'usage' && last?.sessionId === sessionId) set({ ...last, use: event.use });
    },
    tellsOnce(sessionId, what) {
      const before = told.get(sessionId) ?? [];
      told.set(sessionId, [...new Set([...before, what])]);
      return !before.includes(what);
    },
    forget(sessionId) {
      told.delete(sessionId);
      if (last?.sessionId === sessionId) set(undefined);
    },
    onDidChange: changes.event,
  };
}
