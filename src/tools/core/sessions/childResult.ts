import { plural } from '../../../base/text.ts';
import type { ToolResult } from '../../../contracts/tool.ts';
import type { ChildResult, ChildRow } from './agentSessions.ts';

/** What a started agent has brought, as the result of the call that waited for it. Pure. */
export function childResult(row: ChildRow, result: ChildResult): ToolResult {
  const { status, text, error, durationMs, calls, tokens } = result;
  const used = tokens === undefined ? '' : `, ${tokens} tokens`;
  const facts = `[Agent "${row.label}" (${row.agentId}), session ${row.sessionId}: ${plural(calls, 'tool call')}${used}, ${Math.round(durationMs / 1_000)} s.]`;
  const said = text === '' ? '' : `${text}\n\n`;
  const details = {
    status,
    sessionId: row.sessionId,
    childSessionKey: row.sessionKey,
    runId: row.runId,
    agentId: row.agentId,
    label: row.label,
    durationMs,
    calls,
    ...(tokens === undefined ? {} : { tokens }),
    ...(error === undefined ? {} : { error }),
  };
  if (status === 'ok')
    return {
      content: [{ type: 'text', text: `${text === '' ? 'It said nothing.\n\n' : said}${facts}` }],
      details,
    };
  const last = text === '' ? '' : `What it said last:\n\n${said}`;
  const why = `The started agent "${row.label}" gave no result. ${error ?? ''}`.trim();
  return { content: [{ type: 'text', text: `${why}\n\n${last}${facts}` }], details, isError: true };
}
