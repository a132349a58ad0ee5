import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isRecord, parseJson } from '../../base/json.ts';
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import type { Clock } from '../../host/ports.ts';
import type { CallGuard } from '../../plugins/createCallGuard.ts';
import type { HangGuard } from '../../plugins/createHangGuard.ts';
import { isInside } from '../../plugins/discover/isInside.ts';
import type { ModuleLoader } from '../../plugins/load/createModuleLoader.ts';
import { warnDiagnostic } from '../../plugins/pluginDiagnostics.ts';
import { describeDamage } from '../../plugins/register/describeDamage.ts';
import { registersMore } from '../../plugins/register/consentFilter.ts';
import { protectGlobals } from '../../plugins/register/protectGlobals.ts';
import { withDeadline } from '../../plugins/withDeadline.ts';
import { checkVersions } from './checkVersions.ts';
import { codeFailure, createErrorPlace, shapeFailure, type CodeStep } from './codeFailure.ts';
import { dextoIdPrefix } from '../../plugins/pluginTypes.ts';
import { entryFileOf, hangContentOf, initializeIdOf } from './entryFileOf.ts';
import { findPluginExport } from './findPluginExport.ts';
import { loadFailure } from './loadFailure.ts';
import type { CheckedPlugin, DextoCode, DextoFailure, DextoLoadOutcome } from './loadTypes.ts';
import { makePlugin } from './makePlugin.ts';
import { editDistance } from '../../base/editDistance.ts';
import { nearestFirst } from '../../base/nearestFirst.ts';
import type { DextoPlugin, ExtensionPoint } from '../dextoTypes.ts';
import { extensionPoints } from '../pointRules.ts';

interface DextoLoadParts {
  readonly clock: Clock;
  readonly loader: ModuleLoader;
  readonly hangGuard: HangGuard;
  readonly callGuard?: CallGuard;
}

/** How long a plugin may take to evaluate, and again to be made. Milliseconds. */
const loadTimeoutMs = 30_000;

/**
 * Evaluates the code of one plugin, makes its one instance and holds the checks of the spec against it (Dexto plugin specification, Plugin
 * Validation). Never rejects; a failure says what is wrong, with plugin and file, and leaves nothing behind.
 */
export async function loadDextoPlugin(parts: DextoLoadParts, code: DextoCode): Promise<DextoLoadOutcome> {
  const { entry, source, agentFile } = code;
  const id = `${dextoIdPrefix}${entry.name}`;
  const content = hangContentOf(code);
  const hung = code.force === true ? undefined : await hungAt(parts.hangGuard, entry.name, content);
  if (hung !== undefined) {
    return loadFailure({
      ...{ entry, agentFile, source },
      phase: 'load',
      code: 'PLUGIN_LOAD_FAILED',
      message: `plugin '${entry.name}' did not finish ${hung} the last two times; it is not loaded`,
      hint: 'It may loop forever. Change it, or reload it to try once more.',
    });
  }
  const outcome = await parts.hangGuard.watch(id, content, () => evaluate(parts, code));
  if (!outcome.ok) parts.loader.forget(code.codeDir);
  return outcome;
}

/** What it did not come back from. */
async function hungAt(guard: HangGuard, name: string, content: string): Promise<string | undefined> {
  if (await guard.hasHung(`${dextoIdPrefix}${name}`, content)) return 'loading';
  return (await guard.hasHung(initializeIdOf(name), content)) ? 'initialize()' : undefined;
}

