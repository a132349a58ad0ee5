/**
 * True where the chat panel has something new from the user: its own Steer or Send Now was pressed. The member is
 * proposed API, yet readable; where it is missing the turn goes on to its end. Pure.
 */
export function wantsToYield(chat: object): boolean {
  return 'yieldRequested' in chat && chat.yieldRequested === true;
}
