import { keptUri, type Attached } from '../../../gateway/chatPage/chatViewMessages.ts';

/** What stands in the input. */
export interface MessageDraft {
  readonly text: string;
  readonly attached: readonly Attached[];
}

/**
 * What stays of a change whose message is gone: its words, what was attached meanwhile, and what stood in the input before. What was
 * attached to the message itself went with it. Pure.
 */
export function withoutEdit({ text, attached }: MessageDraft, before: MessageDraft): MessageDraft {
  const own = attached.filter(({ uri }) => uri !== keptUri);
  const others = before.attached.filter(({ uri }) => !own.some((each) => each.uri === uri));
  return {
    text: [text, before.text].filter((each) => each.trim() !== '').join('\n'),
    attached: [...own, ...others],
  };
}
