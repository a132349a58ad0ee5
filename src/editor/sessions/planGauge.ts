import type { ContextUse } from '../../contracts/usage.ts';

export interface Gauge {
  /** `34%`, `~34%` where it is estimated. */
  readonly text: string;
  /** `near` where the next turns will have the conversation shortened, `full` where the window itself is nearly used up. */
  readonly level: 'normal' | 'near' | 'full';
}

/** From this part of the compaction point on it is near. */
const nearPart = 0.9;
/** From this part of the window on it is full. */
const fullPart = 0.95;

/** How full the window is, for a narrow place. Pure. */
export function planGauge({ tokens, window, compactAt, isEstimated }: ContextUse): Gauge {
  const part = window > 0 ? tokens / window : 0;
  const percent = tokens > 0 ? Math.max(1, Math.round(part * 100)) : 0;
  const isNear = compactAt > 0 && tokens >= compactAt * nearPart;
  return {
    text: `${isEstimated ? '~' : ''}${String(percent)}%`,
    level: part >= fullPart ? 'full' : isNear ? 'near' : 'normal',
  };
}
