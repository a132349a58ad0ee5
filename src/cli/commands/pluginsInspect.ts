import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { errorMessage, PincerError } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import { systemClock } from '../../host/node/systemClock.ts';
import type { Log } from '../../host/ports.ts';
import type { Inspection } from '../../plugins/inspect/inspectPlugins.ts';
import { exitCodes, type ExitCode } from '../exitCodes.ts';
import { inertMessage } from '../inert.ts';
import { keepStdoutClean } from '../keepStdoutClean.ts';
import { toJson, type Output } from '../output.ts';
import { withRuntime, type CliOptions } from '../withRuntime.ts';
import { findPlugin } from './pluginsFind.ts';
import { describeInspection } from './pluginsInspectText.ts';

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
