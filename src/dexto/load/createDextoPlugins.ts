import { createSupersedingQueue } from '../../base/createSupersedingQueue.ts';
import { errorMessage, PincerError } from '../../base/errors.ts';
import { type Event, createEmitter, type Emitter } from '../../base/event.ts';
import type { AgentFile } from '../agentFile/agentFile.ts';
import { readAgentFile } from '../agentFile/readAgentFile.ts';
import { userHomeOf } from '../../config/configPaths.ts';
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import type { HandlerSource } from '../../hooks/hookRegistration.ts';
import { createReadTracker, type ReadTracker } from '../../host/createReadTracker.ts';
import { createThrottle } from '../../host/createThrottle.ts';
import type { Log } from '../../host/ports.ts';
import type { ConsentStore } from '../../plugins/consent/consentStore.ts';
import { createConsentActions } from '../../plugins/consent/createConsentActions.ts';
import { createReports } from '../../plugins/createReports.ts';
import { errorDiagnostic, infoDiagnostic } from '../../plugins/pluginDiagnostics.ts';
import type { PluginRecord, PluginsConfig } from '../../plugins/pluginTypes.ts';
import { realPathOr } from '../../plugins/realPathOr.ts';
import type { DextoAdapter } from '../createDextoAdapter.ts';
import { type BringUpGenerationParts, bringUpGeneration } from './bringUpGeneration.ts';
import { createGenerations, type Generations } from './createGenerations.ts';
import { createPointSource } from './createPointSource.ts';
import { findWaitingGuard, findLostGuard } from './findLostGuard.ts';
import { type DextoLoadInput, agentFilePaths, findAgentFile } from './findAgentFile.ts';
import { type DextoPlan, decideDextoEnablement } from './planDextoPlugin.ts';
import { diagnosticsIn, emptyLoadReport, planLoadReport } from './planLoadReport.ts';
import { type AgentFileSurvey, type SurveyAgentFileParts, surveyAgentFile } from './surveyAgentFile.ts';
import { toDextoRecord } from './toDextoRecord.ts';
import { dirname, isAbsolute, join } from 'node:path';
import { isInside } from '../../plugins/discover/isInside.ts';
import { keyOf, planMembers, withoutContents, type Generation } from './generation.ts';
import type { Consent } from '../../plugins/consent/consentRecords.ts';

/**
 * The agent file of a workspace and its plugins. All of them run or none: what can't be loaded stops the agent, never the program.
 * Calls run one after the other.
 */
export interface DextoPlugins {
  /** Fires after plugins, diagnostics, profiles or `problem` may have changed. */
  readonly onDidChange: Event<void>;
  /** Who judges at the extension points. The same object over all reloads. */
  readonly points: HandlerSource;
  /** The file that counts; undefined where there is none, it is broken, or the window is not trusted. */
  agentFile(): AgentFile | undefined;
  /** Absolute path of the agent file that is there, broken, untrusted or not; undefined where there is none. Never rejects. */
  agentFilePath(): Promise<string | undefined>;
  /**
   * Why no turn may begin now: the agent file or one of its plugins is broken and nothing that worked stands in, or a blocking one waits
   * for consent.
   */
  problem(): Diagnostic | undefined;
  /**
   * Makes what runs match `input`: all plugins of a new generation are loaded and initialized before the old one is cleaned up; where
   * one fails, the old generation goes on and the failure is shown; without an old one the agent stops. Never rejects.
   */
  load(input: DextoLoadInput): Promise<void>;
  /** Loads again with the last input, even where nothing has changed: the retry. */
  reload(): Promise<void>;
  /** In the order they run; what is switched off or waits for consent last. Ids are `dexto:<name>`. */
  plugins(): readonly PluginRecord[];
  diagnostics(): readonly Diagnostic[];
  /** True where the file is the agent file or belongs to one of its plugins: a change of it calls for `filesChanged`. */
  watches(path: string): boolean;
  /** Resolves once nothing loads any more. Never rejects. */
  settled(): Promise<void>;
  /** Whether files have changed that the last load looked at: those of plugins that could not be loaded, too. Never rejects. */
  isOutdated(): Promise<boolean>;
  /** Files have changed, those of `saved` by the user's own hand. */
  filesChanged(saved: readonly string[]): Promise<void>;
  /** @throws PincerError `plugin_unknown`, `plugin_needs_no_consent`, `plugin_changed` */
  grantConsent(id: string, hash?: string): Promise<void>;
  /** @throws PincerError `plugin_unknown`, `consent_missing` */
  allowRegistrations(id: string, names: readonly string[]): Promise<void>;
  /** @throws PincerError `plugin_unknown` */
  setDeveloping(id: string, developing: boolean): Promise<void>;
  revokeConsent(id: string): Promise<void>;
  /** Takes the secrets of the agent file and of plugins' settings out of a text. */
  redact(text: string): string;
  /** Cleans up all plugins in reverse order, within a time limit. */
  close(): Promise<void>;
}

