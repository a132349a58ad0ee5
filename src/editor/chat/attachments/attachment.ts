import type { ImagePart, TextPart } from '../../../contracts/message.ts';

/** What the model does not get as the user attached it; `label` is how the user knows it. */
export type AttachmentProblem =
  | { readonly kind: 'cut'; readonly label: string; readonly shown: number; readonly total: number }
  | { readonly kind: 'unreadable'; readonly label: string; readonly why: string }
  | { readonly kind: 'too-large'; readonly label: string; readonly bytes: number }
  | { readonly kind: 'unknown-kind'; readonly label: string }
  | { readonly kind: 'no-image'; readonly label: string }
  | { readonly kind: 'no-room'; readonly label: string }
  | { readonly kind: 'unknown-tool'; readonly label: string };

/** One thing that the user attached, as the model gets it. */
export interface Attachment {
  readonly parts: readonly (TextPart | ImagePart)[];
  /** Absolute path, where it is a file or folder on disk. */
  readonly path?: string;
  readonly problems: readonly AttachmentProblem[];
}

export function failedAttachment(problem: AttachmentProblem): Attachment {
  return { parts: [], problems: [problem] };
}
