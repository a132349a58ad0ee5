import { endOfPlain, nextState, type SequenceState } from './terminalSequences.ts';

/**
 * Takes terminal control sequences out of a text that comes in pieces, and the control characters that only a terminal
 * understands; line ends become `\n`, and a carriage return inside a line stays (`foldReturns` reads it). A sequence may be cut
 * anywhere between two pieces.
 */
export function createAnsiStripper(): (piece: string) => string {
  let state: SequenceState = 'text';
  let sequenceLength = 0;
  let mayEndLine = false;
  return (piece) => {
    let plain = '';
    let at = 0;
    while (at < piece.length) {
      if (state === 'text') {
        const end = endOfPlain(piece, at);
        if (mayEndLine && (end > at || piece[at] !== '\n')) plain += '\r';
        if (end > at) mayEndLine = false;
        plain += piece.slice(at, end);
        at = end;
        const sign = piece[at];
        if (sign === undefined) break;
        mayEndLine = sign === '\r';
        if (sign === '\n') plain += sign;
        sequenceLength = 0;
      }
      sequenceLength += 1;
      state = sequenceLength > maxSequence ? 'text' : nextState(state, piece[at] ?? '');
      at += 1;
    }
    return plain;
  };
}

/** What has begun a sequence and never ended it shall not hide all that follows. */
const maxSequence = 10_000;

/** What a line shows once it was drawn over: progress bars send a return and the line anew. Pure. */
export function foldReturns(text: string): string {
  return text.replace(/[^\n\r]*\r+(?=[^\n\r])/gu, '').replace(/\r/gu, '');
}
