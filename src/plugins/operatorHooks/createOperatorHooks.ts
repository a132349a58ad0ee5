import { join } from 'node:path';
import { createSerialQueue } from '../../base/createSerialQueue.ts';
import { PincerError } from '../../base/errors.ts';
import { createEmitter, type Emitter, type Event } from '../../base/event.ts';
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import { createReadTracker } from '../../host/createReadTracker.ts';
import type { Log } from '../../host/ports.ts';
import type { ConsentStore } from '../consent/consentStore.ts';
import type { InternalEvents, InternalListener } from './createInternalEvents.ts';
import { createHangGuard } from '../createHangGuard.ts';
import { hookEntryOf, hooksConfigFor, type HooksConfig } from './hookConfig.ts';
import {
  loadHook,
  type HookLoadParts,
  type HookFailure,
  type HookInstance,
  type LoadableHook,
} from './loadHook.ts';
import { consentIdOf, type HookPlan } from './planHook.ts';
import { surveyHooks } from './surveyHooks.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { OperatorHookRecord } from './operatorHookTypes.ts';

interface OperatorHooksParts extends HookLoadParts {
  readonly log: Log;
  /** `~/.pincer`, or what PINCER_HOME names; its `hooks` folder is the user's own. */
  readonly home: string;
  /** The user's home folder: `~/.openclaw/hooks` counts too, and it is what `~` stands for. */
  readonly homeDir: string;
  readonly platform: NodeJS.Platform;
  /** Environment variables, for `requires.env` and the PATH; never written. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly consents: ConsentStore;
  /** Where loaded hooks listen, as the group `hooks`. */
  readonly events: InternalEvents;
  /** The user that this process runs as. Default: asks Node. */
  readonly ownUid?: number;
}

