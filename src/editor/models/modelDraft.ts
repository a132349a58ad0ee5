import type { ProviderEntry } from '../../models/providers/providerCatalog.ts';
import type { ListedModel, Runtime, ServerInput } from '../../runtime/index.ts';
import type { StepAnswer } from './steps.ts';

/** What the steps have gathered so far; each adds to it, and Back drops what it had added. */
export interface ModelDraft {
  /** The user looks for servers on this machine. */
  readonly isSearch?: boolean;
  readonly provider?: ProviderEntry;
  readonly server?: ServerInput;
  /** The server has asked for a key. */
  readonly wantsKey?: boolean;
  /** What the server listed when it was tested. */
  readonly listed?: readonly ListedModel[];
  /** The user names a model that is not in the list. */
  readonly byName?: boolean;
  /** The first becomes the default. */
  readonly models?: readonly [ListedModel, ...ListedModel[]];
  /** The default has answered, or need not. */
  readonly isTried?: boolean;
}

/** What the steps ask of the runtime. */
export interface SetupRuntime extends Pick<Runtime, 'host'> {
  readonly models: Pick<Runtime['models'], 'listOfServer' | 'findLocalServers' | 'tryOut'>;
}

/** One question; gives the draft with its answer. */
export type ModelStep = (
  runtime: SetupRuntime,
  draft: ModelDraft,
  canGoBack: boolean,
) => Promise<StepAnswer<ModelDraft>>;
