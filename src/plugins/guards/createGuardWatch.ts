import { PincerError } from '../../base/errors.ts';
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import type { FileSystem } from '../../host/ports.ts';
import { describeUnreadable, type ConsentStore } from '../consent/consentStore.ts';
import type { ConsentRecords } from '../consent/consentRecords.ts';
import { realPathOr } from '../realPathOr.ts';
import type { PluginLoadInput } from '../pluginManager.ts';
import type { PluginRecord, PluginsConfig } from '../pluginTypes.ts';
import { findMissingGuards, seenNow, type GuardFacts } from './findMissingGuards.ts';

interface GuardWatchParts {
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
  /** Why no turn may begin; empty before the first look, and where every guard runs. */
  problems(): readonly Diagnostic[];
  /** The first of them. */
  problem(): Diagnostic | undefined;
}

export function createGuardWatch(parts: GuardWatchParts): GuardWatch {
  const { fs, consents, configPath, plugins } = parts;
  let known: Pick<GuardFacts, 'roots' | 'trusted'> | undefined;
  let agreed: ConsentRecords | Diagnostic = { consents: [], seen: [], intended: [] };
  let real: ReadonlyMap<string, string> = new Map();
  let looks: Promise<void> = Promise.resolve();
  const realOf = (path: string): string => real.get(path) ?? path;

  const read = async (): Promise<ConsentRecords | Diagnostic> => {
    try {
      await consents.note(seenNow(plugins(), realOf));
      return await consents.agreed();
    } catch (error) {
      if (error instanceof PincerError) return describeUnreadable(error);
      throw error;
    }
  };

  const problems = (): readonly Diagnostic[] => {
    if (known === undefined) return [];
    if ('code' in agreed) return known.trusted ? [agreed] : [];
    return findMissingGuards({
      ...known,
      ...agreed,
      realOf,
      configPath,
      plugins: plugins(),
      config: parts.config(),
      readsAgentFileOfWorkspace: parts.readsAgentFileOfWorkspace(),
    });
  };

  return {
    async look({ roots, trusted }) {
      const look = looks.then(async () => {
        const paths = await Promise.all(
          roots.map(async (root) => [root, await realPathOr(fs, root)] as const),
        );
        real = new Map(paths);
        agreed = await read();
        known = { trusted, roots: [...real.values()] };
      });
      looks = look.catch(() => undefined);
      await look;
    },
    problems,
    problem: () => problems()[0],
  };
}
