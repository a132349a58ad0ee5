/** A line of Playwright's trace, as far as it is read: what was asked of the page, and how that ended. */
type TraceLine =
  | {
      readonly type: 'before';
      readonly callId: string;
      readonly startTime: number;
      readonly class?: string;
      readonly method?: string;
      readonly params?: {
        readonly selector?: string;
        readonly url?: string;
        readonly key?: string;
        readonly text?: string;
      };
    }
  | { readonly type: 'after'; readonly callId: string; readonly endTime: number; readonly error?: unknown }
  | { readonly type: 'other' };

interface Step {
  readonly what: string;
  readonly start: number;
  readonly end: number;
  readonly times: number;
}

/**
 * What a test did and waited for, one line each, in order: the second in which it began, how long it took, what it was and of what.
 * The same look at the same thing again and again is one line with its count: a wait for a state. Pure.
 */
export function describeTrace(trace: string): string {
  const lines = trace
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as TraceLine);
  const ends = new Map(
    lines.flatMap((line) => (line.type === 'after' ? [[line.callId, line] as const] : [])),
  );
  const first = lines.find((line) => line.type === 'before')?.startTime ?? 0;
  const steps: Step[] = [];
  for (const line of lines) {
    if (line.type !== 'before') continue;
    const after = ends.get(line.callId);
    const { selector, url, key, text } = line.params ?? {};
    const failed = after === undefined ? ' (never ended)' : after.error === undefined ? '' : ' (failed)';
    const what =
      `${line.class ?? ''}.${line.method ?? ''} ${selector ?? url ?? key ?? text ?? ''}${failed}`.trim();
    const end = after?.endTime ?? line.startTime;
    // A poll looks at two or three things in turn.
    const same = steps.slice(-3).findIndex((step) => step.what === what);
    const at = same === -1 ? -1 : Math.max(0, steps.length - 3) + same;
    const before = steps[at];
    if (before === undefined) steps.push({ what, start: line.startTime, end, times: 1 });
    else steps[at] = { ...before, end, times: before.times + 1 };
  }
  return steps.map((step) => describeStep(step, first)).join('\n');
}

function describeStep({ what, start, end, times }: Step, first: number): string {
  const seconds = (ms: number): string => (ms / 1000).toFixed(2).padStart(7);
  return `${seconds(start - first)} s +${seconds(end - start)} s  ${what}${times === 1 ? '' : ` ×${times}`}`;
}
