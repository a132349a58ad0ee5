import { z } from 'zod';
import { plural } from '../../base/text.ts';
import type { AgentTool } from '../../contracts/tool.ts';
import type { FileProblem, ProblemSource } from '../problemSource.ts';
import { createCoreTool, textResult, type CoreToolDeps } from './coreTool.ts';
import { joinWithin } from './joinWithin.ts';
import { requirePath, requireSamePath } from './requirePath.ts';

const schema = z.strictObject({
  path: z.string().describe('File whose problems are wanted, relative to the workspace.'),
  severity: z
    .enum(['error', 'warning', 'info', 'hint'])
    .optional()
    .describe('The mildest that is shown. Default warning.'),
});

const severities = ['error', 'warning', 'info', 'hint'] as const;

/** `diagnostics`: what the editor's language services find wrong with a file. Unavailable without an editor. */
export function createDiagnosticsTool(deps: CoreToolDeps, problems: ProblemSource | undefined): AgentTool {
  const tool = createCoreTool(
    {
      name: 'diagnostics',
      label: 'Problems',
      description:
        "Gives the errors and warnings that the editor's language services show for a file. An edit reports the new ones by itself.",
      schema,
      mayWrite: false,
      paths: ({ path }) => [path],
      prepare: async ({ path, severity = 'warning' }) => {
        const file = await requirePath(deps, path, 'read');
        return {
          effects: [{ kind: 'read', path: file.path }],
          run: async () => {
            await requireSamePath(deps, file);
            const found = (await problems?.problemsOf(file.path)) ?? [];
            const wanted = found.filter(
              (each) => severities.indexOf(each.severity) <= severities.indexOf(severity),
            );
            const lines = wanted.sort((a, b) => a.line - b.line).map((each) => problemLine(file.label, each));
            const { text, count } = joinWithin(lines, deps.maxResultChars - 200);
            const rest = lines.length - count;
            const milder = found.length - wanted.length;
            return textResult(
              [
                lines.length === 0 ? `${file.label} has no problem of this severity.` : text,
                ...(rest > 0 ? [`[${rest} more. Ask for severity error only.]`] : []),
                ...(milder > 0 ? [`[${plural(milder, 'milder problem')} not shown.]`] : []),
              ].join('\n'),
              { path: file.label, count: wanted.length },
            );
          },
        };
      },
    },
    deps.layout,
  );
  const why = 'only an editor knows the problems of a file';
  return { ...tool, unavailable: () => (problems === undefined ? why : undefined) };
}

/** `src/a.ts:3: error: text (ts)` */
function problemLine(label: string, { line, severity, message, source }: FileProblem): string {
  const by = source === undefined ? '' : ` (${source})`;
  return `${label}:${line}: ${severity}: ${message.replaceAll(/\s+/gu, ' ')}${by}`;
}