/** The hooks of one workspace. Nothing is read or loaded before the first `load`. */
export function createOperatorHooks(parts: OperatorHooksParts): OperatorHooks {
  const { fs, clock, log, loader, events, consents } = parts;
  // One guard for all, so that a hook that only loads beside a looping one is not blamed.
  const loadParts = { ...parts, hangGuard: createHangGuard(parts) };
  const reads = createReadTracker(fs);
  const changed: Emitter<void> = createEmitter();
  const reports = createHookReports(log, () => changed.fire());
  let slots: readonly HookSlot[] = [];
  let found: readonly Diagnostic[] = [];
  let lastInput: OperatorHookInput | undefined;
  const inOrder = createSerialQueue();
  let closed = false;

  const inTurn = (work: () => Promise<void>): Promise<void> => inOrder(() => (closed ? undefined : work()));

  const load = async (input: OperatorHookInput): Promise<void> => {
    lastInput = input;
    const { roots, trusted, config } = input;
    const places = {
      roots,
      extraDirs: config.load.extraDirs,
      managedDirs: [join(parts.homeDir, '.openclaw', 'hooks'), join(parts.home, 'hooks')],
      homeDir: parts.homeDir,
    };
    const around = { platform: parts.platform, env: parts.env, hostConfig: hostConfigOf(input) };
    const ownUid = parts.ownUid ?? process.getuid?.();
    const survey = await reads.record((noted) =>
      surveyHooks(places, consents, { around: { fs: noted, ...around }, config, trusted, ownUid }),
    );
    const next = await Promise.all(survey.plans.map((plan) => bringUp(plan, oldSlot(slots, plan))));
    if (closed) {
      forgetAllBut([], next);
      return;
    }
    logNew(
      [...found, ...slots.flatMap(diagnosticsOf)],
      [...survey.diagnostics, ...next.flatMap(diagnosticsOf)],
    );
    found = survey.diagnostics;
    swap(next, config);
    changed.fire();
  };

  /**
   * Keeps the version that runs, loads a new one, or leaves the hook out. Without trust a hook neither is enabled nor waits
   * for consent, so that nothing goes on there.
   */
  const bringUp = async (plan: HookPlan, old: HookSlot | undefined): Promise<HookSlot> => {
    const { files: _bytes, ...light } = plan;
    const running = old?.instance === undefined ? {} : { instance: old.instance };
    if (!isLoadable(plan)) {
      return { plan: light, ...(plan.needsConsent?.why === 'files-changed' ? running : {}) };
    }
    if (running.instance?.hash === plan.files.hash) return { plan: light, ...running };
    const hung = old?.failure?.hungHash === plan.files.hash ? old.failure : undefined;
    const outcome = hung ?? (await loadHook(loadParts, plan));
    if (outcome.ok) return { plan: light, instance: outcome.instance };
    return { plan: light, failure: outcome, ...running };
  };

  const swap = (next: readonly HookSlot[], config: HooksConfig): void => {
    const before = slots;
    slots = next;
    for (const { plan, instance } of before) {
      if (instance !== undefined && !next.some((each) => each.instance === instance))
        reports.forget(plan.name);
    }
    events.setListeners(
      'hooks',
      next.flatMap((slot) => listenerOf(slot, config)),
    );
    forgetAllBut(next, before);
  };

  const listenerOf = ({ plan, instance }: HookSlot, config: HooksConfig): readonly InternalListener[] => {
    if (instance === undefined) return [];
    const { name, key, candidate } = plan;
    const { env } = hookEntryOf(hooksConfigFor(config, candidate.origin), key);
    return [
      {
        name,
        events: instance.events,
        handler: instance.handler,
        source: plan.handler ?? plan.hookFile,
        report: (diagnostic) => reports.add(name, diagnostic),
        ...(env === undefined ? {} : { env }),
      },
    ];
  };

  /** Lets go of the versions in `gone` that `kept` does not have. */
  const forgetAllBut = (kept: readonly HookSlot[], gone: readonly HookSlot[]): void => {
    const used = new Set(kept.flatMap(({ instance }) => instance?.snapshotDir ?? []));
    for (const { instance } of gone) {
      if (instance !== undefined && !used.has(instance.snapshotDir)) loader.forget(instance.snapshotDir);
    }
  };

  const logNew = (before: readonly Diagnostic[], after: readonly Diagnostic[]): void => {
    const known = new Set(before.map(({ message, source }) => `${source ?? ''}\n${message}`));
    for (const { level, message, source } of after) {
      if (!known.has(`${source ?? ''}\n${message}`)) log.write(level, message);
    }
  };

  const loadAgain = (): Promise<void> =>
    inTurn(async () => {
      if (lastInput !== undefined) await load(lastInput);
    });

  return {
    onDidChange: changed.event,
    isOutdated: () => reads.isOutdated(),
    load: (input) => inTurn(() => load(input)),
    list: () =>
      slots.map((slot) => toRecord(slot, slot.instance === undefined ? [] : reports.of(slot.plan.name))),
    diagnostics: () => [
      ...found,
      ...slots.flatMap((slot) => [
        ...diagnosticsOf(slot),
        ...(slot.instance === undefined ? [] : reports.of(slot.plan.name)),
      ]),
    ],
    async grantConsent(name, hash) {
      const { candidate, needsConsent, fileHashes } = findPlan(slots, name);
      if (needsConsent === undefined || fileHashes === undefined)
        throw new PincerError('hook_needs_no_consent', `Hook "${name}" does not wait for consent.`);
      if (hash !== undefined && hash !== needsConsent.hash) {
        throw new PincerError('hook_changed', `Hook "${name}": its files changed while you were asked.`, {
          hint: 'Look at it again.',
        });
      }
      await consents.grant({
        id: consentIdOf(name),
        rootDir: candidate.folder,
        hash: needsConsent.hash,
        files: fileHashes,
        grantedAt: clock.now(),
      });
      await loadAgain();
    },
    async revokeConsent(name) {
      await consents.revoke(consentIdOf(name));
      await loadAgain();
    },
    dispose() {
      if (closed) return;
      closed = true;
      events.setListeners('hooks', []);
      forgetAllBut([], slots);
      slots = [];
      changed.dispose();
    },
  };
}

/** `workspace.dir` is what hooks of upstream ask for most; it stands for an open folder. */
function hostConfigOf({ hostConfig = {}, roots }: OperatorHookInput): Readonly<Record<string, unknown>> {
  return roots[0] === undefined || 'workspace' in hostConfig
    ? hostConfig
    : { ...hostConfig, workspace: { dir: roots[0] } };
}

/** What decides which hooks run: changes of any of it call for another `load`. */
interface OperatorHookInput {
  /** Absolute paths of the workspace folders. */
  readonly roots: readonly string[];
  readonly trusted: boolean;
  readonly config: HooksConfig;
  /** What `requires.config` of a hook looks into; `workspace.dir` is there where a folder is open. Default empty. */
  readonly hostConfig?: Readonly<Record<string, unknown>>;
}

/** Finds, loads and unloads hooks with a HOOK.md. Calls run one after the other. */
export interface OperatorHooks extends Disposable {
  /** Fires after hooks or their diagnostics may have changed. */
  readonly onDidChange: Event<void>;
  /**
   * Makes the hooks that listen match `input` and the files: loads new and changed ones, keeps the others, lets go of the
   * rest. A changed hook that fails, or waits for the user, leaves its previous version running. Never
   * rejects: failures are diagnostics.
   */
  load(input: OperatorHookInput): Promise<void>;
  /** Whether files have changed that the last load looked at. Never rejects. */
  isOutdated(): Promise<boolean>;
  /** Configured, managed, workspace. */
  list(): readonly OperatorHookRecord[];
  /** Of discovery, of every hook, and of what failed since. */
  diagnostics(): readonly Diagnostic[];
  /**
   * Lets a workspace hook run with exactly the files that its record's `needsConsent` names, and loads. `hash` is that of the
   * `needsConsent` the user was shown: where the files have changed since, nothing is granted.
   * @throws PincerError `hook_unknown`, `hook_needs_no_consent`, `hook_changed`
   */
  grantConsent(name: string, hash?: string): Promise<void>;
  /** Forgets every consent for the hook, and unloads it. */
  revokeConsent(name: string): Promise<void>;
}

