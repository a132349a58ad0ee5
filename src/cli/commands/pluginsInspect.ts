import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { errorMessage, PincerError } from '../../base/errors.ts';
import { formatPriority } from '../../base/formatNumbers.ts';
import { isRecord } from '../../base/json.ts';
import { systemClock } from '../../host/node/systemClock.ts';
import type { Log } from '../../host/ports.ts';
import type { Inspection, InspectedPlugin, InspectedTool } from '../../plugins/inspect/inspectPlugins.ts';
import { exitCodes, type ExitCode } from '../exitCodes.ts';
import { inertMessage, inertFact } from '../inert.ts';
import { keepStdoutClean } from '../keepStdoutClean.ts';
import { toJson, type Output } from '../output.ts';
import { withRuntime, type CliOptions } from '../withRuntime.ts';
import { findPlugin } from './pluginsFind.ts';
import { describeDiagnostic } from '../../base/describeDiagnostic.ts';
import { inertLine } from '../../base/text.ts';
import type { HookListing } from '../../plugins/pluginTypes.ts';
import { describeCode } from './pluginsText.ts';

export interface InspectOptions extends CliOptions {
  /** Settings as JSON, or a file that holds them. */
  readonly config?: string;
  /** False with `--no-conversation`. */
  readonly conversation: boolean;
}

/**
 * `pincer plugins inspect <id or path>`: a plugin of the workspace as it stands, or any plugin on disk, loaded alone and
 * unmodified. Succeeds where all that were found are loaded.
 */
export async function runPluginsInspect(
  options: InspectOptions,
  target: string,
  output: Output,
): Promise<ExitCode> {
  const isPath = existsSync(resolve(target)) || isAbsolute(target) || /^[.~]/u.test(target);
  const clean = keepStdoutClean();
  let inspection: Inspection;
  try {
    inspection = isPath
      ? await inspectPath(options, target, output)
      : await inspectId(options, target, output);
  } finally {
    clean.dispose();
  }
  output.out(
    options.json === true
      ? toJson(inspection)
      : describeInspection(inspection, isPath && options.conversation),
  );
  const { plugins } = inspection;
  const isLoaded = plugins.length > 0 && plugins.every(({ status }) => status === 'loaded');
  return isLoaded ? exitCodes.ok : exitCodes.failed;
}

async function inspectPath(
  { config, conversation, verbose }: InspectOptions,
  target: string,
  output: Output,
): Promise<Inspection> {
  const { createNodeFileSystem, inspectPlugins } = await import('../../runtime/index.ts');
  const settings = config === undefined ? undefined : await readSettings(config);
  const log: Log = {
    write: (level, message) =>
      verbose === true ? output.err(`${level}: ${inertMessage(message)}\n`) : undefined,
  };
  const fs = createNodeFileSystem();
  const workDir = await mkdtemp(join(tmpdir(), 'pincer-inspect-'));
  try {
    const parts = { fs, clock: systemClock, log, workDir, ...(await ownNames()) };
    return await inspectPlugins(parts, {
      path: resolve(target),
      allowConversation: conversation,
      ...(settings === undefined ? {} : { config: settings }),
    });
  } finally {
    await rm(workDir, { recursive: true, force: true });
  }
}

/** Names of our own that plugins can't take; the tools are made only to be asked for theirs. */
export async function ownNames(): Promise<{
  readonly coreToolNames: readonly string[];
  readonly reservedCommands: readonly string[];
}> {
  const { createNodeFileSystem, createCoreTools, createDiskFiles } = await import('../../runtime/index.ts');
  const fs = createNodeFileSystem();
  const layout = (): { roots: readonly string[]; platform: NodeJS.Platform } => ({
    roots: [],
    platform: process.platform,
  });
  const tools = createCoreTools({
    fs,
    clock: systemClock,
    files: createDiskFiles(fs),
    layout,
    maxResultChars: 1,
  });
  return { coreToolNames: tools.map(({ name }) => name), reservedCommands: ['tool'] };
}

async function inspectId(options: InspectOptions, id: string, output: Output): Promise<Inspection> {
  const { inspectTools, sumTimings, withTools } = await import('../../runtime/index.ts');
  let inspection: Inspection | undefined;
  await withRuntime(options, output, (runtime) => {
    const start = systemClock.monotonic();
    const toolsOf = inspectTools(runtime.plugins, resolve(options.workspace));
    // After the tool factories: what they did wrong belongs to the record.
    const record = findPlugin(runtime, id);
    const timings = sumTimings([record]);
    const totalMs = timings.loadMs + timings.registerMs + systemClock.monotonic() - start;
    inspection = {
      plugins: [withTools(record, record.status === 'loaded' ? toolsOf(id) : [])],
      diagnostics: record.diagnostics,
      timings: { ...timings, totalMs },
    };
    return Promise.resolve(exitCodes.ok);
  });
  if (inspection === undefined) throw new PincerError('plugin_unknown', `There is no plugin ${id}.`);
  return inspection;
}

/** @throws PincerError `settings_invalid` */
async function readSettings(text: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    const json = text.trimStart().startsWith('{') ? text : await readFile(resolve(text), 'utf8');
    const value: unknown = JSON.parse(json);
    if (isRecord(value)) return value;
  } catch (cause) {
    throw settingsInvalid(errorMessage(cause));
  }
  throw settingsInvalid('it is no object');
}

