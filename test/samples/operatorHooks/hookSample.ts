import type { Diagnostic } from '../../../src/contracts/diagnostic.ts';
import type { InMemoryLog } from '../../builders/inMemoryLog.ts';
import type { HooksConfig } from '../../../src/plugins/operatorHooks/hookConfig.ts';
import type { OperatorHookRecord } from '../../../src/plugins/operatorHooks/operatorHookTypes.ts';
import type {
  InternalEventFacts,
  InternalEvents,
} from '../../../src/plugins/operatorHooks/createInternalEvents.ts';
import type { OperatorHooks } from '../../../src/plugins/operatorHooks/createOperatorHooks.ts';

/**
 * One behaviour of operator hooks. The folder of a sample holds `fixture/`, with hooks in `workspace/` (`<folder>/hooks`),
 * `pincer/` (`<folder>/.pincer/hooks`), `managed/` (`~/.pincer/hooks`), `openclaw/` (`~/.openclaw/hooks`) or `config/` (named
 * by the config) by where they are found, and this object as the default export of `sample.ts`.
 */
export interface HookSample {
  /** The rule as one sentence; it is the name of the test. */
  readonly rule: string;
  /** Default true. */
  readonly trusted?: boolean;
  /** False leaves workspace hooks without consent. Default true: each is enabled once before `check`. */
  readonly consent?: boolean;
  /** Default: `enabled: true`, and the `config` folder of the fixture. */
  readonly config?: Partial<HooksConfig>;
  readonly hostConfig?: Readonly<Record<string, unknown>>;
  /** Environment of the process. Default: a PATH with the folder `bin` of `root`. */
  readonly env?: Readonly<Record<string, string>>;
  /** Makes the clock run this many times faster, for rules about waiting. */
  readonly speed?: number;
  /** Changes the copied files before the first load; `root` holds `workspace`, `home`, `config` and `bin`. */
  readonly prepare?: (root: string) => Promise<unknown>;
  readonly check: (world: HookWorld) => unknown;
}

/** Operator hooks over a copy of the fixture in a temporary folder, loaded once. */
export interface HookWorld {
  readonly hooks: OperatorHooks;
  readonly events: InternalEvents;
  readonly log: InMemoryLog;
  /** Absolute path of the temporary folder. */
  readonly root: string;
  readonly workspace: string;
  readonly hook: (name: string) => OperatorHookRecord;
  /** The diagnostics with this code. */
  readonly found: (code: string) => readonly Diagnostic[];
  /** Fires `type:action` and gives the texts for the user. */
  readonly emit: (event: string, facts?: InternalEventFacts) => Promise<readonly string[]>;
  /** Names of the marks that hooks have left by `globalThis.mark('name')`, in order. */
  readonly marks: readonly string[];
  /** Loads again, with something changed. */
  readonly load: (change?: {
    readonly trusted?: boolean;
    readonly config?: Partial<HooksConfig>;
  }) => Promise<void>;
}

export function sample(definition: HookSample): HookSample {
  return definition;
}