interface DextoPluginsParts
  extends
    BringUpGenerationParts,
    Omit<SurveyAgentFileParts, 'readAgentFile' | 'consents' | 'homeDir' | 'loader'> {
  readonly log: Log;
  readonly consents: ConsentStore;
  /** Makes handlers of plugins; `profiled` is to be called when a profile has changed. */
  readonly createAdapter: (own: {
    readonly profiled: () => void;
    readonly report: (diagnostic: Diagnostic) => void;
  }) => DextoAdapter;
  /** Whether the window is trusted now: until a load that knows it, no turn begins. Default: what the last load was told. */
  readonly isTrusted?: () => boolean;
  /** Default: from YAML. */
  readonly readAgentFile?: SurveyAgentFileParts['readAgentFile'];
}

/** The agent file of one workspace and its plugins. Nothing is read or loaded before the first `load`. */
export function createDextoPlugins(given: DextoPluginsParts): DextoPlugins {
  const { fs, clock, log, loader } = given;
  const homeDir = userHomeOf(given.home);
  const changed: Emitter<void> = createEmitter();
  const reports = createReports(log, () => changed.fire());
  const consentActions = createConsentActions(given.consents, clock);
  const live = createGenerations({ log, loader, reports, changed });
  const reads = createReadTracker(fs);
  const parts = { readAgentFile, ...given, homeDir, live, reads };
  const profiled = createThrottle(clock, profileEveryMs, () => changed.fire());
  const adapter = given.createAdapter({ profiled: () => profiled.request(), report: reports.report });
  const points = createPointSource({
    adapter,
    running: live.running,
    problem: () => absence(),
    settled: () => settled(),
  });

  let lastInput: DextoLoadInput | undefined;
  /** A load that nothing has overtaken is on its way. */
  let isLoading = false;
  /** The next load tries everything again. */
  let isForced = false;
  const loads = createSupersedingQueue();
  let isClosed = false;

  const settled = async (): Promise<void> => {
    while (isLoading) await loads.settled();
  };

  /** Why plugins that should run do not. */
  const absence = (): Diagnostic | undefined => {
    if (live.current() !== undefined) return undefined;
    return live.shown().problem ?? (isLoading ? stillLoading : undefined);
  };

  /** Loads run one after the other; a newer one lets an older one end early, with nothing changed. */
  const inTurn = async (
    work: (input: DextoLoadInput, signal: AbortSignal) => Promise<void>,
  ): Promise<void> => {
    const input = lastInput;
    if (input === undefined || !input.trusted || isClosed) return;
    isLoading = true;
    await loads.run((superseded) => (superseded.aborted ? undefined : work(input, superseded)));
  };

  const update = async (
    input: DextoLoadInput,
    signal: AbortSignal,
    renew?: UpdateRequest['renew'],
  ): Promise<void> => {
    const request = { input, signal, force: isForced };
    try {
      await updateGeneration(parts, renew === undefined ? request : { ...request, renew });
      if (!signal.aborted) isForced = false;
    } catch (error) {
      // Nobody knows whether there are plugins: as long as none run, none is missing only where this says so.
      if (!signal.aborted && live.current() === undefined)
        await live.swap(undefined, planLoadReport(notLooked(error), undefined, []));
      throw error;
    } finally {
      if (!signal.aborted) isLoading = false;
    }
  };

  /** Threat: a plugin that hangs while it loads keeps others running in a window that is not trusted any more. */
  const standStill = async (): Promise<void> => {
    loads.supersede();
    isLoading = false;
    await live.swap(undefined, emptyLoadReport);
  };

  const plans = (): readonly DextoPlan[] => live.shown().rows.map(({ plan }) => plan);

  const find = (id: string): DextoPlan => {
    const row = live.shown().rows.find(({ plan }) => plan.id === id);
    if (row !== undefined) return row.plan;
    throw new PincerError('plugin_unknown', `The agent file has no plugin "${id}".`, {
      hint: 'Look at the list of plugins.',
    });
  };

  return {
    onDidChange: changed.event,
    points,
    agentFile: () => live.current()?.file,
    async agentFilePath() {
      const found = lastInput === undefined ? undefined : await findAgentFile(fs, lastInput, homeDir);
      return found?.kind === 'found' ? found.path : undefined;
    },
    problem() {
      const isBehind = given.isTrusted?.() === true && lastInput?.trusted !== true;
      return absence() ?? (isBehind ? stillLoading : findWaitingGuard(plans()));
    },
    async load(input) {
      lastInput = input;
      await (input.trusted ? inTurn(update) : standStill());
    },
    async reload() {
      isForced = true;
      await inTurn(update);
    },
    plugins: () =>
      live.shown().rows.map((row) => {
        const { plan, running } = row;
        return toDextoRecord(row, {
          roots: lastInput?.roots ?? [],
          order: live.current()?.plugins ?? [],
          later: running === undefined ? [] : reports.of(plan.id),
          ...(running === undefined ? {} : { profile: adapter.profileOf(running.checked.plugin) }),
        });
      }),
    diagnostics: () => [...diagnosticsIn(live.shown()), ...reports.list()],
    watches(path) {
      return lastInput !== undefined && isWatched(path, agentFilePaths(lastInput, homeDir), plans());
    },
    settled,
    isOutdated: async () => lastInput?.trusted === true && (await reads.isOutdated()),
    filesChanged: (saved) =>
      inTurn((input, signal) =>
        update(input, signal, async (plans) => {
          const real = await Promise.all(saved.map((path) => realPathOr(fs, path)));
          return await consentActions.renew(plans, real);
        }),
      ),
    async grantConsent(id, hash) {
      await consentActions.grant(find(id), hash);
      await inTurn(update);
    },
    async allowRegistrations(id, names) {
      await consentActions.allowMore(find(id), names);
      await inTurn(update);
    },
    async setDeveloping(id, developing) {
      await consentActions.setDeveloping(find(id), developing);
      await inTurn(update);
    },
    async revokeConsent(id) {
      await consentActions.revoke(id);
      await inTurn(update);
    },
    redact: live.redact,
    async close() {
      if (isClosed) return;
      isClosed = true;
      await Promise.all([standStill(), loads.settled()]);
      profiled.cancel();
      changed.dispose();
    },
  };
}

