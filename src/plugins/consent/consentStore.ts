import { join } from 'node:path';
import { z } from 'zod';
import { errorMessage, PincerError } from '../../base/errors.ts';
import { parseJson } from '../../base/json.ts';
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import type { FileSystem } from '../../host/ports.ts';
import { errorDiagnostic } from '../pluginDiagnostics.ts';
import { isDeveloping, mayRenew } from './judgeConsent.ts';

const consentSchema = z.object({
  id: z.string(),
  /** SHA-256 of everything the plugin may load. */
  hash: z.string(),
  rootDir: z.string(),
  /** Hash by path, to tell later what has changed. */
  files: z.record(z.string(), z.string()),
  /** Milliseconds since the epoch. */
  grantedAt: z.number(),
  /** "I am developing this": a save by hand renews the consent (rulings P11). */
  developing: z.boolean().optional(),
});

const storeSchema = z.object({
  version: z.literal(1),
  consents: z.array(consentSchema),
  /** `id folder` of plugins in the home folder that the user has been told about. */
  announced: z.array(z.string()).default([]),
});

type Stored = z.infer<typeof storeSchema>;

/** The user agreed to run these files of this plugin (rulings P4). */
export type Consent = Readonly<z.infer<typeof consentSchema>>;

/** What the user has agreed to, kept outside every workspace. */
export interface ConsentStore {
  /** @param through files that note what is read, so that what another window writes shows later */
  consents(through?: FileSystem): Promise<readonly Consent[]>;
  /** Replaces what the user agreed to before for this plugin in this folder. */
  grant(consent: Consent): Promise<void>;
  /**
   * Marks the plugin in this folder as one the user develops, or takes the mark away.
   * @throws PincerError `consent_missing` where the user has never enabled it
   */
  setDeveloping(id: string, rootDir: string, developing: boolean): Promise<void>;
  /**
   * Puts new files in the place of those that were agreed to, after a save by hand. True where that was done: the plugin is
   * marked as developed, and nothing but `savedFiles` has changed. Never grants a first consent.
   */
  renew(consent: Consent, savedFiles: readonly string[]): Promise<boolean>;
  /** Forgets every consent for this plugin, and its mark. */
  revoke(id: string): Promise<void>;
  /** True the first time it is called for this plugin in this folder (rulings P3: announced once). */
  announceOnce(id: string, rootDir: string): Promise<boolean>;
}

/**
 * Consents in `<home>/consents.json`. A file that can't be read as such counts as empty: the user is asked again, which is
 * the safe side; it is replaced at the next grant.
 */
export function createConsentStore(fs: FileSystem, home: string): ConsentStore {
  const path = join(home, 'consents.json');
  let queue: Promise<unknown> = Promise.resolve();

  const update = async <T>(
    change: (stored: Stored) => { readonly stored: Stored; readonly answer: T },
  ): Promise<T> => {
    const work = queue.then(async () => {
      const before = await read(fs, path);
      const { stored, answer } = change(before);
      if (stored !== before) await fs.writeFile(path, `${JSON.stringify(stored, undefined, 2)}\n`);
      return answer;
    });
    queue = work.catch(() => undefined);
    return await work;
  };

  return {
    consents: async (through = fs) => (await read(through, path)).consents,
    grant: (consent) => update((stored) => ({ stored: withConsent(stored, consent), answer: undefined })),
    setDeveloping: (id, rootDir, developing) =>
      update((stored) => {
        const isMeant = (each: Consent): boolean => each.id === id && each.rootDir === rootDir;
        if (!stored.consents.some(isMeant)) throw missing(id);
        const consents = stored.consents.map((each) => (isMeant(each) ? { ...each, developing } : each));
        return { stored: { ...stored, consents }, answer: undefined };
      }),
    renew: (consent, savedFiles) =>
      update((stored) => {
        if (!mayRenew(consent, savedFiles, stored.consents)) return { stored, answer: false };
        return { stored: withConsent(stored, consent), answer: true };
      }),
    revoke: (id) =>
      update((stored) => ({
        stored: { ...stored, consents: stored.consents.filter((each) => each.id !== id) },
        answer: undefined,
      })),
    announceOnce: (id, rootDir) =>
      update((stored) => {
        const key = `${id} ${rootDir}`;
        if (stored.announced.includes(key)) return { stored, answer: false };
        return { stored: { ...stored, announced: [...stored.announced, key] }, answer: true };
      }),
  };
}

/** All consents; none, and why, where they can't be read. Never rejects. */
export async function readConsents(
  store: Pick<ConsentStore, 'consents'>,
  fs: FileSystem,
): Promise<{ readonly consents: readonly Consent[]; readonly problems: readonly Diagnostic[] }> {
  try {
    return { consents: await store.consents(fs), problems: [] };
  } catch (error) {
    return { consents: [], problems: [errorDiagnostic('consents_unreadable', errorMessage(error))] };
  }
}

/** Replaces the consent for this plugin in this folder, or for these files; the mark of a developer stays. */
function withConsent(stored: Stored, consent: Consent): Stored {
  const { id, rootDir, hash } = consent;
  const others = stored.consents.filter(
    (each) => each.id !== id || (each.rootDir !== rootDir && each.hash !== hash),
  );
  const mark = isDeveloping(consent, stored.consents) ? { developing: true } : {};
  return { ...stored, consents: [...others, { ...consent, ...mark }] };
}

function missing(id: string): PincerError {
  return new PincerError('consent_missing', `Plugin "${id}" was never enabled in this folder.`, {
    hint: 'Enable it first; then mark it as the one you develop.',
  });
}

async function read(fs: FileSystem, path: string): Promise<Stored> {
  const empty: Stored = { version: 1, consents: [], announced: [] };
  try {
    const parsed = storeSchema.safeParse(parseJson(await fs.readText(path, 50_000_000)));
    return parsed.success ? parsed.data : empty;
  } catch (error) {
    if (error instanceof PincerError && error.code === 'io_not_found') return empty;
    throw new PincerError('consents_unreadable', `Could not read ${path}: ${errorMessage(error)}`, {
      cause: error,
      hint: 'Correct the permissions of the file, or remove it to be asked again.',
    });
  }
}
