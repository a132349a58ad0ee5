import { join } from 'node:path';
import { z } from 'zod';
import { createSerialQueue } from '../../base/createSerialQueue.ts';
import { errorMessage, PincerError } from '../../base/errors.ts';
import { parseJson } from '../../base/json.ts';
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import type { FileSystem } from '../../host/ports.ts';
import { errorDiagnostic } from '../pluginDiagnostics.ts';
import {
  consentSchema,
  seenSchema,
  type ConsentRecords,
  type Consent,
  type InFolder,
  type SeenPlugin,
} from './consentRecords.ts';
import { isDeveloping, isSame, mayRenew, moreOf } from './judgeConsent.ts';

/** What `guards.json` beside it holds. */
const guardsSchema = z.object({
  version: z.literal(1),
  /** Guards of workspaces that ran. */
  guards: z.array(seenSchema),
});

const storeSchema = z.object({
  version: z.literal(1),
  consents: z.array(consentSchema),
  /** `id folder` of plugins in the home folder that the user has been told about. */
  announced: z.array(z.string()).default([]),
  /** What ran at some time, so that a guard that does not is missed. */
  seen: z.array(seenSchema).default([]),
  /** "I am developing this" of plugins without a consent: those of the home folder, and those that were not enabled yet. */
  intended: z.array(z.object({ id: z.string(), rootDir: z.string() })).default([]),
});

type Stored = z.infer<typeof storeSchema>;

/** What the user has agreed to, kept outside every workspace. */
export interface ConsentStore {
  /**
   * @param through files that note what is read, so that what another window writes shows later
   * @throws PincerError `consents_unreadable` where the file is there and says nothing that can be understood: what it
   * held is not known then, and is not none
   */
  consents(through?: FileSystem): Promise<readonly Consent[]>;
  /** Both as the file has them at one moment. @throws PincerError `consents_unreadable` */
  agreed(through?: FileSystem): Promise<ConsentRecords>;
  /**
   * Writes down what runs now, where that is not known yet. A guard stays one as long as the user has agreed to nothing else: what
   * a workspace says of it beside its files must not take that away.
   * @throws PincerError `consents_unreadable`
   */
  note(plugins: readonly SeenPlugin[]): Promise<void>;
  /** The user goes on without a plugin of this folder: forgets its consent and that it ran. */
  forget(id: string, rootDir: string): Promise<void>;
  /**
   * Begins with none, and keeps a file that can't be understood as `consents.json.damaged`. Guards that ran are still missed.
   * @throws PincerError `consents_in_order` where it can be, `io_*`
   */
  reset(): Promise<void>;
  /** Replaces what the user agreed to before for this plugin in this folder. */
  grant(consent: Consent): Promise<void>;
  /** Marks the plugin in this folder as one the user develops, or takes the mark away. It stays when the plugin is enabled. */
  setDeveloping(id: string, rootDir: string, developing: boolean): Promise<void>;
  /**
   * Lets the plugin in this folder register more than its text tells; each name as `kind name`.
   * @throws PincerError `consent_missing` where the user has never enabled it
   */
  allowMore(id: string, rootDir: string, names: readonly string[]): Promise<void>;
  /**
   * Puts new files in the place of those that were agreed to, after a save by hand. True where that was done: the plugin is
   * marked as developed, and nothing but `savedFiles` has changed. Never grants a first consent.
   */
  renew(consent: Consent, savedFiles: readonly string[]): Promise<boolean>;
  /** Forgets every consent for this plugin, and its mark. */
  revoke(id: string): Promise<void>;
  /** True the first time it is called for this plugin in this folder (it is announced once). */
  announceOnce(id: string, rootDir: string): Promise<boolean>;
}

/**
 * Consents in `<home>/consents.json`. Threat: a file that was emptied, damaged or deleted takes every guard of every workspace out
 * of force. So it is an error, not an empty list, and nothing writes over it before the user has decided. That one is missed which
 * is not there is known from `guards.json` beside it.
 */
