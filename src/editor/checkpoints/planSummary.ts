import type { RestoreItem, RestorePlan } from '../../checkpoints/checkpoints.ts';

/** What a restore would do to the files, as the question to the user says it. */
export interface RestoreSummary {
  /** Labels. */
  readonly restored: readonly string[];
  readonly deleted: readonly string[];
  /** Those of `restored` and `deleted` in which later changes of the user's own are lost. */
  readonly overwritten: readonly string[];
  /** Stay as they are, since the user did not want them overwritten. */
  readonly kept: readonly string[];
  /** Can't be restored, and why. */
  readonly refused: readonly { readonly label: string; readonly reason: string }[];
}

/** The files that only the user can decide about. Pure. */
export function findConflicts(plan: RestorePlan): readonly RestoreItem[] {
  return plan.items.filter(({ obstacle }) => obstacle !== undefined && obstacle.kind !== 'refused');
}

/** Pure. `overwrite` holds paths. */
export function summarizePlan(plan: RestorePlan, overwrite: ReadonlySet<string>): RestoreSummary {
  const conflicts = findConflicts(plan);
  const kept = conflicts.filter((item) => !overwrite.has(item.path));
  const done = plan.items.filter((item) => item.obstacle?.kind !== 'refused' && !kept.includes(item));
  return {
    restored: labels(done.filter((item) => item.action === 'restore')),
    deleted: labels(done.filter((item) => item.action === 'delete')),
    overwritten: labels(done.filter((item) => conflicts.includes(item))),
    kept: labels(kept),
    refused: plan.items.flatMap(({ label, obstacle }) =>
      obstacle?.kind === 'refused' ? [{ label, reason: obstacle.reason }] : [],
    ),
  };
}

function labels(items: readonly RestoreItem[]): readonly string[] {
  return items.map((item) => item.label);
}

/** The first of a list and how many more there are; undefined where it is empty. Pure. */
export function shortList(names: readonly string[], max = 8): string | undefined {
  if (names.length === 0) return undefined;
  const more = names.length - max;
  return more > 0 ? `${names.slice(0, max).join(', ')} … +${String(more)}` : names.join(', ');
}
