import { PincerError } from '../../base/errors.ts';
import { stableStringify } from '../../base/json.ts';
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import type { FileSystem } from '../../host/ports.ts';
import {
  describeUnreadable,
  type Consent,
  type ConsentStore,
  type SeenPlugin,
} from '../consent/consentStore.ts';
import { realPathOr } from '../dexto/realPathOr.ts';
import type { PluginLoadInput } from '../pluginManager.ts';
import type { PluginRecord, PluginsConfig } from '../pluginTypes.ts';
import { findMissingGuard, seenNow, type GuardFacts } from './findMissingGuard.ts';

export interface GuardWatchParts {
  readonly fs: FileSystem;
  readonly consents: ConsentStore;
  /** Absolute path of the user's config. */
  readonly configPath: string;
  /** Of both dialects. */
  readonly plugins: () => readonly PluginRecord[];
  /** As it is now. */
  readonly config: () => PluginsConfig;
  readonly readsAgentFileOfWorkspace: () => boolean;
}

/** Misses guards that ran and do not run any more. */
export interface GuardWatch {
  /** After each load: writes down what runs, and reads what the user has agreed to. Rejects only where the disk does what it never should. */
  look(input: Pick<PluginLoadInput, 'roots' | 'trusted'>): Promise<void>;
  /** Why no turn may begin; undefined before the first look, and where every guard runs. */
  problem(): Diagnostic | undefined;
}

interface Agreed {
  readonly consents: readonly Consent[];
  readonly seen: readonly SeenPlugin[];
}

export function createGuardWatch(parts: GuardWatchParts): GuardWatch {
  const { fs, consents, configPath, plugins } = parts;
  let known: Pick<GuardFacts, 'roots' | 'trusted'> | undefined;
  let agreed: Agreed | Diagnostic = { consents: [], seen: [] };
  let noted = '';

  const read = async (): Promise<Agreed | Diagnostic> => {
    try {
      const now = seenNow(plugins());
      const text = stableStringify(now);
      if (text !== noted) await consents.note(now);
      noted = text;
      return { consents: await consents.consents(), seen: await consents.seen() };
    } catch (error) {
      if (error instanceof PincerError) return describeUnreadable(error);
      throw error;
    }
  };

  return {
    async look({ roots, trusted }) {
      const real = await Promise.all(roots.map((root) => realPathOr(fs, root)));
      agreed = await read();
      known = { trusted, roots: [...new Set([...roots, ...real])] };
    },
    problem() {
      if (known === undefined) return undefined;
      if ('code' in agreed) return known.trusted ? agreed : undefined;
      return findMissingGuard({
        ...known,
        ...agreed,
        configPath,
        plugins: plugins(),
        config: parts.config(),
        readsAgentFileOfWorkspace: parts.readsAgentFileOfWorkspace(),
      });
    },
  };
}
