import { inertLine } from '../../base/text.ts';
import { describeTrace, type TimelineLine } from '../../traces/describeTrace.ts';
import type { RunTrace, TraceLine, TraceStatus } from '../../traces/runTrace.ts';

/** What the user looks at. */
export interface RunChoice {
  /** Absent: the newest run, whichever that is. */
  readonly runId?: string;
  /** Absent: all plugins. */
  readonly pluginId?: string;
}

/** What the page shows; every text is shown literally. */
export interface RunView {
  readonly runs: readonly { readonly id: string; readonly label: string }[];
  readonly runId: string;
  readonly plugins: readonly string[];
  readonly pluginId: string;
  readonly status: TraceStatus | 'none';
  readonly lines: readonly TimelineLine[];
}

const maxRuns = 50;

/** The page for these traces, newest first. A chosen run that is gone counts as none chosen. Pure. */
export function planRunView(
  traces: readonly RunTrace[],
  choice: RunChoice,
  formatTime: (time: number) => string,
): RunView {
  const runs = traces
    .slice(0, maxRuns)
    .map((trace) => ({ id: trace.runId, label: runLabel(trace, formatTime) }));
  const trace = traces.find(({ runId }) => runId === choice.runId) ?? traces[0];
  if (trace === undefined)
    return { runs: [], runId: '', plugins: [], pluginId: '', status: 'none', lines: [] };
  const plugins = [...new Set(trace.lines.flatMap(pluginsOf))].sort();
  const pluginId = plugins.find((id) => id === choice.pluginId) ?? '';
  const lines =
    pluginId === '' ? trace.lines : trace.lines.filter((line) => pluginsOf(line).includes(pluginId));
  return {
    runs,
    runId: trace === traces[0] && choice.runId === undefined ? '' : trace.runId,
    plugins,
    pluginId,
    status: trace.status,
    lines: describeTrace({ ...trace, lines }),
  };
}

/** Whom a line is about: its handler, its policy, or who asked for an approval. */
function pluginsOf(line: TraceLine): readonly string[] {
  switch (line.kind) {
    case 'hook':
    case 'point':
      return [line.pluginId];
    case 'policy':
      return line.pluginId === undefined ? [] : [line.pluginId];
    case 'approval':
      return line.askers.filter((asker) => asker !== 'host');
    default:
      return [];
  }
}

function runLabel(trace: RunTrace, formatTime: (time: number) => string): string {
  const tools = trace.lines.flatMap((line) =>
    line.kind === 'tool' && line.stage === 'execute' ? [line.toolName] : [],
  );
  const what = [...new Set(tools)].slice(0, 3).join(', ');
  return inertLine(
    [formatTime(trace.startedAt), trace.status, ...(what === '' ? [] : [what])].join(' · '),
    100,
  );
}
