import { join, delimiter } from 'node:path';
import { errorMessage, PincerError } from '../../base/errors.ts';
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import type { Consent } from '../consent/consentRecords.ts';
import { judgeConsent } from '../consent/judgeConsent.ts';
import { fileHashes, readPluginFiles, type PluginFiles } from '../consent/readPluginFiles.ts';
import { errorDiagnostic, warnDiagnostic, type DiagnosticSubject } from '../pluginDiagnostics.ts';
import type { ConsentNeed } from '../pluginTypes.ts';
import { folderNameOf } from './discoverHooks.ts';
import { findHandler, handlerFiles, refusalOf } from './findHandler.ts';
import { hookEntryOf, hooksConfigFor, type HooksConfig } from './hookConfig.ts';
import type { HookCandidate, HookManifest, HookDisabledBy, HookOrigin } from './operatorHookTypes.ts';
import { judgeEvents } from './internalEventCatalog.ts';
import { hookFileName, maxHookFileBytes, parseHookFile } from './parseHookFile.ts';
import { isRecord } from '../../base/json.ts';
import type { FileSystem } from '../../host/ports.ts';

/** All that is known and decided about a hook before any of its code runs. */
export interface HookPlan {
  readonly name: string;
  readonly candidate: HookCandidate;
  /** Absolute path of its HOOK.md. */
  readonly hookFile: string;
  /** Key of its entry in the config. */
  readonly key: string;
  /** Absent where HOOK.md could not be read. */
  readonly manifest?: HookManifest;
  /** The known events it listens to. */
  readonly events: readonly string[];
  /** Absolute path of its handler. */
  readonly handler?: string;
  /** What is broken about it, in one line. */
  readonly problem?: string;
  readonly decision: HookEnablement;
  readonly needsConsent?: ConsentNeed;
  /** What was read of its folder, where it may have to be loaded or asked about. */
  readonly files?: PluginFiles;
  /** Hashes by path, for the consent. */
  readonly fileHashes?: Readonly<Record<string, string>>;
  readonly diagnostics: readonly Diagnostic[];
}

export interface HookPlanFacts {
  readonly around: HookSurroundings;
  readonly config: HooksConfig;
  readonly trusted: boolean;
  readonly consents: readonly Consent[];
  /** The user that this process runs as, where there is one. */
  readonly ownUid: number | undefined;
}

/** The id of a hook's consent: no plugin's consent counts for it. */
export function consentIdOf(name: string): string {
  return `hook:${name}`;
}

/** Decides about one hook as if there were no other. Reads files as data only; never rejects. */
export async function planHook(candidate: HookCandidate, facts: HookPlanFacts): Promise<HookPlan> {
  const read = await readHook(candidate, facts);
  if (read.problem !== undefined || read.manifest === undefined) return read;
  const plan: HookPlan & { readonly manifest: HookManifest } = { ...read, manifest: read.manifest };
  const isWorkspace = candidate.origin === 'workspace';
  const config = hooksConfigFor(facts.config, candidate.origin);
  const subject = { key: plan.key, origin: candidate.origin };
  // Nothing is asked about a hook that could not run anyway.
  const consent = isWorkspace ? 'given' : 'not-needed';
  const first = decideHook(subject, { config, trusted: facts.trusted, consent });
  if (!first.enabled) return { ...plan, decision: first };
  const missing = await findMissing(facts.around, plan.manifest, hookEntryOf(config, plan.key).env ?? {});
  if (missing.length > 0) return ineligible(plan, missing);
  try {
    const files = await readPluginFiles(facts.around.fs, { rootDir: candidate.rootDir });
    const ready = { ...plan, files, fileHashes: fileHashes(files.files), decision: first };
    if (!isWorkspace) return ready;
    const question = {
      id: consentIdOf(plan.name),
      rootDir: candidate.folder,
      hash: files.hash,
      files: ready.fileHashes,
    };
    const needsConsent = judgeConsent(question, facts.consents);
    if (needsConsent === undefined) return ready;
    const decision = decideHook(subject, { config, trusted: facts.trusted, consent: needsConsent.why });
    return { ...ready, decision, needsConsent };
  } catch (error) {
    return withProblem(plan, 'hook_files_unreadable', unreadable(error));
  }
}