/** How often lists are told that plugins have been called. Milliseconds. */
const profileEveryMs = 1_000;

const stillLoading = infoDiagnostic('dexto_loading', 'The plugins of the agent file are still loading.', {
  hint: 'Try again in a moment.',
});

/** What a load that broke off shows. */
function notLooked(error: unknown): Extract<AgentFileSurvey, { kind: 'broken' }> {
  const message = `The agent file could not be looked at: ${errorMessage(error)}`;
  const hint = 'Reload all plugins to try once more.';
  const problem = errorDiagnostic('agent_file_unreadable', message, { hint });
  return { kind: 'broken', problem, diagnostics: [problem] };
}

/**
 * Whether a path is one of the agent files, there or not, or belongs to a plugin. A plugin counts by the name that the agent file
 * gives it, too: editors tell paths as the user opened them, links and all. Pure.
 */
function isWatched(
  path: string,
  agentFiles: readonly string[],
  plans: readonly Pick<DextoPlan, 'entry' | 'module' | 'candidate' | 'files'>[],
): boolean {
  return agentFiles.includes(path) || plans.some((plan) => belongsTo(plan, path));
}

function belongsTo(
  { entry, module, candidate, files }: Pick<DextoPlan, 'entry' | 'module' | 'candidate' | 'files'>,
  path: string,
): boolean {
  if (module?.isProvided === true || entry.kind === 'builtin') return false;
  const named = entry.module !== undefined && isAbsolute(entry.module) ? entry.module : undefined;
  if (module === undefined) return path === named;
  const { isLooseFile, rootDir, source } = candidate;
  if (isLooseFile)
    return [source, named, ...(files?.files ?? []).map((file) => join(rootDir, file.path))].includes(path);
  return isInside(rootDir, path) || (named !== undefined && isInside(dirname(named), path));
}

