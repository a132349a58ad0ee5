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

export interface LastUsedTracker {
  get(): LastUsed | undefined;
  set(last: LastUsed): void;
  /** Follows a run by its events; `source` chose its model. */
  note(sessionId: string, event: AgentEvent, source: ModelSource): void;
  /** The session is gone. */
  forget(sessionId: string): void;
  readonly onDidChange: Event<void>;
}

export function createLastUsed(): LastUsedTracker {
  const changes: Emitter<void> = createEmitter();
  let last: LastUsed | undefined;
  const set = (next: LastUsed | undefined): void => {
    last = next;
    changes.fire();
  };
  return {
    get: () => last,
    set,
    note(sessionId, event, source) {
      if (event.type === 'run_started') {
        const use = last?.sessionId === sessionId ? last.use : undefined;
        set({ sessionId, model: event.model, source, ...(use === undefined ? {} : { use }) });
      }
      if (event.type === 'usage' && last?.sessionId === sessionId) set({ ...last, use: event.use });
    },
    forget(sessionId) {
      if (last?.sessionId === sessionId) set(undefined);
    },
    onDidChange: changes.event,
  };
}