/** HOOK.md, events and handler. */
async function readHook(candidate: HookCandidate, facts: HookPlanFacts): Promise<HookPlan> {
  const { fs } = facts.around;
  const hookFile = join(candidate.folder, hookFileName);
  const folderName = folderNameOf(candidate);
  const bare: HookPlan = {
    name: folderName,
    key: folderName,
    candidate,
    hookFile,
    events: [],
    decision: { enabled: false, reason: '', by: 'problem' },
    diagnostics: [],
  };
  let text: string;
  try {
    const refusal = await refusalOf(fs, candidate, hookFile, facts.ownUid);
    if (refusal !== undefined)
      return withProblem(bare, 'hook_blocked', `blocked hook: ${refusal.why}`, refusal);
    text = await fs.readText(hookFile, maxHookFileBytes);
  } catch (error) {
    return withProblem(bare, 'hook_file_unreadable', `failed to read HOOK.md: ${errorMessage(error)}`);
  }
  const parsed = parseHookFile(text);
  if (!parsed.ok) {
    const { message, line } = parsed;
    return withProblem(bare, 'hook_file_invalid', message, { ...(line === undefined ? {} : { line }) });
  }
  const { manifest } = parsed;
  const name = manifest.name ?? folderName;
  const notes = parsed.warnings.map(({ message, line }) =>
    warnDiagnostic('hook_file_odd', `hook "${name}": ${message}`, {
      source: hookFile,
      ...(line === undefined ? {} : { line }),
    }),
  );
  const plan = { ...bare, ...keyOf(name, manifest, bare), name, manifest };
  const noted = { ...plan, diagnostics: [...plan.diagnostics, ...notes] };
  return await withHandler(withEvents(noted, manifest), facts);
}

/** Threat: a hook of the workspace names the key of another hook, to read the settings that the user gave to that one. */
function keyOf(
  name: string,
  { hookKey = name }: HookManifest,
  { candidate, hookFile }: HookPlan,
): Pick<HookPlan, 'key' | 'diagnostics'> {
  if (candidate.origin !== 'workspace' || hookKey === name) return { key: hookKey, diagnostics: [] };
  const message = `hook "${name}": its hookKey is ignored, a workspace hook has its own entry only`;
  return { key: name, diagnostics: [warnDiagnostic('hook_key_ignored', message, { source: hookFile })] };
}

function withEvents(plan: HookPlan, manifest: HookManifest): HookPlan {
  const about = { source: plan.hookFile, line: 1 };
  const judged = judgeEvents(manifest.events, `hook "${plan.name}"`, about);
  const next = {
    ...plan,
    events: judged.events,
    diagnostics: [...plan.diagnostics, ...judged.diagnostics],
  };
  if (judged.events.length > 0) return next;
  if (manifest.events.length > 0)
    return withProblem(next, 'hook_events_missing', 'none of its events exists', about);
  const hint = 'Add metadata.openclaw.events, such as ["command:new"].';
  return withProblem(next, 'hook_events_missing', 'it names no events', { ...about, hint });
}

async function withHandler(plan: HookPlan, { around, ownUid }: HookPlanFacts): Promise<HookPlan> {
  const found = await findHandler(around.fs, plan.candidate, ownUid);
  if (found.ok) return { ...plan, handler: found.path };
  if (found.kind === 'blocked')
    return withProblem(
      plan,
      'hook_blocked',
      `blocked hook: its handler can not be used: ${found.why}`,
      found,
    );
  const hint = `Add ${handlerFiles.slice(0, 2).join(' or ')} beside HOOK.md.`;
  return withProblem(plan, 'hook_handler_missing', 'it has HOOK.md but no handler file', { hint });
}

function withProblem(
  plan: HookPlan,
  code: string,
  problem: string,
  { hint, line }: DiagnosticSubject = {},
): HookPlan {
  const about = {
    source: plan.hookFile,
    ...(hint === undefined ? {} : { hint }),
    ...(line === undefined ? {} : { line }),
  };
  const diagnostic = errorDiagnostic(code, `hook "${plan.name}": ${problem}`, about);
  return {
    ...plan,
    // What is broken first is what the user has to mend first.
    problem: plan.problem ?? problem,
    decision: { enabled: false, reason: plan.problem ?? problem, by: 'problem' },
    diagnostics: [...plan.diagnostics, diagnostic],
  };
}

function ineligible(plan: HookPlan, missing: readonly string[]): HookPlan {
  const reason = `needs ${missing.join(', ')}`;
  const diagnostic = warnDiagnostic('hook_ineligible', `hook "${plan.name}" does not run: it ${reason}`, {
    source: plan.hookFile,
  });
  return {
    ...plan,
    decision: { enabled: false, reason, by: 'requirements' },
    diagnostics: [...plan.diagnostics, diagnostic],
  };
}

function unreadable(error: unknown): string {
  const escapes = error instanceof PincerError && error.code === 'plugin_link_escapes';
  const why = escapes
    ? error.message.replace(/^The plugin has/u, 'it has')
    : `failed to read its files: ${errorMessage(error)}`;
  return why;
}

interface HookFacts {
  /** What counts for the hook's origin. */
  readonly config: HooksConfig;
  readonly trusted: boolean;
  /** Whether the user has agreed to run exactly these files; `not-needed` for the user's own hooks. */
  readonly consent: 'given' | 'never-enabled' | 'files-changed' | 'not-needed';
}

/** `reason` is one line for people; texts are upstream's where it has one. */
type HookEnablement =
  | { readonly enabled: true; readonly reason: string }
  | { readonly enabled: false; readonly reason: string; readonly by: HookDisabledBy };

interface Subject {
  /** Key of its entry in the config. */
  readonly key: string;
  readonly origin: HookOrigin;
}