async function evaluate(parts: DextoLoadParts, code: DextoCode): Promise<DextoLoadOutcome> {
  const { clock, loader } = parts;
  const { entry, redact, codeDir, cacheDir } = code;
  const start = clock.monotonic();
  const id = `${dextoIdPrefix}${entry.name}`;
  const diagnostics: Diagnostic[] = [];
  const noteDamage = (repaired: readonly string[], lost: readonly string[]): void => {
    const about = { pluginId: id, source: code.source };
    diagnostics.push(...describeDamage('plugin', about, { repaired, lost }));
  };
  let step: CodeStep = 'load';
  try {
    const loading = loader.load({
      ...{ id, entry: entryFileOf(code), rootDir: codeDir, cacheDir, redact },
      onRepaired: noteDamage,
    });
    const exported = findPluginExport(await withDeadline(loading, loadTimeoutMs, clock), entry.name);
    if (!exported.ok) return shapeFailure(code, exported);
    step = 'make';
    const { result: making, repaired, lost } = protectGlobals(() => makePlugin(exported.found, code));
    noteDamage(repaired, lost);
    if (!making.ok) return settingsFailure(code, making.problem);
    const made = await withDeadline(Promise.resolve(making.made), loadTimeoutMs, clock);
    const shape = checkPluginShape(made);
    if (!shape.ok) return shapeFailure(code, shape);
    const statics = readPluginStatics(exported.found.make, shape.instance);
    const versions = judgeVersions(code, statics);
    if ('ok' in versions) return versions;
    const { instance } = shape;
    const { shownPoints = shape.points } = code;
    const points = shape.points.filter((point) => shownPoints.includes(point));
    const heldBack = shape.points.filter((point) => !shownPoints.includes(point));
    if (heldBack.length > 0)
      diagnostics.push({
        ...registersMore(
          id,
          heldBack.map((point) => `point ${point}`),
        ),
        source: code.source,
      });
    const { name, blocking, priority, timeoutMs } = entry;
    const call = parts.callGuard?.callsOf(id, hangContentOf(code));
    return {
      ok: true,
      plugin: {
        ...{ name, instance, points, blocking, priority, timeoutMs },
        // People know its files by where they lie, and not by the copy that runs.
        redact: (text) => redact(text.replaceAll(code.codeDir, code.rootDir)),
        source: code.source,
        locate: createErrorPlace(code.codeDir, code.rootDir),
        ...(call === undefined ? {} : { call }),
      },
      entry: {
        ...entry,
        config: making.config,
        dependsOn: [...new Set([...entry.dependsOn, ...statics.requires])],
      },
      code,
      ...(versions.version === undefined ? {} : { version: versions.version }),
      loadMs: clock.monotonic() - start,
      ...(heldBack.length === 0 ? {} : { heldBack }),
      diagnostics: [...diagnostics, ...versions.diagnostics],
      dispose: () => loader.forget(codeDir),
    };
  } catch (error) {
    return codeFailure(code, step, error);
  }
}

function settingsFailure({ entry, agentFile, redact }: DextoCode, problem: string): DextoFailure {
  return loadFailure({
    ...{ entry, agentFile },
    phase: 'validation',
    code: 'PLUGIN_CONFIGURATION_INVALID',
    message: redact(`the settings of plugin '${entry.name}' are not what it asks for: ${problem}`),
    hint: `Correct the settings of ${entry.name} in the agent file.`,
  });
}

function judgeVersions(
  code: DextoCode,
  statics: PluginStatics,
): DextoFailure | (Pick<CheckedPlugin, 'diagnostics'> & { readonly version: string | undefined }) {
  const { entry, agentFile, source, redact } = code;
  // What lies around a bundle is not the plugin's.
  const own = code.isProvided === true ? {} : readPackageVersions(nearestPackage(code));
  const version = statics.version ?? own.version ?? code.version;
  const checked = checkVersions({
    entry,
    ...(version === undefined ? {} : { version }),
    api: [
      ...(statics.apiVersion === undefined ? [] : [{ range: statics.apiVersion, from: 'apiVersion' }]),
      ...(own.api === undefined ? [] : [{ range: own.api, from: 'package.json' }]),
    ],
  });
  if (checked.ok) {
    const hint = 'Write a range such as ^1.10.0.';
    const about = { pluginId: `${dextoIdPrefix}${entry.name}`, source, hint };
    const diagnostics = checked.odd.map((text) => warnDiagnostic('plugin_version_odd', redact(text), about));
    return { version, diagnostics };
  }
  const isPlugin = checked.by === 'plugin';
  return loadFailure({
    ...{ entry, agentFile, hint: checked.hint },
    ...(isPlugin ? { source } : {}),
    phase: isPlugin ? 'load' : 'validation',
    code: isPlugin ? 'PLUGIN_LOAD_FAILED' : 'PLUGIN_CONFIGURATION_INVALID',
    message: redact(`plugin '${entry.name}' does not fit: ${checked.problem}`),
  });
}

/** The package.json that lies nearest to the entry, inside of what the plugin may load. */
function nearestPackage(code: DextoCode): unknown {
  for (let folder = dirname(entryFileOf(code)); isInside(code.codeDir, folder); folder = dirname(folder)) {
    const path = join(folder, 'package.json');
    if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) continue;
    const json = parseJson(readFileSync(path, 'utf8').replace(/^\uFEFF/u, ''));
    return isRecord(json) ? json : undefined;
  }
  return undefined;
}

