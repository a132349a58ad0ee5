import { join } from 'node:path';
import { errorMessage } from '../../base/errors.ts';
import type { AgentFile, PluginEntry } from '../agentFile/agentFile.ts';
import type { BuiltIns } from '../builtins/builtIn.ts';
import type { Clock, FileSystem } from '../../host/ports.ts';
import { ensureSnapshot } from '../../plugins/load/ensureSnapshot.ts';
import { extensionPoints } from '../pointRules.ts';
import { createConfigRedactor } from '../../plugins/manifest/createConfigRedactor.ts';
import { pluginFolderName } from '../../plugins/pluginFolderName.ts';
import { collectSecrets } from './collectSecrets.ts';
import {
  keyOf,
  withoutContents,
  type Generation,
  type GenerationMember,
  type RunningPlugin,
} from './generation.ts';
import { loadFailure } from './loadFailure.ts';
import type { DextoCode, DextoFailure, DextoLoader, DextoLoadOutcome } from './loadTypes.ts';
import type { DextoPlan } from './planDextoPlugin.ts';

export interface BringUpGenerationParts {
  readonly fs: FileSystem;
  readonly clock: Clock;
  readonly stateDir: string;
  readonly loader: DextoLoader;
  readonly builtIns: BuiltIns;
}

interface GenerationPlan {
  readonly file: AgentFile;
  /** All plugins of the file. */
  readonly plans: readonly DextoPlan[];
  readonly members: readonly GenerationMember[];
  /** Loads plugins even if they hung the last times. */
  readonly force: boolean;
  /** Aborts when nobody waits for this generation any more. */
  readonly signal: AbortSignal;
}

/** `superseded`: something newer counts, and nothing of this one is left. */
type BroughtUp =
  | { readonly ok: true; readonly generation: Generation }
  | { readonly ok: false; readonly failures: readonly DextoFailure[] }
  | 'superseded';

/**
 * Loads all plugins, then initializes them in order; the first that fails ends it, and those that were initialized are cleaned up
 * in reverse (Dexto plugin specification, Plugin Loading). Never rejects.
 */
export async function bringUpGeneration(
  parts: BringUpGenerationParts,
  plan: GenerationPlan,
): Promise<BroughtUp> {
  const loaded = await loadAll(parts, plan);
  if (loaded === 'superseded' || !loaded.ok) return loaded;
  const ordered = orderOf(parts, plan, loaded.plugins);
  if (!ordered.ok) {
    discard(loaded.plugins);
    return ordered;
  }
  return await initializeAll(parts, plan, ordered.plugins);
}

type Loaded = Omit<RunningPlugin, 'initializeMs'>;

type Step = { readonly ok: true; readonly plugins: readonly Loaded[] } | Extract<BroughtUp, { ok: false }>;

/** All are tried, so that all failures are told at once. */
async function loadAll(parts: BringUpGenerationParts, plan: GenerationPlan): Promise<Step | 'superseded'> {
  const redact = createConfigRedactor(collectSecrets(plan.file));
  const plugins: Loaded[] = [];
  const failures: DextoFailure[] = [];
  for (const member of plan.members) {
    const loading = loadOne(parts, member, { ...plan, redact });
    const outcome = await orSuperseded(loading, plan.signal, (late) => {
      if (late.ok) discard([late.loaded]);
    });
    if (outcome === 'superseded') {
      discard(plugins);
      return outcome;
    }
    if (outcome.ok) plugins.push(outcome.loaded);
    else failures.push(outcome);
  }
  if (failures.length === 0) return { ok: true, plugins };
  discard(plugins);
  return { ok: false, failures };
}

interface Around {
  readonly file: AgentFile;
  readonly redact: (text: string) => string;
  readonly force: boolean;
}

type OneLoaded = { readonly ok: true; readonly loaded: Loaded } | DextoFailure;

async function loadOne(
  parts: BringUpGenerationParts,
  { plan, old }: GenerationMember,
  around: Around,
): Promise<OneLoaded> {
  const light = old?.plan ?? withoutContents(plan);
  const { entry } = light;
  const { file, redact, force } = around;
  if (plan.failure !== undefined) return plan.failure;
  if (entry.kind === 'builtin') {
    const made = loadBuiltIn(parts, { entry, agentFile: file.path, redact });
    return made.ok ? { ok: true, loaded: { plan: light, checked: made } } : made;
  }
  try {
    const place = old?.code ?? (await placeOf(parts, plan));
    const code = { ...place, entry, agentFile: file.path, redact, force, ...shownPointsOf(plan) };
    const checked = await parts.loader.load(code);
    return checked.ok ? { ok: true, loaded: { plan: light, checked, code } } : checked;
  } catch (error) {
    const message = redact(`plugin '${entry.name}' could not be loaded: ${errorMessage(error)}`);
    const about = { entry, agentFile: file.path, phase: 'load' } as const;
    return loadFailure({ ...about, code: 'PLUGIN_LOAD_FAILED', message });
  }
}

/** Only a workspace's plugin was asked about. */
function shownPointsOf({ origin, asks }: DextoPlan): Pick<DextoCode, 'shownPoints'> {
  if (origin !== 'workspace' || asks === undefined) return {};
  const { points = [], more = [] } = asks;
  return {
    shownPoints: extensionPoints.filter((point) => points.includes(point) || more.includes(`point ${point}`)),
  };
}

