import type { OperatorHookRecord } from '../../plugins/operatorHooks/operatorHookTypes.ts';

/** False where something else than the hook's own switch keeps it off: trust, what it needs, a hook of the same name. */
export function canEnableHook({ status, disabledBy, needsConsent }: OperatorHookRecord): boolean {
  if (status !== 'disabled') return false;
  return needsConsent !== undefined || disabledBy === 'entry' || disabledBy === 'default';
}

/** True where the version that the user allowed still runs, and its files have changed since. */
export function hasChangedHook({ status, needsConsent }: OperatorHookRecord): boolean {
  return status !== 'disabled' && needsConsent !== undefined;
}

/** Names what the context menu may offer on an operator hook, as `hook.<state>` and a flag. */
export function hookContext(hook: OperatorHookRecord): string {
  const state = hook.status === 'disabled' && !canEnableHook(hook) ? 'fixed' : hook.status;
  return `hook.${state}${hasChangedHook(hook) ? '.changed' : ''}`;
}
