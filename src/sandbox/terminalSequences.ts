/**
 * Where in a terminal control sequence a text stands: `csi` is `ESC [ … letter`, `string` is `ESC ] … BEL` or `… ESC \`,
 * `stringEnd` the ESC in it, `charset` `ESC ( letter`.
 */
export type SequenceState = 'text' | 'escape' | 'csi' | 'string' | 'stringEnd' | 'charset';

/** The state after one more sign. Pure. */
export function nextState(state: SequenceState, sign: string): SequenceState {
  if (sign === '\u001B') return state === 'string' || state === 'stringEnd' ? 'stringEnd' : 'escape';
  // Cancel and substitute end every sequence.
  if (sign === '\u0018' || sign === '\u001A') return 'text';
  switch (state) {
    case 'text':
      return sign === '\u009B' ? 'csi' : isStringStart(sign) ? 'string' : 'text';
    case 'escape':
      if (sign === '[') return 'csi';
      if (/[\]PX^_]/u.test(sign)) return 'string';
      return /[ -/]/u.test(sign) ? 'charset' : 'text';
    case 'csi':
      return /[@-~]/u.test(sign) ? 'text' : 'csi';
    case 'charset':
      return /[ -/]/u.test(sign) ? 'charset' : 'text';
    case 'string':
      return sign === '\u0007' || sign === '\u009C' ? 'text' : 'string';
    case 'stringEnd':
      return sign === '\\' ? 'text' : 'string';
  }
}

function isStringStart(sign: string): boolean {
  return /[\u0090\u0098\u009D-\u009F]/u.test(sign);
}

/** Text and tabs; everything else is looked at sign by sign. */
const controls = /[\u0000-\u0008\n-\u001F\u007F-\u009F]/gu;

/** Where the text from `from` on is interrupted by a control character. Pure. */
export function endOfPlain(piece: string, from: number): number {
  controls.lastIndex = from;
  return controls.exec(piece)?.index ?? piece.length;
}
