// Threat: what the user says while a turn runs must not slip past a plugin that judges what models may read. Each message goes
// through `beforeLLMRequest` and `before_agent_run` before anything stores it in the conversation.
import { errorMessage } from '../base/errors.ts';
import type { WaitingMessage } from '../sessions/inbox.ts';
import { contentOf, userMessage, type Turn } from './turn.ts';
import type { UserWords } from './userWords.ts';

/** What the user said while a turn runs, on its way into the conversation. */
export interface Inbound {
  takeSteering(): readonly WaitingMessage[];
  takeFollowUp(): WaitingMessage | undefined;
  /** Stores what was taken, or what a plugin put in its place; `skipped` calls were not carried out for it. */
  enter(messages: readonly WaitingMessage[], skipped: number): Promise<void>;
  /** The turn is over: what was taken and did not get into the conversation waits again. */
  close(): void;
}

export function createInbound(turn: Turn, systemPrompt: string): Inbound {
  const { input, conversation, deps, scope } = turn;
  const { inbox, session } = input;
  const taken = new Set<string>();

  const take = (kind: WaitingMessage['kind']): readonly WaitingMessage[] => {
    const messages = inbox?.take(session.id, kind) ?? [];
    for (const { id } of messages) taken.add(id);
    return messages;
  };
  const replaceBy = (text: string): UserWords => {
    scope.trace({ kind: 'message', outcome: 'replaced' });
    return { text, attachments: [] };
  };
  /** The words as they may be stored. */
  const judge = async (said: string): Promise<UserWords> => {
    scope.trace({ kind: 'message', outcome: 'received' });
    turn.messageReceived(said);
    const verdict = await turn.beforeRequest({ text: said, attachments: [] });
    if (verdict.outcome === 'blocked') {
      const { pluginId, message, replacement } = verdict;
      input.emit({ type: 'notice', text: `Plugin ${pluginId} stopped your message: ${message}` });
      return replaceBy(replacement);
    }
    const { words } = verdict;
    const gate = await turn.beforeAgentRun(conversation.all(), systemPrompt, words.text);
    return gate.outcome === 'pass' ? words : replaceBy(gate.message);
  };
  /** The transcript has the message and decides: where this fails, it is not read twice all the same. */
  const settle = async (id: string): Promise<void> => {
    taken.delete(id);
    try {
      await inbox?.settle(session.id, [id]);
    } catch (error) {
      deps.log.write(
        'warn',
        `A message that was read could not be taken off the list: ${errorMessage(error)}`,
      );
    }
  };

  return {
    takeSteering: () => take('steer'),
    takeFollowUp: () => take('followUp')[0],
    async enter(messages, skipped) {
      for (const [index, { id, kind, text }] of messages.entries()) {
        const words = await judge(text);
        if (kind === 'followUp') turn.meter.restart();
        const said = userMessage(turn, contentOf(words), { via: kind, inboxId: id });
        const stored = await turn.store(said);
        conversation.add(stored);
        await settle(id);
        const { message } = stored;
        if (kind === 'followUp') input.emit({ type: 'follow_up', message });
        else input.emit({ type: 'steered', message, skipped: index === 0 ? skipped : 0 });
      }
    },
    close() {
      if (taken.size > 0) inbox?.release(session.id, [...taken]);
      taken.clear();
    },
  };
}
