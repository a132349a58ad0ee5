// Threat: a report outlives its turn, so it must not hold what is to be forgotten. It is kept only for turns whose text passed
// every gate, in memory alone, and goes with its session.
import type { PromptReport } from '../../contracts/promptReport.ts';

/** The last prompt of each session. */
export interface PromptReports {
  /** For a turn that no gate stopped. */
  keep(report: PromptReport): void;
  /** The server has counted the whole request; nothing where the run's report is no longer the last. */
  noteCounted(runId: string, tokens: number): void;
  last(sessionId: string): PromptReport | undefined;
  forget(sessionId: string): void;
}

const maxSessions = 50;

export function createPromptReports(): PromptReports {
  const reports = new Map<string, PromptReport>();
  const keep = (report: PromptReport): void => {
    reports.delete(report.sessionId);
    reports.set(report.sessionId, report);
    const [oldest] = reports.keys();
    if (reports.size > maxSessions && oldest !== undefined) reports.delete(oldest);
  };
  return {
    keep,
    noteCounted(runId, tokens) {
      for (const report of reports.values())
        if (report.runId === runId && report.countedTokens === undefined)
          reports.set(report.sessionId, { ...report, countedTokens: tokens });
    },
    last: (sessionId) => reports.get(sessionId),
    forget: (sessionId) => void reports.delete(sessionId),
  };
}
