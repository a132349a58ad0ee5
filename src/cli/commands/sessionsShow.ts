import { truncate } from '../../base/text.ts';
import type { AgentMessage } from '../../contracts/message.ts';
import { isSaid } from '../../sessions/isSaid.ts';
import type { Session } from '../../sessions/session.ts';
import { sessionUnknown } from '../../sessions/sessionErrors.ts';
import type { SessionSummary } from '../../sessions/sessionStore.ts';
import { exitCodes, type ExitCode } from '../exitCodes.ts';
import { inertFact } from '../inert.ts';
import { toJson, toTable, type Output } from '../output.ts';
import { withRuntime, type CliOptions } from '../withRuntime.ts';
import { findSummary } from './findSummary.ts';
import { timeText, titleText } from './sessionsList.ts';

const lastMessages = 10;
const maxLine = 200;
const speakers = { user: 'User', assistant: 'Assistant', toolResult: 'Tool' } as const;

/** `pincer sessions show`: what a conversation is, and what was said last. @throws PincerError `session_unknown`, `session_ambiguous` */
export async function runSessionsShow(options: CliOptions, id: string, output: Output): Promise<ExitCode> {
  return await withRuntime(options, output, async (runtime) => {
    const summary = await findSummary(runtime.conversations, id);
    const session = await runtime.conversations.sessions.open(summary.id);
    if (session === undefined) throw sessionUnknown(id);
    showSession(summary, session, options, output);
    return exitCodes.ok;
  });
}

export function showSession(
  summary: SessionSummary,
  session: Session,
  { json }: Pick<CliOptions, 'json'>,
  output: Output,
): void {
  const { file, header } = session;
  const messages = session.messages();
  if (json === true) {
    output.out(toJson({ session: summary, file, settings: session.settings(), messages }));
    return;
  }
  const settings = Object.entries(session.settings()).map(([name, value]) => `${name} ${String(value)}`);
  output.out(
    toTable([
      ['Session', summary.id],
      ['Title', titleText(summary)],
      ['Key', summary.key],
      ['Agent', summary.agentId],
      ['Began', timeText(summary.createdAt)],
      ['Last', timeText(summary.updatedAt)],
      ['Messages', countText(summary.messageCount, messages.filter(isSaid).length)],
      ...(settings.length === 0 ? [] : [['Settings', settings.join(', ')]]),
      ...(header.parent === undefined ? [] : [['Comes from', header.parent.sessionId]]),
      ['File', file],
    ]),
  );
  const last = messages.slice(-lastMessages);
  if (last.length > 0) output.out('\n');
  for (const message of last) output.out(`${lineOf(message)}\n`);
}

/** After a compaction the model reads less than is stored. */
function countText(stored: number, read: number): string {
  return read < stored ? `${stored}; the model reads ${read}` : String(stored);
}

function lineOf(message: AgentMessage): string {
  const text = message.content
    .map((part) => {
      if (part.type === 'text') return part.text;
      if (part.type === 'toolCall') return `[calls ${part.name}]`;
      return part.type === 'image' ? '[image]' : '';
    })
    .join(' ');
  return truncate(inertFact(`${speakers[message.role]}: ${text}`), maxLine);
}