interface UpdateParts extends BringUpGenerationParts, Omit<SurveyAgentFileParts, 'loader'> {
  readonly live: Generations;
  /** Of what a look at the agent file and its plugins reads. */
  readonly reads: ReadTracker;
}

interface UpdateRequest {
  readonly input: DextoLoadInput;
  /** Loads even what has not changed. */
  readonly force: boolean;
  /** Aborts when something newer counts: nothing is changed from then on. */
  readonly signal: AbortSignal;
  /** Files were saved by hand: true where that renewed the consent of one of these plugins. */
  readonly renew?: (plans: readonly DextoPlan[]) => Promise<boolean>;
}

/**
 * Makes what runs match the agent file, the user's config and the consents. Where that fails, what ran goes on, unless the user
 * has switched a part of it off. Never rejects.
 */
async function updateGeneration(parts: UpdateParts, request: UpdateRequest): Promise<void> {
  const { live, reads } = parts;
  const { input, signal, renew } = request;
  const look = (): Promise<AgentFileSurvey> =>
    reads.record((fs) => surveyAgentFile({ ...parts, fs }, input, live.current()?.file));
  const found = await look();
  const isRenewed = found.kind === 'read' && (await renew?.(found.plans)) === true;
  const survey = isRenewed ? await look() : found;
  if (signal.aborted) return;
  if (survey.kind === 'read') await apply(parts, survey, request);
  else await live.swap(undefined, planLoadReport(survey, undefined, []));
}

async function apply(
  parts: UpdateParts,
  read: Extract<AgentFileSurvey, { kind: 'read' }>,
  { input, force, signal }: UpdateRequest,
): Promise<void> {
  const { live } = parts;
  const { file, plans, consents } = read;
  const before = live.current();
  const members = planMembers(plans, before);
  const survey = { ...read, plans: plans.map(withoutContents) };
  if (before !== undefined && !mayGoOn(before, { ...input, consents })) {
    // What the user has switched off stops before anything else is tried.
    await live.swap(undefined, planLoadReport(survey, undefined, []));
    if (signal.aborted) return;
  }
  const current = live.current();
  const lost = current === undefined ? findLostGuard(plans, members) : undefined;
  if (lost !== undefined) {
    await live.swap(undefined, planLoadReport(withProblem(survey, lost), undefined, []));
    return;
  }
  // A file that can't be read brings nothing new to try.
  const isAsked = force && read.problem === undefined;
  if (current !== undefined && !isAsked && current.key === keyOf(members)) {
    await live.swap({ ...current, file }, planLoadReport(survey, current, []));
    return;
  }
  const brought = await bringUpGeneration(parts, { file, plans, members, force: isAsked, signal });
  if (brought === 'superseded') return;
  if (!brought.ok) {
    if (!signal.aborted) await live.swap(current, planLoadReport(survey, current, brought.failures));
    return;
  }
  const { generation } = brought;
  // Trust may have gone in this very moment.
  if (signal.aborted) await live.end(generation);
  else await live.swap(generation, planLoadReport(survey, generation, []));
}

function withProblem<Survey extends { readonly diagnostics: readonly Diagnostic[] }>(
  survey: Survey,
  problem: Diagnostic,
): Survey & { readonly problem: Diagnostic } {
  return { ...survey, problem, diagnostics: [...survey.diagnostics, problem] };
}

/**
 * Whether everything that runs is still allowed to: the user has switched none of it off and taken no consent back. That there
 * is a newer version to agree to stops nothing. Pure.
 */
function mayGoOn(
  { plugins }: Generation,
  { config, consents }: { readonly config: PluginsConfig; readonly consents: readonly Consent[] },
): boolean {
  return plugins.every(({ plan }) => {
    const { id, origin, candidate } = plan;
    const isGiven = consents.some((each) => each.id === id && each.rootDir === candidate.rootDir);
    const consent = origin !== 'workspace' ? 'not-needed' : isGiven ? 'given' : 'never-enabled';
    return decideDextoEnablement(plan, config, consent).enabled;
  });
}
