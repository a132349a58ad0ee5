import { describeDiagnostic } from '../base/describeDiagnostic.ts';
import type { Diagnostic } from '../contracts/diagnostic.ts';
import type { Log, LogLevel } from '../host/ports.ts';
import { inertMessage } from './inert.ts';
import type { Output } from './output.ts';

/** Says what goes wrong on standard error, each thing once. */
export interface ProblemReport {
  /** For the host: errors wait for `close`, since most are said before as what they are. What plugins warn of is said at once. */
  readonly log: Log;
  /** Says those that were not said yet. */
  show(diagnostics: readonly Diagnostic[]): void;
  /** The front end has said this itself. */
  said(message: string): void;
  /** Says the errors that stand in the log alone. */
  close(): void;
}

/** `isVerbose` writes every line of the log as it comes. */
export function createProblemReport(output: Output, isVerbose: boolean): ProblemReport {
  const messages = new Set<string>();
  const shown = new Set<string>();
  const held: string[] = [];
  const say = (level: LogLevel, text: string): void => {
    if (!shown.has(text)) output.err(`${level}: ${inertMessage(text)}\n`);
    shown.add(text);
  };
  return {
    log: {
      write(level, message, by) {
        if (isVerbose) output.err(`${level}: ${inertMessage(message)}\n`);
        else if (level === 'error') held.push(message);
        else if (level === 'warn' && by !== undefined) say(level, message);
      },
    },
    show(diagnostics) {
      for (const diagnostic of diagnostics) {
        say(diagnostic.level, describeDiagnostic(diagnostic));
        messages.add(diagnostic.message);
      }
    },
    said: (message) => void messages.add(message),
    close() {
      const isSaid = (line: string): boolean => [...messages].some((message) => line.includes(message));
      for (const line of held.splice(0)) if (!isSaid(line)) say('error', line);
    },
  };
}

/** What of a plugin the user should hear of whenever it loads, and what comes up only while it runs. */
const newsOfPlugins: ReadonlySet<string> = new Set([
  'plugin_first_run',
  'plugin_cleanup_failed',
  'plugin_registration_unused',
  'plugin_method_unsupported',
  'plugin_hook_unknown',
  'plugin_hook_option_unused',
  'plugin_hook_option_invalid',
  'dexto_modify_refused',
  'hook_unknown_field',
  'hook_result_ignored',
  'hook_returned_promise',
]);

/** What a user should hear of, whatever they asked for; the other oddities of plugins stand in `plugins list`. */
export function isNews({ level, code, pluginId }: Diagnostic): boolean {
  return level === 'error' || newsOfPlugins.has(code) || (level === 'warn' && pluginId === undefined);
}