type Step = (hook: Subject, facts: HookFacts) => HookEnablement | undefined;

/** In this order; the first step that decides counts. */
const steps: readonly Step[] = [
  (_, { config }) =>
    config.enabled === false ? off('master-switch', 'hooks are switched off in config') : undefined,
  ({ key }, { config }) =>
    hookEntryOf(config, key).enabled === false ? off('entry', 'disabled in config') : undefined,
  (_, { config }) =>
    config.unreadable === true ? off('broken-config', 'your config can not be read') : undefined,
  (_, { trusted }) => (trusted ? undefined : off('trust', 'workspace is not trusted')),
  (_, { consent }) =>
    consent === 'never-enabled' ? off('consent', 'workspace hook (disabled by default)') : undefined,
  (_, { consent }) =>
    consent === 'files-changed'
      ? off('consent', 'workspace hook (its files have changed since you enabled it)')
      : undefined,
  (_, { consent }) => (consent === 'given' ? on('enabled by you') : undefined),
  ({ key }, { config }) =>
    Object.hasOwn(config.entries, key) ? on('enabled in config (hooks.internal.entries)') : undefined,
  (_, { config }) => (config.enabled === true ? on('enabled') : undefined),
  (_, { config }) =>
    config.load.extraDirs.some((each) => each.trim() !== '') ? on('enabled by extraDirs') : undefined,
];

/**
 * Whether a hook runs, and why. Workspace hooks run after the user's consent alone; the user's own ones run where
 * `hooks.internal` switches all on, names them, or names a folder of hooks (upstream's rule). Pure.
 */
export function decideHook(hook: Subject, facts: HookFacts): HookEnablement {
  for (const step of steps) {
    const decision = step(hook, facts);
    if (decision !== undefined) return decision;
  }
  return off('default', 'hooks are off: set hooks.internal.enabled, or name it in hooks.internal.entries');
}

function on(reason: string): HookEnablement {
  return { enabled: true, reason };
}

function off(by: HookDisabledBy, reason: string): HookEnablement {
  return { enabled: false, reason, by };
}

/** What a hook's requirements are held against. */
interface HookSurroundings {
  readonly fs: FileSystem;
  readonly platform: NodeJS.Platform;
  /** Environment variables of the process. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What `requires.config` looks into. */
  readonly hostConfig: Readonly<Record<string, unknown>>;
}

/**
 * What a hook needs and does not find, as `program git` or `environment variable TOKEN`; empty where nothing is missing.
 * `always` skips all but the platform (upstream's rule). Never rejects.
 */
async function findMissing(
  around: HookSurroundings,
  { os, always, requires }: Pick<HookManifest, 'os' | 'always' | 'requires'>,
  ownEnv: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  const { platform, env, hostConfig } = around;
  if (os.length > 0 && !os.includes(platform)) return [`platform ${os.join(' or ')} (this is ${platform})`];
  if (always) return [];
  const missing: string[] = [];
  for (const bin of requires.bins) if (!(await hasProgram(around, bin))) missing.push(`program ${bin}`);
  if (requires.anyBins.length > 0) {
    const found: boolean[] = [];
    for (const bin of requires.anyBins) found.push(await hasProgram(around, bin));
    if (!found.includes(true)) missing.push(`one of the programs ${requires.anyBins.join(', ')}`);
  }
  for (const name of requires.env) {
    const own = Object.hasOwn(ownEnv, name) ? ownEnv[name] : undefined;
    if (!own && !env[name]) missing.push(`environment variable ${name}`);
  }
  for (const path of requires.config) if (!holds(hostConfig, path)) missing.push(`config ${path}`);
  return missing;
}

async function hasProgram({ fs, env, platform }: HookSurroundings, name: string): Promise<boolean> {
  // A name, not a path: `../x` would look outside the PATH.
  if (!/^[\w.+-]+$/u.test(name)) return false;
  const isWindows = platform === 'win32';
  const path = env['PATH'] ?? (isWindows ? env['Path'] : undefined) ?? '';
  const suffixes = isWindows ? ['', ...(env['PATHEXT'] ?? '.EXE;.CMD;.BAT').split(';')] : [''];
  for (const folder of path.split(delimiter).filter((each) => each !== '')) {
    for (const suffix of suffixes) {
      const stat = await fs.stat(join(folder, `${name}${suffix}`)).catch(() => undefined);
      if (stat?.kind === 'file' && (stat.mode === undefined || isWindows || (stat.mode & 0o111) !== 0))
        return true;
    }
  }
  return false;
}

/** True where the dotted path leads to something: not false, 0, or an empty text. */
function holds(config: Readonly<Record<string, unknown>>, path: string): boolean {
  let value: unknown = config;
  for (const part of path.split('.').filter((each) => each !== '')) {
    if (!isRecord(value) || !Object.hasOwn(value, part)) return false;
    value = value[part];
  }
  return typeof value === 'string' ? value.trim() !== '' : Boolean(value);
}