type ShapeCheck =
  | { readonly ok: true; readonly instance: DextoPlugin; readonly points: readonly ExtensionPoint[] }
  | { readonly ok: false; readonly check: 3 | 4 | 5; readonly problem: string; readonly hint?: string };

/**
 * The last three of the five checks of the spec (Dexto plugin specification, Plugin Validation), on the instance itself, so that arrow functions
 * held by fields count like methods. Pure, but for getters of the plugin's own.
 */
function checkPluginShape(made: unknown): ShapeCheck {
  if (!isRecord(made))
    return {
      ok: false,
      check: 3,
      problem: `what it makes is ${made === null || made === undefined ? String(made) : `a ${typeof made}`}, and no plugin`,
      hint: `Return an object with a method such as ${extensionPoints[0] ?? ''}.`,
    };
  const points = extensionPoints.filter((point) => typeof made[point] === 'function');
  if (points.length === 0) {
    return {
      ok: false,
      check: 4,
      problem: 'it must implement at least one extension point method',
      hint: `${meantBy(made)}The extension points are ${extensionPoints.join(', ')}.`,
    };
  }
  const odd = (['initialize', 'cleanup'] as const).find(
    (name) => Boolean(made[name]) && typeof made[name] !== 'function',
  );
  if (odd !== undefined) {
    return {
      ok: false,
      check: 5,
      problem: `its ${odd} must be a function, and is a ${typeof made[odd]}`,
      hint: odd === 'initialize' ? 'Write initialize(config) { … }.' : 'Write cleanup() { … }.',
    };
  }
  return { ok: true, instance: made, points };
}

/** A member whose name is nearly that of an extension point. */
function meantBy(made: object): string {
  for (let held: unknown = made; isRecord(held); held = Object.getPrototypeOf(held)) {
    for (const name of Object.getOwnPropertyNames(held).slice(0, maxMembers)) {
      const [nearest = ''] = nearestFirst(name, extensionPoints);
      if (editDistance(name.toLowerCase(), nearest.toLowerCase()) <= 3)
        return `Did you mean ${nearest} by ${name}? `;
    }
  }
  return '';
}

const maxMembers = 100;

/** What a plugin says about itself beside its methods. */
interface PluginStatics {
  readonly version?: string;
  /** A range of versions of `@dexto/core`. */
  readonly apiVersion?: string;
  /** Names of plugins that must be ready before it. */
  readonly requires: readonly string[];
}

/**
 * Reads `static version`, `static apiVersion`, `static requires` and `static dependencies`; a factory may have the same fields,
 * and the version may stand in the instance. Fields of another shape mean something else and are passed over. Pure.
 */
function readPluginStatics(made: object, instance: object): PluginStatics {
  const { constructor } = instance as { readonly constructor?: unknown };
  const holders = [made, constructor].filter(isHolder);
  const first = (field: string): string | undefined =>
    [...holders, instance]
      .filter(isHolder)
      .map((each) => textOf(each[field]))
      .find(Boolean);
  const version = first('version');
  const apiVersion = holders.map((each) => textOf(each['apiVersion'])).find(Boolean);
  const lists = holders.flatMap((each) => [each['requires'], each['dependencies']]);
  return {
    ...(version === undefined ? {} : { version }),
    ...(apiVersion === undefined ? {} : { apiVersion }),
    requires: [...new Set(lists.flatMap(namesIn))],
  };
}

function isHolder(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'function' || isRecord(value);
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  return typeof value === 'string' && value !== '' && value.length <= 100 ? value : undefined;
}

function namesIn(list: unknown): readonly string[] {
  return Array.isArray(list) ? list.filter((each): each is string => typeof each === 'string') : [];
}

/** What the package.json of a plugin says about versions. Pure. */
function readPackageVersions(packageJson: unknown): {
  readonly version?: string;
  readonly api?: string;
} {
  if (!isRecord(packageJson)) return {};
  const peers = packageJson['peerDependencies'];
  const version = textOf(packageJson['version']);
  const api = isRecord(peers) ? textOf(peers['@dexto/core']) : undefined;
  return { ...(version === undefined ? {} : { version }), ...(api === undefined ? {} : { api }) };
}