/** What went wrong while hooks ran. */
interface HookReports {
  add(name: string, diagnostic: Diagnostic): void;
  of(name: string): readonly Diagnostic[];
  /** Forgets what a hook did: a new version of it starts clean. */
  forget(name: string): void;
}

const maxPerHook = 20;

/** Keeps each different report once, at most 20 for a hook, and logs it; `added` is called for each that was kept. */
function createHookReports(log: Log, added: () => void): HookReports {
  const kept = new Map<string, readonly Diagnostic[]>();
  return {
    add(name, diagnostic) {
      const own = kept.get(name) ?? [];
      const { code, message, level } = diagnostic;
      const isKnown = own.some((each) => each.code === code && each.message === message);
      if (isKnown || own.length >= maxPerHook) return;
      kept.set(name, [...own, diagnostic]);
      log.write(level, message);
      added();
    },
    of: (name) => kept.get(name) ?? [],
    forget: (name) => void kept.delete(name),
  };
}

/** A hook with its loaded version, if it has one. */
interface HookSlot {
  readonly plan: HookPlan;
  readonly instance?: HookInstance;
  readonly failure?: HookFailure;
}

function isLoadable(plan: HookPlan): plan is LoadableHook {
  return (
    plan.decision.enabled &&
    plan.manifest !== undefined &&
    plan.handler !== undefined &&
    plan.files !== undefined
  );
}

/** The slot that a plan continues: the same hook from the same folder. */
function oldSlot(slots: readonly HookSlot[], { name, candidate }: HookPlan): HookSlot | undefined {
  return slots.find(({ plan }) => plan.name === name && plan.candidate.folder === candidate.folder);
}

/**
 * The plan that a question about a hook is about: the one that waits for consent, if any.
 * @throws PincerError `hook_unknown`
 */
function findPlan(slots: readonly HookSlot[], name: string): HookPlan {
  const plans = slots.map(({ plan }) => plan).filter((plan) => plan.name === name);
  const plan = plans.find(({ needsConsent }) => needsConsent !== undefined) ?? plans[0];
  if (plan !== undefined) return plan;
  throw new PincerError('hook_unknown', `There is no hook "${name}".`, {
    hint: 'Look at the list of hooks.',
  });
}

/** What was found wrong with a hook since it was found and loaded. */
function diagnosticsOf({ plan, instance, failure }: HookSlot): readonly Diagnostic[] {
  const failed = failure === undefined ? [] : [failure.diagnostic];
  return [...plan.diagnostics, ...(instance?.damage ?? []), ...failed];
}

function toRecord(slot: HookSlot, reported: readonly Diagnostic[]): OperatorHookRecord {
  const { plan, instance, failure } = slot;
  const { candidate, manifest, needsConsent } = plan;
  const isBroken = plan.problem !== undefined || failure !== undefined;
  return {
    name: plan.name,
    key: plan.key,
    description: manifest?.description ?? '',
    events: instance?.events ?? plan.events,
    origin: candidate.origin,
    rootDir: candidate.rootDir,
    source: plan.handler ?? plan.hookFile,
    hookFile: plan.hookFile,
    ...(plan.decision.enabled ? {} : { disabledBy: plan.decision.by }),
    status: instance !== undefined ? 'loaded' : isBroken ? 'error' : 'disabled',
    reason: reasonOf(slot),
    diagnostics: [...diagnosticsOf(slot), ...reported],
    ...(manifest?.emoji === undefined ? {} : { emoji: manifest.emoji }),
    ...(manifest?.homepage === undefined ? {} : { homepage: manifest.homepage }),
    ...(candidate.workspaceDir === undefined ? {} : { workspaceDir: candidate.workspaceDir }),
    ...(needsConsent === undefined ? {} : { needsConsent }),
    ...(instance === undefined ? {} : { timings: { loadMs: instance.loadMs } }),
  };
}

function reasonOf({ plan, instance, failure }: HookSlot): string {
  if (failure !== undefined) {
    return instance === undefined ? failure.message : `${failure.message}; the previous version still runs`;
  }
  const stale = instance !== undefined && !plan.decision.enabled;
  return stale ? `${plan.decision.reason}; the version you enabled still runs` : plan.decision.reason;
}