export function createConsentStore(fs: FileSystem, home: string): ConsentStore {
  const path = join(home, 'consents.json');
  const read = (through = fs): Promise<Stored> => readStored(through, home);
  const inTurn = createSerialQueue();

  const update = <T>(
    change: (stored: Stored) => { readonly stored: Stored; readonly answer: T },
  ): Promise<T> =>
    inTurn(async () => {
      const before = await read();
      const { stored, answer } = change(before);
      if (stored !== before) await write(fs, path, stored);
      await keepGuards(fs, home, stored);
      return answer;
    });

  return {
    consents: async (through) => (await read(through)).consents,
    grant: (consent) => update((stored) => ({ stored: withConsent(stored, consent), answer: undefined })),
    setDeveloping: (id, rootDir, developing) =>
      update((stored) => {
        const plugin = { id, rootDir };
        const isEnabled = stored.consents.some((each) => isSame(each, plugin));
        if (isEnabled) return changed(stored, plugin, (each) => ({ ...each, developing }));
        const others = stored.intended.filter((each) => !isSame(each, plugin));
        return {
          stored: { ...stored, intended: developing ? [...others, plugin] : others },
          answer: undefined,
        };
      }),
    allowMore: (id, rootDir, names) =>
      update((stored) =>
        changed(stored, { id, rootDir }, (each) => ({
          ...each,
          more: [...new Set([...(each.more ?? []), ...names])],
        })),
      ),
    renew: (consent, savedFiles) =>
      update((stored) => {
        if (!mayRenew(consent, savedFiles, stored)) return { stored, answer: false };
        return { stored: withConsent(stored, consent), answer: true };
      }),
    revoke: (id) =>
      update((stored) => ({ stored: without(stored, (each) => each.id === id), answer: undefined })),
    forget: (id, rootDir) =>
      update((stored) => ({
        stored: without(stored, (each) => each.id === id && each.rootDir === rootDir),
        answer: undefined,
      })),
    agreed: read,
    note: (plugins) =>
      update((stored) => {
        const fresh = plugins.flatMap((plugin) => toNote(plugin, stored) ?? []);
        if (fresh.length === 0) return { stored, answer: undefined };
        const others = stored.seen.filter((known) => !fresh.some((each) => isSame(known, each)));
        return { stored: { ...stored, seen: [...others, ...fresh] }, answer: undefined };
      }),
    reset: () =>
      inTurn(async () => {
        if (await isReadable(read)) throw inOrder(path);
        if ((await fs.stat(path)) !== undefined)
          await fs.writeFile(`${path}.damaged`, await fs.readFile(path, maxBytes));
        const seen = await readGuards(fs, home).catch(() => []);
        await write(fs, path, { ...none, seen });
      }),
    announceOnce: (id, rootDir) =>
      update((stored) => {
        const key = `${id} ${rootDir}`;
        if (stored.announced.includes(key)) return { stored, answer: false };
        return { stored: { ...stored, announced: [...stored.announced, key] }, answer: true };
      }),
  };
}

/** All consents and what ran; none, and why, where they can't be read. Never rejects. */
export async function readConsents(
  store: Pick<ConsentStore, 'agreed'>,
  fs: FileSystem,
): Promise<ConsentRecords & { readonly problems: readonly Diagnostic[] }> {
  try {
    return { ...(await store.agreed(fs)), problems: [] };
  } catch (error) {
    return { consents: [], seen: [], intended: [], problems: [describeUnreadable(error)] };
  }
}

/** What the user is told where the file says nothing that can be understood. */
export function describeUnreadable(error: unknown): Diagnostic {
  const hint = error instanceof PincerError ? error.hint : undefined;
  return errorDiagnostic('consents_unreadable', errorMessage(error), {
    ...(hint === undefined ? {} : { hint }),
    fixes: [{ kind: 'reset-consents' }],
  });
}

/** What is new about a plugin that runs; undefined where nothing is, and for one that nobody would miss. */
function toNote(plugin: SeenPlugin, { seen, consents }: Stored): SeenPlugin | undefined {
  const known = seen.find((each) => isSame(each, plugin));
  const hash = consents.find((each) => isSame(each, plugin))?.hash;
  if (!plugin.guards && known === undefined && hash === undefined) return undefined;
  const isWeaker = known?.guards === true && !plugin.guards;
  if (isWeaker && known.hash !== undefined && known.hash === hash) return undefined;
  if (known?.guards === plugin.guards && known.hash === hash && known.workspaceDir === plugin.workspaceDir)
    return undefined;
  return { ...plugin, ...(hash === undefined ? {} : { hash }) };
}

/** Without the consents of these plugins, and without that they ran. */
function without(stored: Stored, isMeant: (plugin: InFolder) => boolean): Stored {
  const { consents, seen, intended } = stored;
  return {
    ...stored,
    consents: consents.filter((each) => !isMeant(each)),
    seen: seen.filter((each) => !isMeant(each)),
    intended: intended.filter((each) => !isMeant(each)),
  };
}

