import type { Diagnostic } from '../../contracts/diagnostic.ts';
import type { Generation } from './generation.ts';
import type { DextoFailure } from './loadTypes.ts';
import type { AgentFileSurvey } from './surveyAgentFile.ts';
import { dextoIdPrefix } from '../../plugins/pluginTypes.ts';
import { diagnosticsOf, type DextoRow } from './toDextoRecord.ts';

/** What is known after a load, for lists and problems. */
export interface LoadReport {
  /** Those that run first, in their order. */
  readonly rows: readonly DextoRow[];
  /** What belongs to no row. */
  readonly diagnostics: readonly Diagnostic[];
  /** Why nothing runs although something should. */
  readonly problem?: Diagnostic;
}

export const emptyLoadReport: LoadReport = { rows: [], diagnostics: [] };

/** Stands for the agent file in remedies; `reload` takes it like the id of a plugin. */
export const agentFileId = `${dextoIdPrefix}agent`;

/** What there is to show of a survey, of what runs after it, and of what failed on the way. Pure. */
export function planLoadReport(
  survey: AgentFileSurvey,
  current: Generation | undefined,
  found: readonly DextoFailure[],
): LoadReport {
  if (survey.kind === 'none') return emptyLoadReport;
  const retry = (diagnostic: Diagnostic): Diagnostic => withRetry(diagnostic, agentFileId);
  if (survey.kind === 'broken') {
    const { problem, diagnostics } = survey;
    return { rows: [], diagnostics: diagnostics.map(retry), problem: retry(problem) };
  }
  const failures = found.map((each) => ({ ...each, diagnostic: retry(each.diagnostic) }));
  const rows = rowsOf(survey, current, failures);
  const owned = new Set(rows.map(({ failure }) => failure));
  const problem = survey.problem ?? failures[0]?.diagnostic;
  return {
    rows,
    diagnostics: [
      ...survey.diagnostics.map(retry),
      ...failures.filter((each) => !owned.has(each)).map(({ diagnostic }) => diagnostic),
    ],
    ...(current === undefined && problem !== undefined ? { problem: retry(problem) } : {}),
  };
}

/** Every diagnostic of it. Pure. */
export function diagnosticsIn({ rows, diagnostics }: LoadReport): readonly Diagnostic[] {
  return [...diagnostics, ...rows.flatMap(diagnosticsOf)];
}

function rowsOf(
  { plans, file }: Extract<AgentFileSurvey, { kind: 'read' }>,
  current: Generation | undefined,
  failures: readonly DextoFailure[],
): readonly DextoRow[] {
  const order = current?.plugins ?? [];
  const [first] = failures;
  const rows = plans.map((plan): DextoRow => {
    const running = order.find((each) => each.plan.id === plan.id);
    const failure = failures.find(({ diagnostic }) => diagnostic.pluginId === plan.id);
    const isHeldUp = plan.enablement.enabled && failure === undefined && first !== undefined;
    return {
      plan,
      agentFile: file.path,
      ...(running === undefined ? {} : { running }),
      ...(failure === undefined ? {} : { failure }),
      ...(isHeldUp ? { heldUp: `not loaded: ${first.message}` } : {}),
    };
  });
  const left = order.filter(({ plan }) => plans.every(({ id }) => id !== plan.id));
  const gone = left.map((running): DextoRow => ({
    plan: running.plan,
    agentFile: file.path,
    running,
    isLeft: true,
  }));
  const place = ({ running }: DextoRow): number =>
    running === undefined ? order.length : order.indexOf(running);
  return [...rows, ...gone].sort((a, b) => place(a) - place(b));
}

/** Every error can be tried again once its cause is gone. */
function withRetry(diagnostic: Diagnostic, fallbackId: string): Diagnostic {
  const { level, pluginId = fallbackId, fixes = [] } = diagnostic;
  if (level !== 'error' || fixes.some(({ kind }) => kind === 'reload-plugin')) return diagnostic;
  return { ...diagnostic, fixes: [...fixes, { kind: 'reload-plugin', pluginId }] };
}
