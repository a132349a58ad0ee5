import { plural } from '../../base/text.ts';
import type { MemoryProgress, VectorState } from '../../memory/memory.ts';

const phases: Readonly<Record<MemoryProgress['phase'], { readonly doing: string; readonly what: string }>> = {
  scan: { doing: 'Scanning files', what: 'file' },
  index: { doing: 'Reading', what: 'file' },
  embed: { doing: 'Embedding', what: 'passage' },
};

/** `Reading 120 of 1000 files`. */
export function progressText({ phase, done, total }: MemoryProgress): string {
  const { doing, what } = phases[phase];
  if (phase === 'scan') return done === 0 ? doing : `${doing}: ${String(done)}`;
  return total === undefined
    ? `${doing} ${plural(done, what)}`
    : `${doing} ${done} of ${plural(total, what)}`;
}

/** Whether meaning is compared, and by what or why not. */
export function vectorText({ state, provider, model, reason, embedded, total }: VectorState): string {
  const by = [provider, model].filter((each) => each !== undefined).join(', ');
  const reasons = [reason].filter((each) => each !== undefined);
  if (state === 'on') return [`on: ${by}; ${embedded} of ${plural(total, 'passage')}`, ...reasons].join('; ');
  return [state, by, ...reasons].filter((each) => each !== '').join(': ');
}

/** `120 ms`, `3.4 s`. */
export function durationText(ms: number): string {
  return ms < 1_000 ? `${ms.toFixed(0)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}
