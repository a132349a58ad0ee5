import { PincerError } from '../../base/errors.ts';
import { createEmitter, type Emitter, type Event } from '../../base/event.ts';

/** The life of one loaded version: its API works from `register` until `end`. */
interface PluginLife {
  /** @throws PincerError `plugin_unloaded` after `end`. */
  readonly assertLoaded: (method: string) => void;
  /** To be called after each registration. */
  readonly registered: () => void;
  /** `register` has ended well; the event fires for every registration from now on. */
  readonly begin: () => Event<void>;
  readonly end: () => void;
}

export function createPluginLife(pluginId: string): PluginLife {
  const registered: Emitter<void> = createEmitter();
  let state: 'registering' | 'loaded' | 'ended' = 'registering';
  return {
    assertLoaded(method) {
      if (state !== 'ended') return;
      throw new PincerError(
        'plugin_unloaded',
        `api.${method} was called by plugin ${pluginId}, which is no longer loaded.`,
      );
    },
    registered() {
      if (state === 'loaded') registered.fire();
    },
    begin() {
      state = 'loaded';
      return registered.event;
    },
    end() {
      state = 'ended';
      registered.dispose();
    },
  };
}
