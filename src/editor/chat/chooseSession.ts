import * as vscode from 'vscode';
import { PincerError } from '../../base/errors.ts';
import type { AgentEntry } from '../../config/sections/agentsSection.ts';
import type { Runtime } from '../../runtime/index.ts';
import type { Session } from '../../sessions/session.ts';
import { chatIdFor } from '../../sessions/sessionKey.ts';
import { openContinued } from '../checkpoints/continueFork.ts';
import { matchSession, wordsFor } from '../sessions/matchSession.ts';
import { openSession } from '../sessions/openSession.ts';
import { namedSummaries } from '../sessions/resumeSession.ts';
import type { CommandWords } from './readCommand.ts';

/**
 * The session that a request belongs to: one that the command names or begins, else the one of the chat, else a new one.
 * @throws PincerError `session_unknown`, `session_ambiguous`
 */
export async function chooseSession(
  runtime: Pick<Runtime, 'conversations'>,
  { command, prompt }: CommandWords,
  previous: Session | undefined,
): Promise<Session> {
  switch (command) {
    case 'continue':
      return await openContinued(runtime, prompt);
    case 'resume':
      return prompt.trim() === '' ? keep(runtime, previous) : await openNamed(runtime, prompt);
    case 'new':
    case 'reset':
      return begin(runtime, previous?.agentId, previous?.key);
    case 'agent': {
      const agent = findAgent(runtime, prompt);
      return agent === undefined ? keep(runtime, previous) : begin(runtime, agent.id);
    }
    default:
      return keep(runtime, previous);
  }
}

/** The agent with this id or name; case does not count. */
export function findAgent(
  { conversations }: Pick<Runtime, 'conversations'>,
  said: string,
): AgentEntry | undefined {
  const wanted = said.trim().toLowerCase();
  const agents = conversations.agents();
  return agents.find(({ id }) => id === wanted) ?? agents.find(({ name }) => name.toLowerCase() === wanted);
}

function keep(runtime: Pick<Runtime, 'conversations'>, previous: Session | undefined): Session {
  return previous ?? runtime.conversations.create();
}

/** `key`: of the session in whose place it comes. A chat that goes on with another agent gets another one. */
export function begin(
  runtime: Pick<Runtime, 'conversations'>,
  agentId: string | undefined,
  key?: string,
): Session {
  const { conversations } = runtime;
  if (agentId === undefined || !conversations.agents().some(({ id }) => id === agentId))
    return conversations.create();
  return conversations.create(agentId, key === undefined ? undefined : chatIdFor(agentId, key));
}

async function openNamed(runtime: Pick<Runtime, 'conversations'>, said: string): Promise<Session> {
  const summaries = await namedSummaries(runtime);
  const match = matchSession(summaries, said);
  if (match.kind === 'one') return await openSession(runtime, match.id);
  if (match.kind === 'none') {
    throw new PincerError('session_unknown', vscode.l10n.t('There is no session “{0}”.', said.trim()), {
      hint: vscode.l10n.t('Choose one in the Sessions view, or with Pincer: Search Sessions.'),
    });
  }
  const names = match.summaries.slice(0, 5).map((each) => wordsFor(summaries, each));
  throw new PincerError('session_ambiguous', vscode.l10n.t('Several sessions fit: {0}.', names.join(', ')), {
    hint: vscode.l10n.t('Enter one of these names, or choose the session in the Sessions view.'),
  });
}
