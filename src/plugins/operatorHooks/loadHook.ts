import { join, relative } from 'node:path';
import { errorMessage, PincerError } from '../../base/errors.ts';
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import type { Clock, FileSystem } from '../../host/ports.ts';
import type { PluginFiles } from '../consent/readPluginFiles.ts';
import { createHangGuard, type HangGuard } from '../createHangGuard.ts';
import type { ModuleLoader } from '../load/createModuleLoader.ts';
import { describeDamage } from '../register/describeDamage.ts';
import { ensureSnapshot } from '../load/ensureSnapshot.ts';
import { errorDiagnostic } from '../pluginDiagnostics.ts';
import { withDeadline } from '../withDeadline.ts';
import type { HookManifest } from './operatorHookTypes.ts';
import { consentIdOf, type HookPlan } from './planHook.ts';
import { isRecord } from '../../base/json.ts';

export interface HookLoadParts {
  readonly fs: FileSystem;
  readonly clock: Clock;
  readonly loader: ModuleLoader;
  /** Outside of every workspace: snapshots of hooks go there. */
  readonly stateDir: string;
  /** One for all loads; without it each load has its own, which may blame a hook that was merely loading as well. */
  readonly hangGuard?: HangGuard;
}

/** A hook that may be loaded: it is read whole and enabled. */
export type LoadableHook = HookPlan & {
  readonly manifest: HookManifest;
  readonly handler: string;
  readonly files: PluginFiles;
};

/** One loaded version of a hook. */
export interface HookInstance {
  readonly handler: HookHandler;
  /** What this version listens to: a changed HOOK.md does not widen it. */
  readonly events: readonly string[];
  readonly hash: string;
  /** The folder its code was loaded from. */
  readonly snapshotDir: string;
  readonly loadMs: number;
  /** What its code did to the built-ins of the process. */
  readonly damage: readonly Diagnostic[];
}

export interface HookFailure {
  readonly ok: false;
  readonly message: string;
  readonly diagnostic: Diagnostic;
  /** The hash of files that never finish loading: trying again would only wait again. */
  readonly hungHash?: string;
}

type HookOutcome = { readonly ok: true; readonly instance: HookInstance } | HookFailure;

const timeoutMs = 30_000;

/** Loads a hook from a snapshot of exactly the files that were hashed; never rejects. */
export async function loadHook(
  parts: HookLoadParts,
  { name, candidate, manifest, handler: source, files, events }: LoadableHook,
): Promise<HookOutcome> {
  const { fs, clock, loader, stateDir, hangGuard = createHangGuard(parts) } = parts;
  const id = consentIdOf(name);
  const start = clock.monotonic();
  try {
    if (await hangGuard.hasHung(id, files.hash)) {
      const hint = 'It may loop forever: change or remove it.';
      return failure(
        'hook_hung',
        name,
        source,
        'it did not finish loading the last two times and is skipped',
        hint,
      );
    }
    const { rootDir, cacheDir } = await ensureSnapshot(
      fs,
      join(stateDir, 'hook-snapshots'),
      { id, rootDir: candidate.rootDir },
      files,
    );
    const entry = join(rootDir, relative(candidate.rootDir, source));
    let damage: readonly Diagnostic[] = [];
    const onRepaired = (repaired: readonly string[], lost: readonly string[]): void => {
      damage = describeDamage(`hook "${name}"`, { source }, { repaired, lost });
    };
    const evaluate = (): Promise<unknown> =>
      withDeadline(loader.load({ id, entry, rootDir, cacheDir, onRepaired }), timeoutMs, clock);
    const module = await hangGuard.watch(id, files.hash, evaluate);
    const resolved = resolveHandler(module, manifest.exportName);
    if (!resolved.ok) {
      loader.forget(rootDir);
      return failure('hook_export_invalid', name, source, resolved.message, resolved.hint);
    }
    const { handler } = resolved;
    const loadMs = clock.monotonic() - start;
    return {
      ok: true,
      instance: { handler, events, hash: files.hash, snapshotDir: rootDir, loadMs, damage },
    };
  } catch (error) {
    const isHung = error instanceof PincerError && error.code === 'plugin_timed_out';
    const failed = failure('hook_load_failed', name, source, `failed to load hook: ${errorMessage(error)}`);
    return isHung ? { ...failed, hungHash: files.hash } : failed;
  }
}

function failure(code: string, name: string, source: string, message: string, hint?: string): HookFailure {
  const about = { source, ...(hint === undefined ? {} : { hint }) };
  return { ok: false, message, diagnostic: errorDiagnostic(code, `hook "${name}": ${message}`, about) };
}

type HookHandler = (event: never) => unknown;

type ResolvedHandler =
  | { readonly ok: true; readonly handler: HookHandler }
  | { readonly ok: false; readonly message: string; readonly hint?: string };

/** The function that a handler module exports under `name`; transpilers may have wrapped it once or twice. Pure. */
function resolveHandler(module: unknown, name: string): ResolvedHandler {
  const layers = layersOf(module);
  const found =
    name === 'default' ? layers.find(isHandler) : layers.map((layer) => own(layer, name)).find(isHandler);
  if (found !== undefined) return { ok: true, handler: found };
  const names = [...new Set(layers.flatMap((layer) => functionNames(layer)))].slice(0, 8);
  const message = `its export "${name}" is no function`;
  return names.length === 0
    ? { ok: false, message, hint: 'Write: export default async (event) => { … }' }
    : { ok: false, message, hint: `Set metadata.openclaw.export to one of: ${names.join(', ')}.` };
}

/** The module, its default, and the default of that. */
function layersOf(module: unknown): readonly unknown[] {
  const first = own(module, 'default');
  const second = own(first, 'default');
  return [module, first, second].filter((each) => each !== undefined);
}

function own(holder: unknown, name: string): unknown {
  if (!(typeof holder === 'function' || isRecord(holder)) || !Object.hasOwn(holder, name)) return undefined;
  return (holder as Readonly<Record<string, unknown>>)[name];
}

function functionNames(layer: unknown): readonly string[] {
  if (!isRecord(layer)) return [];
  return Object.keys(layer).filter((name) => name !== 'default' && isHandler(layer[name]));
}

function isHandler(value: unknown): value is HookHandler {
  return typeof value === 'function';
}
