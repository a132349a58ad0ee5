import { errorMessage } from '../base/errors.ts';
import type { Diagnostic } from '../contracts/diagnostic.ts';
import type { HookName } from './hookMap.ts';
import type { FiringName } from './hookTypes.ts';
import { hookCatalog } from './hookCatalog.ts';

/** The diagnostics of the runner. Each names plugin and hook; wording follows upstream where it has a text. */

interface Source {
  readonly hook: FiringName;
  readonly pluginId: string;
}

export function handlerFailed({ hook, pluginId }: Source, error: unknown): Diagnostic {
  const text =
    hookCatalog[hook].confidential === true
      ? '; its error text is not shown because it may quote the user'
      : `: ${errorMessage(error)}`;
  return {
    level: 'error',
    code: 'hook_failed',
    pluginId,
    message: `[hooks] ${hook} handler from ${pluginId} failed${text}`,
  };
}

export function handlerTimedOut({ hook, pluginId }: Source, timeoutMs: number): Diagnostic {
  return {
    level: 'error',
    code: 'hook_timed_out',
    pluginId,
    message: `[hooks] ${hook} handler from ${pluginId} failed: timed out after ${timeoutMs}ms`,
    hint: `Give it more time with plugins.entries.${pluginId}.hooks.timeouts.${hook}.`,
  };
}

export function invalidResult({ hook, pluginId }: Source, why: string): Diagnostic {
  return {
    level: 'error',
    code: 'hook_invalid_result',
    pluginId,
    message: `[hooks] ${hook} handler from ${pluginId} failed: invalid result: ${why}`,
  };
}

export function unknownFields({ hook, pluginId }: Source, fields: readonly string[]): Diagnostic {
  const known = hookCatalog[hook].returns.join(', ');
  return {
    level: 'warn',
    code: 'hook_unknown_field',
    pluginId,
    message: `[hooks] ${hook} handler from ${pluginId} returned ${fields.join(', ')}; this has no effect`,
    hint: `${hook} reads ${known}.`,
  };
}

export function observerReturned({ hook, pluginId }: Source, useInstead: HookName): Diagnostic {
  return {
    level: 'warn',
    code: 'hook_result_ignored',
    pluginId,
    message: `[hooks] ${hook} handler from ${pluginId} returned a result; this hook only observes and the result was ignored.`,
    hint: `Use ${useInstead} to change it.`,
  };
}

export function returnedPromise({ hook, pluginId }: Source): Diagnostic {
  return {
    level: 'warn',
    code: 'hook_returned_promise',
    pluginId,
    message: `[hooks] ${hook} handler from ${pluginId} returned a Promise; this hook is synchronous and the result was ignored.`,
  };
}