/** @throws PincerError `consent_missing` where the user has never enabled the plugin in this folder */
function changed(
  stored: Stored,
  plugin: InFolder,
  change: (consent: Consent) => Stored['consents'][number],
): { readonly stored: Stored; readonly answer: undefined } {
  if (!stored.consents.some((each) => isSame(each, plugin))) throw missing(plugin.id);
  const consents = stored.consents.map((each) => (isSame(each, plugin) ? change(each) : each));
  return { stored: { ...stored, consents }, answer: undefined };
}

/**
 * Replaces the consent for this plugin in this folder, or for these files. The mark of a developer stays, and so does what it may
 * register beyond its text: without that a guard would be gone with the next change.
 */
function withConsent(stored: Stored, consent: Consent): Stored {
  const { id, rootDir, hash } = consent;
  const others = stored.consents.filter(
    (each) => each.id !== id || (each.rootDir !== rootDir && each.hash !== hash),
  );
  const mark = isDeveloping(consent, stored) ? { developing: true } : {};
  return {
    ...stored,
    consents: [...others, { ...consent, ...mark, ...moreOf(consent, stored.consents) }],
    intended: stored.intended.filter((each) => !isSame(each, consent)),
  };
}

function missing(id: string): PincerError {
  return new PincerError('consent_missing', `Plugin "${id}" was never enabled in this folder.`, {
    hint: 'Enable it first.',
  });
}

async function isReadable(read: () => Promise<unknown>): Promise<boolean> {
  try {
    await read();
    return true;
  } catch (error) {
    if (error instanceof PincerError) return false;
    throw error;
  }
}

function inOrder(path: string): PincerError {
  return new PincerError('consents_in_order', `${path} can be read: nothing was changed.`, {
    hint: 'Forget the consent for one plugin instead.',
  });
}

const none: Stored = { version: 1, consents: [], announced: [], seen: [], intended: [] };

async function readStored(fs: FileSystem, home: string): Promise<Stored> {
  const path = join(home, 'consents.json');
  const text = await readText(fs, path);
  if (text === undefined) {
    const guards = await readGuards(fs, home);
    if (guards.length === 0) return none;
    const ran = guards.map(({ id }) => id).join(', ');
    throw unreadable(`${path} is gone: what you have agreed to is not known. ${ran} ran.`);
  }
  const parsed = storeSchema.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  throw unreadable(`${path} is damaged: what you have agreed to is not known.`);
}

async function write(fs: FileSystem, path: string, value: unknown): Promise<void> {
  await fs.writeFile(path, `${JSON.stringify(value, undefined, 2)}\n`);
}

/** What a missing file of consents would let go of in silence. @throws PincerError `consents_unreadable` */
async function readGuards(fs: FileSystem, home: string): Promise<Stored['seen']> {
  const path = join(home, 'guards.json');
  const text = await readText(fs, path);
  if (text === undefined) return [];
  const parsed = guardsSchema.safeParse(parseJson(text));
  if (parsed.success) return parsed.data.guards;
  throw unreadable(`${path} is damaged: whether you have agreed to anything is not known.`);
}

/** Written when it says something else. Where it can't be, the file of consents alone knows; that is no reason to stop. */
async function keepGuards(fs: FileSystem, home: string, { seen }: Stored): Promise<void> {
  // What the user takes out of the home folder is meant to be gone.
  const guards = seen.filter((each) => each.guards && each.workspaceDir !== undefined);
  const kept = await readGuards(fs, home).catch(() => undefined);
  if (JSON.stringify(kept) === JSON.stringify(guards)) return;
  try {
    await write(fs, join(home, 'guards.json'), { version: 1, guards });
  } catch (error) {
    if (!(error instanceof PincerError)) throw error;
  }
}

/** Undefined where there is no such file. */
async function readText(fs: FileSystem, path: string): Promise<string | undefined> {
  try {
    return await fs.readText(path, maxBytes);
  } catch (error) {
    if (error instanceof PincerError && error.code === 'io_not_found') return undefined;
    throw unreadable(`Could not read ${path}: ${errorMessage(error)}`, error);
  }
}

const maxBytes = 50_000_000;

function unreadable(message: string, cause?: unknown): PincerError {
  return new PincerError('consents_unreadable', message, {
    cause,
    hint: 'Restore a copy of the file, or start over: then every workspace plugin is asked about again.',
  });
}
