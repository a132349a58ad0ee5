import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { errorMessage } from '../../base/errors.ts';
import type { Log } from '../../host/ports.ts';
import type * as hostFunctions from '../../sdk/hostFunctions.ts';
import type { AgentEvent, PluginCommandRunResult } from '../../sdk/hostFunctions.ts';
import type { SubsystemLogger } from '../../sdk/types.ts';
import { runCommand, type RunCommand } from './runtime/runCommand.ts';

type HostFunctions = typeof hostFunctions;

export interface HostFunctionParts {
  readonly pluginId: string;
  readonly log: Log;
  /** Takes the secrets of the plugin's settings out of what it logs; default: it has none. */
  readonly redact?: (text: string) => string;
  /** A folder of the plugin's own; made when it is asked for. */
  readonly stateDir: string;
  readonly run?: RunCommand;
}

/** The SDK functions that need the host, for one load of one plugin. Nothing of them outlives that load. */
export function createHostFunctions(parts: HostFunctionParts): HostFunctions {
  const { pluginId, stateDir, run = runCommand } = parts;
  const log = redactedLog(parts);
  const listeners = new Set<(event: AgentEvent) => void>();
  return {
    createSubsystemLogger: (subsystem) => createSubsystemLogger(log, pluginId, subsystem),
    resolveStateDir: () => made(stateDir),
    resolvePreferredOpenClawTmpDir: () => made(join(stateDir, 'tmp')),
    runPluginCommandWithTimeout: (options) => runQuietly(run, options),
    onDiagnosticEvent() {
      log.write('warn', `[${pluginId}] onDiagnosticEvent: nothing here sends diagnostic events yet.`);
      return () => undefined;
    },
    emitAgentEvent(event) {
      for (const listener of [...listeners]) listener(event);
    },
    onAgentEvent(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

function made(folder: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}

async function runQuietly(
  run: RunCommand,
  { argv, timeoutMs, ...rest }: hostFunctions.PluginCommandRunOptions,
): Promise<PluginCommandRunResult> {
  if (argv[0] === undefined || argv[0] === '') return { code: 1, stdout: '', stderr: 'command is required' };
  try {
    const { code, stdout, stderr, termination } = await run(argv, { timeoutMs, ...rest });
    const late = termination === 'timeout' && stderr === '';
    return { code: code ?? 1, stdout, stderr: late ? `command timed out after ${timeoutMs}ms` : stderr };
  } catch (error) {
    return { code: 1, stdout: '', stderr: errorMessage(error) };
  }
}

function redactedLog({ log, redact }: HostFunctionParts): Log {
  return redact === undefined
    ? log
    : { write: (level, message, by) => log.write(level, redact(message), by) };
}

function createSubsystemLogger(log: Log, pluginId: string, subsystem: string): SubsystemLogger {
  const at =
    (level: 'debug' | 'info' | 'warn' | 'error') =>
    (message: string, meta?: Readonly<Record<string, unknown>>): void => {
      const more = meta === undefined ? '' : ` ${errorMessage(meta)}`;
      log.write(level, `[${pluginId}] ${subsystem}: ${errorMessage(message)}${more}`, pluginId);
    };
  return {
    subsystem,
    isEnabled: () => true,
    trace: at('debug'),
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    fatal: at('error'),
    raw: at('info'),
    child: (name) => createSubsystemLogger(log, pluginId, `${subsystem}/${name}`),
  };
}
