import { relative, sep } from 'node:path';
import { PincerError } from '../../base/errors.ts';
import type { Clock } from '../../host/ports.ts';
import { isInside } from '../discover/isInside.ts';
import type { ConsentNeed } from '../pluginTypes.ts';
import type { ConsentStore } from './consentStore.ts';

/** A plugin as consent sees it. */
interface ConsentSubject {
  readonly id: string;
  readonly candidate: { readonly rootDir: string };
  readonly needsConsent?: ConsentNeed;
  /** Hashes by path. */
  readonly fileHashes?: Readonly<Record<string, string>>;
}

/** What the user decides about the files of plugins. The caller loads afterwards. */
interface ConsentActions {
  /** @throws PincerError `plugin_needs_no_consent`, `plugin_changed` when the files are no longer those of `hash` */
  grant(plan: ConsentSubject, hash: string | undefined): Promise<void>;
  /** @throws PincerError `consent_missing` */
  allowMore(plan: ConsentSubject, names: readonly string[]): Promise<void>;
  setDeveloping(plan: ConsentSubject, developing: boolean): Promise<void>;
  /** Files were saved by hand; true where the consent of a plugin was renewed by that. */
  renew(plans: readonly ConsentSubject[], saved: readonly string[]): Promise<boolean>;
  revoke(id: string): Promise<void>;
}

export function createConsentActions(consents: ConsentStore, clock: Clock): ConsentActions {
  return {
    async grant({ id, candidate: { rootDir }, needsConsent, fileHashes }, hash) {
      if (needsConsent === undefined || fileHashes === undefined) {
        throw new PincerError('plugin_needs_no_consent', `Plugin "${id}" does not wait for consent.`, {
          hint: 'The list of plugins says whether it runs, and why not.',
        });
      }
      if (hash !== undefined && hash !== needsConsent.hash) {
        throw new PincerError('plugin_changed', `Plugin "${id}": its files changed while you were asked.`, {
          hint: 'Look again at what it asks for.',
        });
      }
      await consents.grant({
        id,
        rootDir,
        hash: needsConsent.hash,
        files: fileHashes,
        grantedAt: clock.now(),
      });
    },
    allowMore: ({ id, candidate }, names) => consents.allowMore(id, candidate.rootDir, names),
    setDeveloping: ({ id, candidate }, developing) =>
      consents.setDeveloping(id, candidate.rootDir, developing),
    async renew(plans, saved) {
      let isRenewed = false;
      for (const { id, candidate, needsConsent, fileHashes } of plans) {
        const { rootDir } = candidate;
        const own = saved.filter((path) => isInside(rootDir, path));
        if (needsConsent === undefined || fileHashes === undefined || own.length === 0) continue;
        const consent = { id, rootDir, hash: needsConsent.hash, files: fileHashes, grantedAt: clock.now() };
        const names = own.map((path) => relative(rootDir, path).split(sep).join('/'));
        isRenewed = (await consents.renew(consent, names)) || isRenewed;
      }
      return isRenewed;
    },
    revoke: (id) => consents.revoke(id),
  };
}
