import { errorMessage } from '../../base/errors.ts';
import type { Channels, ConversationView } from '../../channels/channels.ts';

/**
 * Sends the user's own words; the agent stays silent from then on, and not before: words that did not go out silence nobody. Where sending
 * fails they are asked for again, as they were typed. False where the user gave up.
 */
export async function sendOwnWords(
  channels: Pick<Channels, 'send' | 'takeOver' | 'markRead'>,
  { id, isTakenOver }: Pick<ConversationView, 'id' | 'isTakenOver'>,
  ask: (typed: string, problem: string | undefined) => Thenable<string | undefined>,
): Promise<boolean> {
  let typed: string | undefined = '';
  let problem: string | undefined;
  while ((typed = await ask(typed, problem)) !== undefined) {
    try {
      await channels.send(id, typed);
    } catch (error) {
      problem = errorMessage(error);
      continue;
    }
    if (!isTakenOver) await channels.takeOver(id, true);
    await channels.markRead(id);
    return true;
  }
  return false;
}