/**
 * A workspace's plugin runs from a copy of what the user agreed to, a package from one that has its dependencies, any other plugin
 * from where it lies.
 */
async function placeOf(
  { fs, stateDir }: BringUpGenerationParts,
  { id, module, candidate, origin, files }: DextoPlan,
): Promise<Omit<DextoCode, 'entry' | 'agentFile' | 'redact'>> {
  const { rootDir, source } = candidate;
  const snapshots = join(stateDir, 'plugin-snapshots');
  const place = { ...module, source, rootDir };
  if (files === undefined || (origin !== 'workspace' && module?.packageDir === undefined)) {
    return { ...place, codeDir: rootDir, cacheDir: join(snapshots, pluginFolderName(id), 'transpiled') };
  }
  const snapshot = await ensureSnapshot(fs, snapshots, { id, rootDir }, files);
  return { ...place, codeDir: snapshot.rootDir, cacheDir: snapshot.cacheDir };
}

/** A plugin that is off or waits is told apart from one that the file does not have. */
function orderOf(
  { loader }: BringUpGenerationParts,
  { file, plans, members }: GenerationPlan,
  plugins: readonly Loaded[],
): Step {
  const off = plans.filter((plan) => members.every((member) => member.plan !== plan));
  const entries = [
    ...plugins.map(({ checked }) => checked.entry),
    ...off.map(({ entry }) => ({ ...entry, enabled: false })),
  ];
  const planned = loader.planOrder(entries, file.path);
  if (!planned.ok) return planned;
  const inOrder = planned.order.flatMap(
    ({ name }) => plugins.find(({ plan }) => plan.entry.name === name) ?? [],
  );
  return { ok: true, plugins: inOrder };
}

async function initializeAll(
  { loader, clock }: BringUpGenerationParts,
  { file, members, signal }: GenerationPlan,
  plugins: readonly Loaded[],
): Promise<BroughtUp> {
  const running: RunningPlugin[] = [];
  const giveUp = async (): Promise<void> => {
    await loader.cleanUp(running.map(({ checked }) => checked));
    discard(plugins);
  };
  for (const loaded of plugins) {
    const { checked } = loaded;
    const start = clock.monotonic();
    const outcome = await orSuperseded(loader.initialize(checked, file.path), signal, (late) => {
      if (late.ok) void loader.cleanUp([checked]);
    });
    if (outcome === 'superseded' || !outcome.ok) {
      await giveUp();
      return outcome === 'superseded' ? outcome : { ok: false, failures: [outcome] };
    }
    running.push({ ...loaded, initializeMs: clock.monotonic() - start });
  }
  return { ok: true, generation: { file, plugins: running, key: keyOf(members) } };
}

function discard(plugins: readonly Loaded[]): void {
  for (const { checked } of plugins.toReversed()) checked.dispose();
}

/** `late` gets what comes after the signal. `work` never rejects. */
async function orSuperseded<T>(
  work: Promise<T>,
  signal: AbortSignal,
  late: (result: T) => void,
): Promise<T | 'superseded'> {
  const waiting = new AbortController();
  const superseded = new Promise<'superseded'>((resolve) => {
    const give = (): void => resolve('superseded');
    if (signal.aborted) give();
    else signal.addEventListener('abort', give, { once: true, signal: waiting.signal });
  });
  const first = await Promise.race([superseded, work]);
  waiting.abort();
  if (first === 'superseded') void work.then(late);
  return first;
}

interface BuiltInToLoad {
  readonly entry: PluginEntry;
  readonly agentFile: string;
  readonly redact: (text: string) => string;
}

/** Makes a plugin that ships with the program (Dexto plugin specification, Built-In Plugin Registry Pattern). Never throws. */
function loadBuiltIn(
  { builtIns, clock }: { readonly builtIns: BuiltIns; readonly clock: Clock },
  { entry, agentFile, redact }: BuiltInToLoad,
): DextoLoadOutcome {
  const { name, blocking, priority, timeoutMs } = entry;
  const start = clock.monotonic();
  const about = { entry, agentFile, phase: 'load' } as const;
  const builtIn = Object.hasOwn(builtIns, name) ? builtIns[name] : undefined;
  if (builtIn === undefined) {
    const message = `there is no built-in plugin '${name}'`;
    const hint = `Built-in plugins are: ${Object.keys(builtIns).join(', ')}.`;
    return loadFailure({ ...about, code: 'PLUGIN_CONFIGURATION_INVALID', message, hint });
  }
  try {
    const instance = builtIn.create();
    const points = extensionPoints.filter((point) => typeof instance[point] === 'function');
    return {
      ok: true,
      plugin: { name, instance, points, blocking, priority, timeoutMs, redact },
      entry,
      loadMs: clock.monotonic() - start,
      diagnostics: [],
      dispose: () => undefined,
    };
  } catch (error) {
    const message = redact(`plugin '${name}' could not be made: ${errorMessage(error)}`);
    return loadFailure({ ...about, code: 'PLUGIN_INSTANTIATION_FAILED', message });
  }
}