function settingsInvalid(why: string): PincerError {
  return new PincerError('settings_invalid', `--config is not usable: ${why}.`, {
    hint: `Give a JSON object, such as --config '{"key": "value"}', or a file that holds one.`,
  });
}

/** A page for people. `wasGranted`: conversation access was given for this look. */
function describeInspection({ plugins, diagnostics, timings }: Inspection, wasGranted: boolean): string {
  const shown = new Set(plugins.flatMap((plugin) => plugin.diagnostics.map(({ message }) => message)));
  const others = diagnostics.filter(({ message }) => !shown.has(message));
  const needsIt = plugins.some(({ asks, hookNames }) => asks?.conversation === true && hookNames.length > 0);
  return [
    ...plugins.map(describePlugin),
    ...others.map((each) => `${each.level}: ${inertMessage(describeDiagnostic(each))}\n`),
    ...(wasGranted && needsIt
      ? ['Conversation access was granted for this look; where it is installed, you decide.\n']
      : []),
    ...(plugins.length > 1 ? [`${String(plugins.length)} plugins, ${duration(timings.totalMs)}\n`] : []),
  ].join('\n');
}

function describePlugin(plugin: InspectedPlugin): string {
  const { id, version, status, reason, description, origin, source, tools, hooks, timings } = plugin;
  const lines = [
    `${inertLine(id, 100)}${version === undefined ? '' : ` ${inertLine(version, 40)}`}: ${status}${status === 'loaded' ? '' : ` (${inertFact(reason)})`}`,
    ...(description === undefined ? [] : [`  ${inertLine(description, 300)}`]),
    `  ${origin}, ${inertFact(source)}`,
    ...(timings === undefined
      ? []
      : [`  loaded in ${duration(timings.loadMs)}, registered in ${duration(timings.registerMs)}`]),
    ...describeDexto(plugin),
    ...section('Tools', tools.flatMap(describeTool)),
    ...section('Hooks', hooks.map(describeHook)),
    ...section(
      'Commands',
      plugin.commands.map((name) => `/${inertFact(name)}`),
    ),
    ...section('Services', plugin.services.map(inertFact)),
    ...section('Also registers', describeOthers(plugin)),
    ...section(
      'What its files show',
      describeCode(plugin.asks).map((line) => line.trim()),
    ),
    ...section('Registered, without an effect here', plugin.unused.map(inertFact)),
    ...section(
      'Problems',
      plugin.diagnostics.map((each) => inertFact(`${each.level}: ${describeDiagnostic(each)}`)),
    ),
  ];
  return `${lines.join('\n')}\n`;
}

/** Kinds that have a part of their own. */
const shownKinds: ReadonlySet<string> = new Set(['tool', 'hook', 'command', 'service']);

/** One line for each other kind that has an effect: `model provider: acme`. */
function describeOthers({ registrations, unused }: InspectedPlugin): readonly string[] {
  return Object.entries(registrations).flatMap(([kind, all]) => {
    const names = shownKinds.has(kind) ? [] : all.filter((name) => !unused.includes(`${kind} ${name}`));
    return names.length === 0 ? [] : [inertFact(`${kind}: ${names.join(', ')}`)];
  });
}

function describeDexto({ dexto }: InspectedPlugin): readonly string[] {
  if (dexto === undefined) return [];
  const { agentFile, priority, blocking, timeoutMs, dependsOn, points } = dexto;
  const limit = duration(timeoutMs);
  return [
    `  Dexto, named in ${inertFact(agentFile)}`,
    `  priority ${String(priority)}, ${blocking ? 'blocking' : 'not blocking'}, ${limit} at each point`,
    ...(dependsOn.length === 0 ? [] : [`  runs after ${inertFact(dependsOn.join(', '))}`]),
    ...section(
      'Extension points',
      points.map(
        ({ point, position, of, band }) => `${point}  ${String(position)} of ${String(of)}, ${band}`,
      ),
    ),
  ];
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [`  ${title}`, ...lines.map((line) => `    ${line}`)];
}

function describeTool({ name, description, parameters, optional }: InspectedTool): readonly string[] {
  const first = inertLine(description.split('\n')[0] ?? '', 160);
  const properties = isRecord(parameters['properties']) ? parameters['properties'] : {};
  const required = Array.isArray(parameters['required']) ? (parameters['required'] as unknown[]) : [];
  const names = Object.keys(properties).map((each) => (required.includes(each) ? each : `${each}?`));
  const call = inertFact(`${name}(${names.join(', ')})`);
  return [`${call}${optional ? ' [optional]' : ''}${first === '' ? '' : `  ${first}`}`];
}

function describeHook({ hook, priority, timeoutMs, position, of, only }: HookListing): string {
  const limit = timeoutMs === null ? 'no time limit' : duration(timeoutMs);
  const scope = only === undefined ? '' : inertFact(`only ${only.join(', ')}, `);
  return `${hook}  ${scope}${formatPriority(priority)}, ${limit}, ${String(position)} of ${String(of)}`;
}

function duration(ms: number): string {
  return ms < 10 ? `${ms.toFixed(1)} ms` : `${String(Math.round(ms))} ms`;
}
