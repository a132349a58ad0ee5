import type { PointFacts, PointStep } from '../dexto/pointFacts.ts';
import type { ExtensionPoint } from '../dexto/pluginTypes.ts';
import type { FieldChange } from '../hooks/hookTrace.ts';
import type { RunStep } from './runTrace.ts';

/** The points where plugins see the conversation: where one stopped it, what the others said of it may quote it, too. */
const confidentialPoints: readonly ExtensionPoint[] = ['beforeLLMRequest', 'beforeResponse'];

/** Those of them where a plugin stopped the turn or its answer, whether it wanted to or failed. Pure. */
export function stoppedPoints(steps: readonly RunStep[]): ReadonlySet<ExtensionPoint> {
  return new Set(
    steps
      .filter((step): step is PointStep => step.kind === 'point' && hasStopped(step))
      .map(({ point }) => point)
      .filter((point) => confidentialPoints.includes(point)),
  );
}

/** True where a blocking plugin stopped the operation by its word or by a fault of its own. */
export function hasStopped({ outcome, blocking }: Pick<PointFacts, 'outcome' | 'blocking'>): boolean {
  return outcome === 'blocked' || (blocking && (outcome === 'failed' || outcome === 'timed-out'));
}

interface Inerting {
  readonly text: (text: string) => string;
  readonly change: (change: FieldChange) => FieldChange;
  /** Nothing is left of the words that were used at this point. */
  readonly isSilent: boolean;
}

/** The facts as anybody may read them. Pure. */
export function inertPoint(facts: PointFacts, { text, change, isSilent }: Inerting): PointFacts {
  const { message, error, changes, notices, ...rest } = facts;
  const { pluginId, toolName } = facts;
  return {
    ...rest,
    pluginId: text(pluginId),
    ...(toolName === undefined ? {} : { toolName: text(toolName) }),
    ...(message === undefined || isSilent ? {} : { message: text(message) }),
    ...(error === undefined || isSilent ? {} : { error: text(error) }),
    ...(changes === undefined ? {} : { changes: changes.map(change) }),
    ...(notices === undefined
      ? {}
      : {
          notices: notices.map(({ kind, code, message: words }) => ({
            kind: text(kind),
            ...(code === undefined ? {} : { code: text(code) }),
            message: isSilent ? '' : text(words),
          })),
        }),
  };
}
