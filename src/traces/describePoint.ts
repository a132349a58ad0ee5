import type { Said, TimelineIcon } from './describeTrace.ts';
import { because, describeChanges } from './phrases.ts';
import type { StepFacts } from './runTrace.ts';

type PointFacts = Extract<StepFacts, { kind: 'point' }>;

const icons: Readonly<Record<PointFacts['outcome'], TimelineIcon>> = {
  nothing: 'quiet',
  changed: 'change',
  blocked: 'block',
  ignored: 'quiet',
  declined: 'quiet',
  failed: 'error',
  'timed-out': 'error',
  cancelled: 'quiet',
};

/** What a Dexto plugin did at an extension point. Pure. */
export function describePoint(step: PointFacts): Said {
  const { text, details } = wordsOf(step);
  const notices = (step.notices ?? []).map(({ kind, code, message }) =>
    [kind, code, message].filter((part) => part !== undefined && part !== '').join(': '),
  );
  return {
    icon: icons[step.outcome],
    text: `${step.pluginId} · ${step.point} ${text}`,
    details: [...details, ...notices],
  };
}

function wordsOf(step: PointFacts): { readonly text: string; readonly details: readonly string[] } {
  const plain = (text: string) => ({ text, details: [] });
  switch (step.outcome) {
    case 'nothing':
      return plain('let it pass');
    case 'changed':
      return describeChanges(step.changes ?? []);
    case 'blocked':
      return plain(`blocked it${because(step.message)}`);
    case 'ignored':
      return plain('wanted to block it, but is not blocking');
    case 'declined':
      return plain(`said that it is not ok, and stopped nothing${because(step.message)}`);
    case 'failed':
      return plain(`failed${because(step.error)}`);
    case 'timed-out':
      return plain('took too long');
    case 'cancelled':
      return plain('was cancelled');
  }
}
